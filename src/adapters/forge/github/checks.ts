import type { Check } from '../../../core/pull-request/seen.ts';
import { oneLine } from '../../../core/text/sanitise.ts';
import type { CheckRunFacts, StatusFacts } from './answers.ts';

const SUMMARY_CHARS_MAX = 300;

const CONCLUSIONS: Readonly<Record<string, Check['state']>> = {
  SUCCESS: 'passed',
  NEUTRAL: 'passed',
  SKIPPED: 'passed',
  FAILURE: 'failed',
  ACTION_REQUIRED: 'failed',
  CANCELLED: 'cut-off',
  TIMED_OUT: 'cut-off',
  STARTUP_FAILURE: 'cut-off',
  STALE: 'cut-off',
};
const STATES: Readonly<Record<string, Check['state']>> = {
  SUCCESS: 'passed',
  FAILURE: 'failed',
  ERROR: 'failed',
  PENDING: 'pending',
  EXPECTED: 'pending',
};

/** A check with what tells it from others that have the same name. */
interface NamedCheck {
  readonly check: Check;
  readonly qualifier: string;
}

/**
 * The checks of a commit, each with a name of its own (R-PR-10). A later run of a workflow replaces an earlier one; what is
 * required and has not begun is pending.
 */
export function checksOf(
  contexts: readonly (CheckRunFacts | StatusFacts)[],
  required: ReadonlySet<string> = new Set(),
): readonly Check[] {
  const begun = new Set(contexts.map((facts) => ('context' in facts ? facts.context : facts.name)));
  const missing = [...required].filter((name) => !begun.has(name));
  const told = newest(contexts).map((facts) => ('context' in facts ? ofStatus(facts) : ofRun(facts)));
  return withOwnNames([...told, ...missing.map(notBegun)]);
}

function notBegun(name: string): NamedCheck {
  return { check: { name, state: 'pending', isRequired: true, summary: 'It has not begun.' }, qualifier: 'required' };
}

/** Leaves out what an earlier run of the same workflow, for the same event, said: people start workflows again. */
function newest(contexts: readonly (CheckRunFacts | StatusFacts)[]): readonly (CheckRunFacts | StatusFacts)[] {
  const latest = new Map<string, number>();
  for (const facts of contexts) latest.set(keyOf(facts), Math.max(latest.get(keyOf(facts)) ?? 0, runOf(facts)));
  return contexts.filter((facts) => runOf(facts) === latest.get(keyOf(facts)));
}

function keyOf(facts: CheckRunFacts | StatusFacts): string {
  if ('context' in facts) return JSON.stringify([facts.context]);
  const { app, workflowRun } = facts.checkSuite ?? {};
  return JSON.stringify([app?.slug, workflowRun?.workflow?.name, workflowRun?.event, facts.name]);
}

/** What orders runs by age: of workflows the number of the run, of other programs that of the check itself. */
function runOf(facts: CheckRunFacts | StatusFacts): number {
  if ('context' in facts) return 0;
  return facts.checkSuite?.workflowRun?.databaseId ?? facts.databaseId ?? 0;
}

function ofRun(facts: CheckRunFacts): NamedCheck {
  const { app, workflowRun } = facts.checkSuite ?? {};
  const workflow = workflowRun?.workflow?.name;
  const isJob = workflowRun !== null && workflowRun !== undefined && facts.databaseId;
  const state = facts.status === 'COMPLETED' ? (CONCLUSIONS[facts.conclusion ?? ''] ?? 'cut-off') : 'pending';
  return {
    check: {
      name: workflow ? `${workflow} / ${facts.name}` : facts.name,
      state,
      isRequired: facts.isRequired,
      ...(isJob && { job: String(facts.databaseId) }),
      ...described(facts.detailsUrl, facts.title),
    },
    qualifier: workflowRun?.event ?? app?.slug ?? '',
  };
}

function ofStatus({ context, state, isRequired, targetUrl, description }: StatusFacts): NamedCheck {
  const check = { name: context, state: STATES[state] ?? 'cut-off', isRequired, ...described(targetUrl, description) };
  return { check, qualifier: 'status' };
}

function described(url: string | null | undefined, words: string | null | undefined): Pick<Check, 'url' | 'summary'> {
  return { ...(url && { url }), ...(words && { summary: oneLine(words, SUMMARY_CHARS_MAX) }) };
}

/** Two checks of one name are told apart by what started them, and if that is the same too, by a number. */
function withOwnNames(checks: readonly NamedCheck[]): readonly Check[] {
  const names = checks.map(({ check }) => check.name);
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const used = new Map<string, number>();
  return checks.map(({ check, qualifier }) => {
    const name = isShared(check.name) && qualifier ? `${check.name} (${qualifier})` : check.name;
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    return times === 1 && name === check.name ? check : { ...check, name: times === 1 ? name : `${name} #${times}` };
  });
}
