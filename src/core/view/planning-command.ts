import type { Drafted } from '../plan/data/step.ts';
import { commandOf } from '../planning/steps.ts';
import type { RunState } from '../run/data/state.ts';
import { commandLine } from '../text/command-line.ts';

const GOAL_CHARS_MAX = 200;

/**
 * The command that goes on with a run of planning as it was begun, with or without gates: one that was interrupted is
 * continued, one that was given up or came to a limit begins at its open document, and one whose drafts were removed begins
 * again (R-PLAN-3, R-PLAN-7). `spec` is what is typed for it.
 */
export function planningGoesOn(
  spec: string,
  state: Pick<RunState, 'planning' | 'tasks' | 'rollback' | 'ended'>,
): string {
  const { planning, tasks, rollback, ended } = state;
  if (planning !== undefined && rollback === 'done') return newCommand(planning);
  const open = tasks.find(({ checked }) => !checked)?.step?.artifact;
  const isContinued =
    open === undefined || ended === undefined || ['interrupted', 'fault', 'waiting'].includes(ended.result);
  const flag = planning?.isQuick || !isContinued ? gatesFlag(state) : '';
  return `specloop ${isContinued ? 'start' : commandOf(open)} ${spec}${flag}`;
}

/** The command that drafts the next document of a run that a person decides about now (R-GATE-3). */
export function draftsNext(spec: string, next: Drafted, state: Pick<RunState, 'planning' | 'tasks'>): string {
  return `specloop ${commandOf(next)} ${spec}${gatesFlag(state)}`;
}

/** The option that keeps the gates as the open steps of a run have them; none where each has one. */
function gatesFlag({ planning, tasks }: Pick<RunState, 'planning' | 'tasks'>): string {
  const open = tasks.filter(({ checked, step }) => !checked && step?.topic === undefined);
  const gates = open.filter(({ step }) => step?.gate).length;
  if (planning?.isQuick) return tasks.at(-1)?.step?.gate ? ' --plan-only' : ' --quick';
  if (gates === open.length) return '';
  return gates === 0 ? ' --gates none' : ' --gates final';
}

/** A goal of several lines is not repeated. */
function newCommand({ spec, path, operand, goal }: NonNullable<RunState['planning']>): string {
  const isShort = goal.length <= GOAL_CHARS_MAX && !goal.includes('\n');
  const root = operand === undefined ? [] : ['--specs-dir', path.slice(0, -spec.length - 1)];
  const where = root.length === 0 ? '' : ` ${commandLine(...root)}`;
  return `specloop new ${spec} ${isShort ? commandLine(goal) : '"GOAL"'} --quick${where}`;
}
