import type * as z from 'zod/mini';
import { ForgeFault } from '../../../ports/forge.ts';
import { branchAnswer, checksRule, rulesAnswer } from './answers.ts';
import { pathOf, type Reader } from './reader.ts';

const PAGE_SIZE = 100;

/**
 * The names of the checks that have to pass before something is merged into a branch, by its protection and by rules. GitHub
 * lists only checks that have begun: without these names, what has not begun would not be missed (R-PR-2).
 */
export async function requiredContexts(reader: Reader, branch: string): Promise<ReadonlySet<string>> {
  const name = encodeURIComponent(branch);
  const { protection } = (await readable(reader, `branches/${name}`, branchAnswer)) ?? {};
  const contexts = new Set(protection?.required_status_checks?.contexts);
  for (let page = 1; ; page += 1) {
    const path = `rules/branches/${name}?per_page=${PAGE_SIZE}&page=${page}`;
    const rules = (await readable(reader, path, rulesAnswer)) ?? [];
    for (const rule of rules.filter(({ type }) => type === 'required_status_checks')) {
      const { data } = checksRule.safeParse(rule.parameters);
      for (const { context } of data?.required_status_checks ?? []) contexts.add(context);
    }
    if (rules.length < PAGE_SIZE) return contexts;
  }
}

/** `undefined` where the account may not read it, or an older GitHub does not have it. */
async function readable<Answer>(
  reader: Reader,
  path: string,
  schema: z.ZodMiniType<Answer>,
): Promise<Answer | undefined> {
  try {
    return await reader.gh.rest({ path: `${pathOf(reader)}/${path}` }, schema);
  } catch (fault) {
    if (fault instanceof ForgeFault && (fault.trouble === 'gone' || fault.trouble === 'denied')) return undefined;
    throw fault;
  }
}
