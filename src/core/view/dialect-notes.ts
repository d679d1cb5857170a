import { isLeftOut, isProvenByReview } from '../plan/data/left-out.ts';
import type { Plan } from '../plan/data/task.ts';
import type { Policy } from '../policy.ts';
import { firstOf } from '../text/first-of.ts';
import { counted, idText } from '../text/words.ts';

const NAMED_MAX = 10;

/** What a person should know of a plan of another tool before it runs, one line each (R-DIA-3, R-DIA-4). */
export function dialectNotes(
  plan: Pick<Plan, 'dialect' | 'tasks' | 'problems'>,
  policy: Pick<Policy, 'review' | 'withOptional' | 'testCommand'>,
  { isForced = false }: { readonly isForced?: boolean | undefined } = {},
): readonly string[] {
  const { dialect, tasks, problems } = plan;
  const left = tasks.filter((task) => isLeftOut(task, policy)).map(({ id }) => idText(id));
  const optional =
    left.length === 0
      ? []
      : [`Left out: ${counted(left.length, 'optional task')} (${firstOf(left, NAMED_MAX)}); --optional runs them.`];
  if (dialect === 'ralph-specum')
    return [...(isForced ? ['The plan is read as ralph-specum, as named.'] : []), ...optional];
  const criteria = problems.filter(({ code }) => code === 'criterion').map(({ line }) => `${line}`);
  return [
    `The plan is read as ${dialect}${isForced ? ', as named' : ''}.`,
    ...optional,
    ...(criteria.length === 0
      ? []
      : [`Left out: ${criteria.length} boxes that are criteria, not tasks (lines ${firstOf(criteria, NAMED_MAX)}).`]),
    ...proofNotes(plan, policy),
  ];
}

/** How tasks without a command are proven, and how to give them one. */
function proofNotes(
  plan: Pick<Plan, 'dialect' | 'tasks'>,
  { review, testCommand }: Pick<Policy, 'review' | 'testCommand'>,
): readonly string[] {
  if (!isProvenByReview(plan)) return [];
  const open = plan.tasks.filter(({ checked }) => !checked);
  const without = open.filter(({ verifyKind }) => verifyKind !== 'command');
  const what =
    without.length === open.length
      ? 'No task of this plan has a command'
      : `${counted(without.length, 'task')} of this plan ${without.length === 1 ? 'has' : 'have'} no command`;
  const how = {
    always: 'each is proven by review',
    auto: 'they are reviewed when a review is due',
    strict: 'they are reviewed when a review is due',
    off: 'and reviews are off, so only the agent says that it is done',
  }[review];
  const tests = testCommand === undefined ? '' : ` The project's tests (${testCommand}) are run as well.`;
  return [`${what}: ${how}.${tests} To prove one by a command, add a line to it: - **Verify**: \`npm test\``];
}
