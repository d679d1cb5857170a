import { leadsOutside } from '../plan/outside-paths.ts';
import { ARTIFACTS, type ArtifactName, type ArtifactText } from './artifact-text.ts';
import { checkDesign } from './check-design.ts';
import { checkRequirements } from './check-requirements.ts';
import { checkResearch, programOf, qualityCommands, researchPaths } from './check-research.ts';
import { checkTasks } from './check-tasks.ts';
import { checkText } from './check-text.ts';
import type { CheckedSpec } from './checked-spec.ts';
import { designFiles } from './design-files.ts';
import { type ArtifactProblem, inProblemOrder } from './problem.ts';
import type { HeadingAliases } from './section-names.ts';

/**
 * Everything that is wrong with a spec, by artifact and place (R-PLAN-5). What the reader of the plan reports is not part of
 * it. The same spec gives the same problems.
 */
export function checkSpec(spec: CheckedSpec): readonly ArtifactProblem[] {
  const found = ARTIFACTS.flatMap((name) => {
    const artifact = spec.artifacts.get(name);
    if (artifact === undefined) return [];
    const general = checkText(artifact, spec.name);
    return artifact.text.trim() === '' ? general : [...general, ...ofArtifact(name, artifact, spec)];
  });
  return inProblemOrder(found);
}

/** What the checks have to know of the surroundings of a spec. */
export interface AskedFacts {
  /** Paths relative to the repository or to the folder where commands run. */
  readonly paths: readonly string[];
  readonly programs: readonly string[];
}

/** The paths and programs that a spec names and that have to be looked for. */
export function factsAsked(artifacts: ReadonlyMap<ArtifactName, ArtifactText>, aliases: HeadingAliases): AskedFacts {
  const research = artifacts.get('research');
  const design = artifacts.get('design');
  const commands = research === undefined ? [] : qualityCommands(research);
  const programs = commands.flatMap(({ command }) => programOf(command) ?? []);
  const paths = [
    ...(research === undefined ? [] : researchPaths(research, aliases)),
    ...(design === undefined ? [] : designFiles(design, aliases)),
  ].map(({ path }) => path);
  const local = programs.filter((program) => program.includes('/'));
  return {
    paths: [...new Set([...paths, ...local])].filter((path) => !leadsOutside(path)),
    programs: [...new Set(programs)].filter((program) => !program.includes('/')),
  };
}

function ofArtifact(name: ArtifactName, artifact: ArtifactText, spec: CheckedSpec): readonly ArtifactProblem[] {
  switch (name) {
    case 'research':
      return checkResearch(artifact, spec);
    case 'requirements':
      return spec.requirements === undefined ? [] : checkRequirements(spec.requirements, spec.aliases);
    case 'design':
      return checkDesign(artifact, spec);
    case 'tasks':
      return spec.plan === undefined ? [] : checkTasks(artifact, spec.plan, spec);
  }
}
