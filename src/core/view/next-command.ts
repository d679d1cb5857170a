import { approveCommand } from '../planning/document-text.ts';
import type { PlanningNext } from '../planning/next-step.ts';
import { commandOf } from '../planning/steps.ts';
import type { RunState } from '../run/data/state.ts';
import { commandLine } from '../text/command-line.ts';
import { planningGoesOn } from './planning-command.ts';

/** Where a spec is, as far as it says what is to be typed next. */
export interface Whereabouts {
  /** What is typed for the spec in a command. */
  readonly spec: string;
  /** Tasks in the plan; 0 where there is none yet. */
  readonly total: number;
  readonly done: number;
  readonly isRunning: boolean;
  /** The newest run; absent before the first one. */
  readonly run?: Pick<RunState, 'progress' | 'tasks' | 'ended' | 'planning' | 'rollback'> | undefined;
  /** The session that drives the run and has open delegations; `undefined` for a session without an id. */
  readonly session?: { readonly id: string | undefined } | undefined;
  /** Whether questions of the author of a document wait for answers (R-ASK-3). */
  readonly hasQuestions?: boolean;
  /** Whether the defect of a bug fix was not seen, and a person has to go on (R-BUG-1). */
  readonly isNotReproduced?: boolean;
  /** What planning comes to next; absent for a spec that is not planned by specloop. */
  readonly planning?: PlanningNext | undefined;
}

/** The command that goes on with a spec (R-PLAN-7); `undefined` where there is nothing to type. */
export function nextCommand(where: Whereabouts): string | undefined {
  const { total, done, isRunning, run, session } = where;
  const spec = commandLine(where.spec);
  if (isRunning) return undefined;
  if (session !== undefined)
    return `specloop next ${spec}${session.id === undefined ? '' : ` --session ${session.id}`} --json`;
  const answering = run?.ended?.result === 'waiting' ? answerCommand(where) : undefined;
  if (answering !== undefined) return answering;
  if (where.isNotReproduced === true) return `specloop approve ${spec}`;
  const planning =
    run?.ended?.result === 'completed' && run.planning === undefined ? undefined : planningCommand(where);
  if (planning !== undefined || total === 0) return planning;
  return done === total && run?.ended?.result !== 'waiting' ? undefined : `specloop implement ${spec}`;
}

/** The command that answers what the run waits for; once all is answered, the one that goes on. */
function answerCommand({ spec, run, hasQuestions = false }: Whereabouts): string | undefined {
  const [key, progress] = (run && [...run.progress].find(([, { at }]) => at === 'asking')) ?? [];
  const task = run?.tasks.find((one) => one.key === key);
  if (task === undefined) return undefined;
  if (progress?.at !== 'asking' || progress.questions === undefined) return `specloop answer ${task.id} ${spec} "TEXT"`;
  return hasQuestions ? `specloop questions ${spec}` : `specloop start ${spec}`;
}

/** The command that goes on with planning: with a run that was cut off, the next document, or an approval. */
function planningCommand({ spec: operand, run, planning }: Whereabouts): string | undefined {
  const spec = commandLine(operand);
  const isCutOff = run?.planning !== undefined && run.ended?.result !== 'waiting' && run.ended?.result !== 'completed';
  if (isCutOff) return planningGoesOn(spec, run);
  switch (planning?.is) {
    case 'draft':
      return `specloop ${commandOf(planning.artifact)} ${spec}`;
    case 'decide':
      return approveCommand(planning, spec);
    default:
      return undefined;
  }
}
