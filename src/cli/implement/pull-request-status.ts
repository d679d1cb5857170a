import { openProject } from '../../app/project.ts';
import type { PullRequestStatus } from '../../app/spec/pull-request-status.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import type { Call } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { printResult } from '../shared/print.ts';

const LINE_CHARS_MAX = 200;

/** Prints what the newest run knows of the pull request: its checks with their states, its comments with theirs. */
export async function printPullRequest(call: Call): Promise<number> {
  const project = await openProject(call.cwd, hostOf(call));
  const { pullRequest } = await (await project.spec(call.operands[0])).status();
  printResult(call, pullRequest, () => `${pullRequestLines(pullRequest).join('\n')}\n`);
  return 0;
}

/** The lines that show a pull request. */
export function pullRequestLines(pullRequest: PullRequestStatus | null): readonly string[] {
  if (pullRequest === null) return ['No pull request yet.'];
  const { url, state, head, checks, comments, ignored, cycles } = pullRequest;
  return [
    `Pull request: ${url === null ? 'not open yet' : `${oneLine(url, LINE_CHARS_MAX)} (${state})`}${head === null ? '' : `, pushed at ${head.slice(0, 8)}`}`,
    ...checks.map(
      ({ name, state: how, isRequired }) =>
        `  ${how}: ${oneLine(name, LINE_CHARS_MAX)}${isRequired ? ' (required)' : ''}`,
    ),
    ...comments.map(({ author, path, task }) => {
      const where = path === null ? '' : ` on ${oneLine(path, LINE_CHARS_MAX)}`;
      return `  comment by ${oneLine(author, LINE_CHARS_MAX)}${where}: ${task === null ? 'no task yet' : `task ${task}`}`;
    }),
    ...(ignored > 0 ? [`  ${ignored} by people without write access, left alone`] : []),
    ...(cycles > 0 ? [`  looked at ${cycles} times after a wait`] : []),
  ];
}
