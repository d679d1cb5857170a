import type { PlannedTask } from '../plan/data/planned-task.ts';
import { fedPipelines } from '../plan/shell/fed-pipelines.ts';
import { shown } from '../plan/shell/verify-doubt-text.ts';
import type { Policy } from '../policy.ts';
import { durationText } from '../text/words.ts';
import type { Evidence, VerifyRun } from './evidence.ts';
import type { Failure, Layer } from './failure.ts';
import { notPassedText } from './not-passed.ts';
import { proofFailures, proofNotes } from './proof.ts';
import { unrecordableText } from './unrecordable.ts';

/** What one layer said (R-VER-9). */
export interface LayerResult {
  readonly layer: Layer;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
}

export interface Verdict {
  readonly layers: readonly LayerResult[];
  /** Changes to what judges the work, for the reviewer. */
  readonly concerns: readonly string[];
  /** Why the attempt is rejected; absent when it is accepted. */
  readonly failure?: Failure;
  /** Accepted although no file was changed (R-VER-12). */
  readonly unchanged?: true;
  /** Files that are no longer ignored and are left out; the user's from now on (R-VER-13). */
  readonly uncovered?: readonly string[];
}

/** What a verdict is about. */
export interface Judged {
  readonly task: PlannedTask;
  readonly policy: Policy;
  /** Branch of the run, and the commit the attempt began at. */
  readonly branch: string | undefined;
  readonly base: string;
  /** The commands that have to pass (R-VER-5); none is a reason to skip the layer. */
  readonly commands: readonly string[];
  /** A reviewer sent the work back and it is in a commit made by specloop: the coordinator keeps the books of it. */
  readonly isHeld: boolean;
  /** The task is to change files: it names some, has a commit of its own, and is no check, not recorded as split, and not fixed by a task. */
  readonly isToChange: boolean;
  /** An attempt before this one was rejected because it changed nothing. */
  readonly wasUnchanged: boolean;
}

/** Turns evidence into a verdict, layer by layer as in `LAYERS` below. The first one that fails decides; later ones are not looked at. */
export function judge(evidence: Evidence, judged: Judged): Verdict {
  const layers: LayerResult[] = [];
  for (const [layer, look] of LAYERS) {
    const found = look(evidence, judged);
    if (found === undefined) continue;
    layers.push({ layer, ...found });
    if (found.result === 'failed')
      return { layers, concerns: evidence.concerns, failure: { layer, text: found.detail } };
  }
  const unchanged = isWithoutChange(evidence, judged) ? ({ unchanged: true } as const) : {};
  const { concerns, uncovered } = evidence;
  return { layers, concerns, ...unchanged, ...(uncovered && { uncovered }) };
}

/** Whether the layers before the Verify command pass: a command is not run for work that is rejected anyway. */
export function mayVerify(evidence: Evidence, judged: Judged): boolean {
  return [integrity, bookkeeping].every((look) => look(evidence, judged)?.result !== 'failed');
}

/** `undefined` where the layer does not apply, and no one has to know. */
type LayerCheck = (evidence: Evidence, judged: Judged) => Omit<LayerResult, 'layer'> | undefined;

/** R-VER-3; what judges the work, R-VER-14; what no commit can hold, R-VER-13; uncommitted changes of the user, R-START-2. */
const integrity: LayerCheck = (
  { repository, plan, stateFileTouched, usersChanges = [], protectedFiles, unrecordable = [], violations = [] },
  { branch },
) => {
  const own = repository.own ?? branch;
  const wrong = [
    ...plan.violations.map((what) => `The plan: ${what}`),
    ...(stateFileTouched ? ['The state file was changed; only the coordinator writes it.'] : []),
    ...usersChanges.map((what) => `${what}.`),
    ...(repository.branch === own
      ? []
      : [`The working tree is on ${repository.branch ?? 'a detached HEAD'} instead of ${own ?? 'its own'}.`]),
    ...(protectedFiles.length === 0 ? [] : [`Protected files were changed: ${protectedFiles.join(', ')}`]),
    ...(repository.keepsHistory ? [] : ['Commits from before the attempt were removed or rewritten.']),
    ...(repository.operation === undefined ? [] : [`A ${repository.operation} was left unfinished.`]),
    ...unrecordable.map(unrecordableText),
    ...violations,
  ];
  // Several paths of one repository have the same reason.
  if (wrong.length > 0) return failed(`PLAN INTEGRITY: ${[...new Set(wrong)].join('\n')}`);
  return passed(
    plan.additions.length > 0
      ? `Kept what was added to the plan: ${plan.additions.join('; ')}`
      : 'Plan, state, branch and history are unchanged.',
  );
};

/** R-VER-4. In bookkeeping `coordinator` the coordinator brings it about itself. Fix tasks skip it (R-VER-8). */
const bookkeeping: LayerCheck = ({ plan, uncommittedSpecFiles }, { policy, task, isHeld }) => {
  if (policy.bookkeeping === 'coordinator') return skipped('The coordinator ticks and commits.');
  if (task.fixes !== undefined) return skipped('A fix task: the original task is checked.');
  if (isHeld) return skipped('Sent back by a reviewer: the coordinator ticks and commits.');
  if (uncommittedSpecFiles.length > 0) return failed(`UNCOMMITTED SPEC FILES: ${uncommittedSpecFiles.join(', ')}`);
  if (!plan.ownTicked) return failed(`MISSING TICK: the box of task ${task.id} is not ticked.`);
  return passed('Ticked and committed by the agent.');
};

