import { basename } from 'node:path';
import { READ_BY_AGENTS } from '../../core/verify/not-passed.ts';
import type { Agent, AgentOutcome, Brief } from '../../ports/agent.ts';
import type { Processes } from '../../ports/process.ts';
import type { AgentKind } from './agent-kind.ts';
import { judge, judgeExitCode } from './ending.ts';
import { ANSWER_BYTES_MAX, KeptLines } from './printed.ts';
import { makeReportFolder, REPORT_VARIABLE, readReport, removeReportFolder } from './report.ts';
import { tellEnd } from './tell-end.ts';

/** A program that is an agent because it reads a prompt and prints an answer (R-API-2). */
export interface CommandAgentOptions {
  /** The program and its arguments; no shell reads them. */
  readonly argv: readonly [string, ...string[]];
  readonly processes: Processes;
  /** The whole environment it gets, the `SPECLOOP_*` variables of the brief aside (R-SEC-2). */
  readonly env: Readonly<Record<string, string>>;
}

/** Programs that are called as commands. Which variables they read, only they know. */
export const COMMAND: AgentKind = {
  name: 'command',
  program: '',
  tellsLimits: false,
  about: { can: [], untested: [] },
  readers: READ_BY_AGENTS,
  variables: () => ({ passed: [], missed: [] }),
  make: ({ program, args = [], processes, env }) => commandAgent({ argv: [program, ...args], processes, env }),
};

/**
 * Any program as an agent (R-API-2): the prompt comes by stdin, the workspace is its working directory, stdout is
 * its final answer, stderr is log. An exit code other than 0 is a failed attempt whatever was printed (R-DEL-7). In the
 * file of `SPECLOOP_REPORT_FILE` it may say more (R-AGT-5).
 */
export function commandAgent({ argv, processes, env }: CommandAgentOptions): Agent {
  const program = argv[0];
  return {
    name: basename(program),
    async work(brief: Brief): Promise<AgentOutcome> {
      const place = makeReportFolder();
      const lines = new KeptLines(brief.keepLine);
      const ended = await processes.run({
        argv,
        cwd: brief.workspace,
        ...(brief.tree !== undefined && { tree: brief.tree }),
        env: { ...env, ...brief.variables, ...(place && { [REPORT_VARIABLE]: place.file }) },
        ...(place && { writable: [place.folder] }),
        stdin: brief.prompt,
        limits: { wallMs: brief.limits.wallMs, idleMs: brief.limits.idleMs },
        tailBytesMax: ANSWER_BYTES_MAX,
        ...(brief.keepLine && { onLine: (line: string) => lines.take(line), lineBytesMax: ANSWER_BYTES_MAX }),
        logFile: brief.logFile,
        signal: brief.signal,
        ...(brief.onEvent && { onActivity: () => brief.onEvent?.({ type: 'output' }) }),
      });
      const attempted = { program, limits: brief.limits };
      const report = place && readReport(place.file);
      if (place) removeReportFolder(place.folder);
      const { verdict: reported, ...said } = report ?? { usage: {} };
      const verdict = judge(ended, attempted, (code) => reported ?? judgeExitCode(code, ended.stderr.text));
      const outcome = { ...verdict, ...said, answer: lines.above(ended.stdout), durationMs: ended.durationMs };
      tellEnd(outcome, brief.onEvent);
      return outcome;
    },
  };
}
