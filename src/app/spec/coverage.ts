import { type Coverage, coverageOf, type TaskProof } from '../../core/artifact/coverage.ts';
import { activeIds, readRequirements } from '../../core/artifact/requirements.ts';
import type { Plan, Task } from '../../core/plan/data/task.ts';
import { planPathOf, REQUIREMENTS_FILE } from '../../core/spec-files.ts';
import { UserError } from '../../core/user-error.ts';
import { evidenceInRun, type TaskEvidence } from '../../core/view/record/evidence.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf } from '../run/runs.ts';
import { homeOf } from '../worktree/home.ts';
import { planOf } from './plan-file.ts';
import { readArtifacts } from './read-artifacts.ts';

/**
 * How each requirement and criterion of a spec is followed to the command and commit that proved it (R-TRACE-1), from its
 * files and the journals of its runs on this machine. Changes nothing. Throws `UserError` for a spec that defines none.
 */
export async function coverageIn(start: SpecPlace, host: Pick<Host, 'env'>): Promise<Coverage> {
  const { place } = await homeOf(start, host);
  if (place.spec.isSingleFile)
    throw new UserError(
      `${planPathOf(place.spec)} is a single file, and has no requirements to cover.`,
      `Move it to the folder of a spec, next to ${REQUIREMENTS_FILE}.`,
    );
  const { artifacts, unreadable } = readArtifacts(place.spec);
  const [problem] = unreadable;
  if (problem !== undefined) throw new UserError(`${problem.file}: ${problem.message}`, problem.hint);
  const text = artifacts.get('requirements');
  const requirements = text === undefined ? undefined : readRequirements(text);
  if (requirements === undefined || activeIds(requirements).every(({ kind }) => kind === 'US'))
    throw new UserError(
      `${place.spec.path}/${REQUIREMENTS_FILE} ${text === undefined ? 'is missing' : 'defines no requirement and no criterion'}.`,
      'Write requirements with ids such as FR-1 and AC-1.1 at the start of a heading, a table row or a list item.',
    );
  const design = artifacts.get('design');
  const artifact = artifacts.get('tasks');
  const plan = artifact === undefined ? undefined : (await planOf(place.spec)).plan;
  return coverageOf({
    requirements,
    ...(design === undefined ? {} : { design }),
    ...(plan === undefined || artifact === undefined ? {} : { plan: { plan, artifact } }),
    proofs: plan === undefined ? new Map() : await proofsOf(place, plan),
  });
}

/** The same; `undefined` for a spec without ids, and for documents that cannot be read: `validate` says what is wrong with them. */
export async function coverageIfAny(place: SpecPlace, host: Pick<Host, 'env'>): Promise<Coverage | undefined> {
  try {
    return await coverageIn(place, host);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** What the newest run that recorded each task measured. A task that has another title now is another task. */
async function proofsOf(place: SpecPlace, { tasks }: Plan): Promise<ReadonlyMap<string, TaskProof>> {
  const archive = archiveOf(place);
  const proofs = new Map<string, TaskProof>();
  for (const id of (await archive.list()).toReversed()) {
    const open = tasks.filter(({ key }) => !proofs.has(key));
    if (open.length === 0) break;
    const evidence = evidenceInRun((await archive.read(id)).envelopes);
    for (const task of open) {
      const proof = proofIn(evidence.get(task.key), task);
      if (proof !== undefined) proofs.set(task.key, proof);
    }
  }
  return proofs;
}

function proofIn(evidence: TaskEvidence | undefined, task: Task): TaskProof | undefined {
  if (evidence?.commit === undefined || evidence.title !== task.title) return undefined;
  const { run, commit, attempts, lifecycle } = evidence;
  const last = attempts.at(-1);
  if (last === undefined)
    return { run, attempt: 0, command: lifecycle?.command ?? null, exitCode: lifecycle?.command ? 0 : null, commit };
  const runs = last.measured?.verify ?? [];
  const own = runs.find(({ command }) => command === task.verifyCommand) ?? runs.at(-1);
  return { run, attempt: last.attempt, command: own?.command ?? null, exitCode: own?.exitCode ?? null, commit };
}
