import { isLeftOut } from '../plan/data/left-out.ts';
import { DOCUMENTS } from '../planning/steps.ts';
import { driverText, drivingOf } from '../run/driver.ts';
import { oneLine } from '../text/sanitise.ts';
import { counted, taskName } from '../text/words.ts';
import { NO_REPOSITORY } from './hook-spec.ts';
import { isOver } from './session-run.ts';
import type { StopFacts } from './stop.ts';

/** The text about the active spec for a session that begins (R-SES-7); `undefined` if it is over or left to the older plugin. */
export function startText({ input, spec, state, plan, run, isOlderPluginEnabled }: StopFacts): string | undefined {
  if (isOver(run) && isOlderPluginEnabled) return undefined;
  const tasks = 'problem' in plan ? [] : plan.tasks;
  const open = tasks.filter((task) => !task.checked && !isLeftOut(task));
  const [next] = open;
  if (state.ok && state.state.phase === undefined && next === undefined) return undefined;
  const isUnplanned = 'problem' in plan && state.ok && DOCUMENTS.some((name) => name === state.state.phase);
  const phase = state.ok && state.state.phase !== undefined ? `, phase ${oneLine(state.state.phase, 40)}` : '';
  const goesOn = next !== undefined || isUnplanned;
  const driving = drivingOf(run?.driver);
  const isOther = !isOver(run) && !(driving.kind === 'session' && driving.id === input.sessionId);
  const lines = [
    isUnplanned
      ? `The active spec is ${spec.name}${phase}.`
      : `The active spec is ${spec.name}: ${tasks.length - open.length} of ${counted(tasks.length, 'task')} done${phase}.`,
    ...('problem' in plan && !isUnplanned ? [oneLine(plan.problem, 500)] : []),
    ...(state.ok ? [] : [`${oneLine(spec.stateFile, 300)} cannot be read: ${oneLine(state.problem, 500)}.`]),
    ...(isOther ? [`Its run was last driven by ${oneLine(driverText(run?.driver), 250)}.`] : []),
    ...(next === undefined ? [] : [`The next task is ${oneLine(taskName(next), 200)}.`]),
    ...(state.ok && state.state.awaitingApproval === true ? ['It waits for the approval of the user.'] : []),
    ...(goesOn && !spec.hasRepository ? [NO_REPOSITORY] : []),
    ...(!goesOn ? [] : [`When the user wants to go on with it in this session, run: ${spec.calls.next}`]),
  ];
  return lines.join('\n');
}
