import { readFacts } from '../../adapters/git/repository.ts';
import { specAt } from '../../adapters/store/spec-folder.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { isTreeHandedOver } from '../../core/run/drivers.ts';
import { fold } from '../../core/run/evolve.ts';
import { holdsWork } from '../../core/run/holds-work.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { preflight } from '../../core/run/start/preflight.ts';
import { usersPaths } from '../../core/run/start/users-paths.ts';
import { specKey } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import type { SpecPlace } from '../place.ts';
import { policySource } from './policy.ts';
import type { FactsAtStart, Ready } from './ready.ts';

/** What is asked before a start, and for which kind of run. */
interface StartSources extends Pick<Ready, 'host' | 'git' | 'archive'> {
  readonly order: { readonly dryRun?: boolean };
  /** The run drafts documents: it commits nothing else, so that the tree need not be clean. */
  readonly isPlanning?: boolean;
}

/** The state of repository and last run, and whether a run may begin (R-START-2). Throws `UserError`. */
export async function factsAtStart(
  place: SpecPlace,
  { host: { env, notify }, order: { dryRun = false }, git, archive, isPlanning = false }: StartSources,
): Promise<FactsAtStart> {
  const { repository, spec, loaded } = place;
  const [{ head, changes, ...found }, known, latest] = await Promise.all([
    git.inspect({ dir: repository.root }),
    readFacts(repository, env),
    archive.latest(),
  ]);
  const state = latest && fold(latest.envelopes.map(({ event }) => event));
  requireKind(state, { ...spec, isPlanning });
  if (!isPlanning) requireDialect(state, place);
  const resumes = state !== undefined && isUnfinished(state);
  const { branch, operation } =
    state && isTreeHandedOver(state) ? { branch: state.branch, operation: undefined } : found;
  const foreign = usersPaths(
    changes.map(({ path }) => path),
    spec,
  );
  const isInFlight = resumes && [...state.progress.values()].some(holdsWork);
  const { allowDirty, allowDefaultBranch } = loaded.settings;
  const checked = preflight(
    { spec: spec.name, head, branch, operation, foreign, isInFlight, ...known },
    { allowDirty: allowDirty || dryRun || isPlanning, allowDefaultBranch },
  );
  if (!checked.ok) throw new UserError(checked.message, checked.hint);
  if (dryRun && !isPlanning && foreign.length > 0 && !allowDirty && !isInFlight)
    notify('A run would refuse to start: there are uncommitted changes outside the spec (see --allow-dirty).');
  return {
    branch: branch ?? '',
    newBranch: checked.newBranch,
    foreign,
    ...policySource(place, isOfKind(state, isPlanning) ? state : undefined),
  };
}

/** A run goes on in the dialect that it began with: in another one its tasks would be others (R-DIA-3). */
function requireDialect(state: RunState | undefined, { roots, spec }: SpecPlace): void {
  if (state === undefined || state.planning !== undefined || !isUnfinished(state)) return;
  const found = specAt({ ...roots, dialect: undefined }, specKey(spec));
  const began = state.policy.dialect ?? (found.ok ? found.spec.format.dialect : undefined);
  const { dialect } = spec.format;
  if (began === undefined || began === dialect) return;
  throw new UserError(
    `The unfinished run of ${spec.name} reads its plan as ${began}, not as ${dialect}.`,
    `Continue it with --dialect ${began}, or discard it with "specloop cancel ${commandLine(spec.operand)} --remove-state".`,
  );
}

/** Whether a run is of the kind that is started. */
function isOfKind(state: RunState | undefined, isPlanning: boolean): boolean {
  return (state?.planning !== undefined) === isPlanning;
}

/** A run that was interrupted is taken up by the command that began it: the work of one kind means nothing to the other. */
function requireKind(
  state: RunState | undefined,
  { name, operand, isPlanning }: Pick<SpecPlace['spec'], 'name' | 'operand'> & { readonly isPlanning: boolean },
): void {
  if (state === undefined || !isUnfinished(state) || isOfKind(state, isPlanning)) return;
  throw new UserError(
    isPlanning
      ? `The run of the tasks of ${name} was interrupted, and planning would change what it works on.`
      : `The planning of ${name} was interrupted.`,
    `Continue it with "specloop ${isPlanning ? 'implement' : 'start'} ${commandLine(operand)}", or discard it with "specloop cancel ${commandLine(operand)} --remove-state".`,
  );
}