/**
 * R-VER-12. An agent that wrote files as they were has looked at them. Else a claim without a change is taken at the second time, where a command or a reviewer can tell whether there was
 * nothing to do. A command that fails says more, so it is asked first.
 */
const change: LayerCheck = (evidence, judged) => {
  if (!isWithoutChange(evidence, judged)) return undefined;
  const { task, commands, policy, wasUnchanged } = judged;
  const { rewritten = [] } = evidence;
  if (rewritten.length > 0) return passed(`Written again as it was: ${rewritten.join(', ')}. Accepted as unchanged.`);
  const isCheckable = commands.length > 0 || policy.review !== 'off';
  if (wasUnchanged && isCheckable) return passed('No file was changed, for the second time: accepted as unchanged.');
  return failed(
    `NO CHANGE: no file was changed, although the task names ${task.files.join(', ')}. Do what is missing. If all of it is done already, make sure that it does what the task asks for, and claim completion again.`,
  );
};

function isWithoutChange({ changedFilesTotal }: Evidence, { isToChange }: Judged): boolean {
  return isToChange && changedFilesTotal === 0;
}

/** R-VER-5; what is recorded is what was proved, R-VER-13. */
const verify: LayerCheck = ({ verify: runs, proof = {}, repository }, { task, commands, branch }) => {
  if (commands.length === 0)
    return skipped(
      task.fixes === undefined
        ? `No command to run (${task.verifyKind}).`
        : 'A fix task: the original task is checked.',
    );
  const bad = runs.find((run) => run.how !== 'exited' || run.exitCode !== 0);
  if (bad)
    return failed(
      `VERIFY: ${[verifyEnd(bad), notPassedText(bad.notPassed ?? []), bad.output.trimEnd()].filter((text) => text.trim() !== '').join('\n')}`,
    );
  if (runs.length < commands.length) return failed(`VERIFY: ${commands.length - runs.length} commands were not run.`);
  const wrong = proofFailures(proof, repository.own ?? branch);
  if (wrong.length > 0)
    return failed(`VERIFY: The command passed, but the work that it checked cannot be committed. ${wrong.join('\n')}`);
  const notes = proofNotes(proof).map((note) => ` ${note.charAt(0).toUpperCase()}${note.slice(1)}.`);
  return passed(`${commands.map((command) => `\`${command}\` exited with 0.`).join(' ')}${notes.join('')}`);
};

function verifyEnd(run: VerifyRun): string {
  switch (run.how) {
    case 'exited':
      return `\`${run.command}\` exited with ${run.exitCode}${takenFrom(run.command)}.`;
    case 'timed-out':
      return timedOut(run);
    case 'killed':
      return `\`${run.command}\` was ended by a signal.`;
    case 'not-started':
      return `\`${run.command}\` could not be started.`;
  }
}

/** Why it did not end is mostly seen by the end of what it printed. */
function timedOut({ command, output, limitMs }: VerifyRun): string {
  const limit = limitMs === undefined ? '' : ` of ${durationText(limitMs)}`;
  return `\`${command}\` did not end within its time limit${limit} (--verify-timeout).${whyEndless(output)}`;
}

function whyEndless(output: string): string {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  if (WATCHES.test(output))
    return ' It seems to run until it is stopped, like a server or a watch mode; a check must end by itself.';
  return ASKS.test(last)
    ? ' It seems to have waited for an answer that no one gives: pass the option that answers.'
    : '';
}

const ASKS = /(\?|\[[^\]]*\/[^\]]*\]|\([^)]*\/[^)]*\)|password|passphrase)[^\n]{0,3}$/i;
const WATCHES = /waiting for file changes|watching for|watch usage|press \S+ to (quit|exit|stop)|listening (on|at)\b/i;

/** Whose exit code it is, where the command's own would say nothing (R-VER-15). */
function takenFrom(command: string): string {
  const feeders = fedPipelines(command).map(({ feeder }) => `\`${shown(command, feeder)}\``);
  return feeders.length === 0 ? '' : ` (a pipe hides an exit code, so that of ${feeders.join(' or ')} counts)`;
}

/** R-VER-6. */
const scope: LayerCheck = (
  { outOfScope, outOfScopeTotal = outOfScope.length, changedFilesTotal },
  { policy, task },
) => {
  if (task.fixes !== undefined) return skipped('A fix task: the original task is checked.');
  if (policy.scope === 'off') return skipped('Switched off.');
  if (changedFilesTotal === 0) return passed('No file was changed.');
  if (outOfScope.length === 0) return passed('Only files of the task were changed.');
  const more = outOfScopeTotal > outOfScope.length ? ` and ${outOfScopeTotal - outOfScope.length} more` : '';
  const list = `changed outside Files: ${outOfScope.join(', ')}${more}`;
  return policy.scope === 'enforce' ? failed(`SCOPE: ${list}`) : passed(`Reported: ${list}`);
};

const LAYERS: readonly (readonly [Layer, LayerCheck])[] = [
  ['integrity', integrity],
  ['bookkeeping', bookkeeping],
  ['verify', verify],
  ['change', change],
  ['scope', scope],
];

const passed = (detail: string) => ({ result: 'passed', detail }) as const;
const failed = (detail: string) => ({ result: 'failed', detail }) as const;
const skipped = (detail: string) => ({ result: 'skipped', detail }) as const;
