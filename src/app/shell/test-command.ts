import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import { RESEARCH_FILE } from '../../core/spec-files.ts';
import type { SpecPlace } from '../place.ts';

const FILE_BYTES_MAX = 1024 * 1024;
const PLACEHOLDER = /no test specified/;
const IN_RESEARCH = /^[ \t>|*-]*\**(?:unit )?tests?(?: command)?\**[ \t]*[:|][ \t]*\**[ \t]*`([^`\n]+)`/im;

/** How the project's tests are run, and where that is said (R-START-7); without a command the gate is off. */
export interface TestCommand {
  readonly command: string;
  readonly from: string;
}

/** The command of the settings; with a baseline wished for, else the one that `research.md` or the manifest in the working folder tells. */
export function findTestCommand({ repository, spec, loaded }: SpecPlace, workdir: string): TestCommand | undefined {
  const { testCommand, baseline } = loaded.settings;
  if (testCommand !== undefined) return { command: testCommand, from: 'the setting testCommand' };
  return baseline ? testsOfProject({ repository, spec, loaded }, workdir) : undefined;
}

/** The same, whatever the settings say of a baseline. */
export function testsOfProject(
  { repository, spec, loaded: { settings } }: Pick<SpecPlace, 'repository' | 'spec' | 'loaded'>,
  workdir: string,
): TestCommand | undefined {
  if (settings.testCommand !== undefined) return { command: settings.testCommand, from: 'the setting testCommand' };
  const research = spec.isSingleFile ? undefined : readText(join(spec.dir, RESEARCH_FILE), FILE_BYTES_MAX);
  const inResearch = IN_RESEARCH.exec(research ?? '')?.[1];
  if (inResearch !== undefined) return { command: inResearch, from: `${spec.path}/${RESEARCH_FILE}` };
  const manifest = join(workdir, 'package.json');
  return hasTestScript(readText(join(repository.root, manifest), FILE_BYTES_MAX))
    ? { command: 'npm test', from: manifest }
    : undefined;
}

function hasTestScript(manifest: string | undefined): boolean {
  try {
    const { scripts } = JSON.parse(manifest ?? '{}') as { readonly scripts?: { readonly test?: unknown } };
    return typeof scripts?.test === 'string' && !PLACEHOLDER.test(scripts.test);
  } catch {
    // A manifest that is no JSON tells no command.
    return false;
  }
}
