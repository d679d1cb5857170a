import type { Role } from '../../core/agent/role.ts';
import { buildBrief } from '../../core/brief/brief.ts';
import { checksAcceptance } from '../../core/plan/data/acceptance-task.ts';
import { seenFrom } from '../../core/plan/data/workdir.ts';
import { type ProgressContext, progressContext } from '../../core/progress/context.ts';
import { progressOf, type RunState } from '../../core/run/data/state.ts';
import { triedBefore } from '../../core/run/tried-before.ts';
import { pathInFolder, stateFileOf } from '../../core/spec-files.ts';
import { ownProgressFile, type World } from '../lane/world.ts';
import { contextPaths, documentsIn } from './documents.ts';

/** Whose prompt it is. */
export interface PromptOrder {
  readonly task: string;
  readonly attempt: number;
  readonly role: Role;
  /** Whether the agent has the tools of its attempt. */
  readonly hasTools: boolean;
}

/** The prompt of an attempt at a task (R-DEL-3). Reads, and changes nothing, so that it can be shown before (R-AGT-7). */
export async function workPrompt(
  { task: key, attempt, role, hasTools }: PromptOrder,
  state: RunState,
  place: Pick<World, 'spec' | 'plan' | 'files' | 'workdir' | 'lane' | 'promptBytesMax' | 'coverage'>,
): Promise<string> {
  const { spec, plan, files, workdir, promptBytesMax } = place;
  const progressFile = ownProgressFile(place);
  const path = seenFrom(workdir, spec.path);
  const progress = await files.read(spec.progressFile).catch(() => undefined);
  const { failures, note, answered, promptBytesMax: shorter = promptBytesMax } = progressOf(state, key);
  const last = note ?? failures.at(-1)?.failure;
  const original = originalOf(state, key);
  const task = plan.task(key);
  const coverage = checksAcceptance(task) ? await place.coverage() : undefined;
  return buildBrief({
    role: role === 'verifier' ? 'verifier' : 'executor',
    spec: {
      name: spec.name,
      path,
      planFile: spec.format.file,
      progressFile: spec.progressFile,
      stateFile: stateFileOf(spec),
      ...(spec.isSingleFile && { isSingleFile: true }),
      documents: await documentsIn(place),
      context: contextPaths(place),
    },
    parents: plan.plan.groups.flatMap(({ children, block }) =>
      block !== undefined && children.includes(task.index) ? [block] : [],
    ),
    isOfOtherTool: spec.format.dialect !== 'ralph-specum',
    workdir,
    task,
    attempt,
    // After a prompt that was too long for the model, less (R-AGT-4).
    bytesMax: Math.min(promptBytesMax, shorter),
    progress: withLearned(state, progressContext(progress)),
    hasTools,
    bookkeeping: state.policy.bookkeeping,
    ...(progressFile === undefined ? {} : { progressFile: pathInFolder(path, progressFile) }),
    ...(last ? { lastFailure: { layer: last.layer, text: last.text } } : {}),
    ...(answered === undefined ? {} : { answered }),
    ...(coverage && { coverage }),
    ...(original === undefined ? {} : { tried: triedBefore(state, original) }),
  });
}

/** What agents noted by a tool, and is not in the file yet, is known too. */
function withLearned({ learned }: RunState, progress: ProgressContext): ProgressContext {
  return { ...progress, learnings: [...new Set([...progress.learnings, ...[...learned.values()].flat()])] };
}

/** The task that a fix repairs. */
function originalOf({ tasks }: RunState, key: string): string | undefined {
  const fixes = tasks.find((task) => task.key === key)?.fixes;
  return fixes === undefined ? undefined : tasks.find((task) => task.id === fixes)?.key;
}
