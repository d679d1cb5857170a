/**
 * What an agent says of its attempt as data, in place of a signal in its answer. It means what the signal of the same name
 * means and proves as little: where claims and answer disagree, the negative one counts (R-DEL-4).
 */
export type StructuredClaim =
  /** The task is done, or the check has passed; `summary` is read like a part of the answer. */
  | { readonly status: 'complete'; readonly summary?: string | undefined }
  /** `error`: why the agent could not do it. */
  | { readonly status: 'failed'; readonly error: string }
  /** A person has to answer before the agent can go on. */
  | { readonly status: 'needs-input'; readonly question: string }
  /** The plan has to change; `request` has the form of R-MOD-1 and is checked like one in an answer. */
  | { readonly status: 'modification-requested'; readonly request: Readonly<Record<string, unknown>> };

/** Why the claims say that the attempt is not complete, as a failure report tells it; `undefined` if none does. */
export function deniedBy(
  claims: readonly StructuredClaim[],
): { readonly error: string; readonly status: string } | undefined {
  for (const claim of claims) {
    if (claim.status === 'failed') return { error: claim.error, status: 'The agent reported that it failed' };
    if (claim.status === 'needs-input')
      return { error: `The agent asks: ${claim.question}`, status: 'The agent waits for an answer' };
  }
  return undefined;
}
