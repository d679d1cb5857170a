import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import type { Settings } from '../../config/schema.ts';

const FILE_BYTES_MAX = 1024 * 1024;
const PLACEHOLDER = /no test specified/;
const IN_RESEARCH = /^[ \t>|*-]*\**(?:unit )?tests?(?: command)?\**[ \t]*[:|][ \t]*\**[ \t]*`([^`\n]+)`/im;

/** How the project's tests are run, and where that is said (R-START-7); without a command the gate is off. */
export interface TestCommand {
  readonly command: string;
  readonly from: string;
}

/** The command of the settings; with a baseline wished for, else the one that `research.md` or the project's manifest tells. */
export function findTestCommand(
  { testCommand, baseline }: Settings,
  { root, specDir, specPath }: { readonly root: string; readonly specDir: string; readonly specPath: string },
): TestCommand | undefined {
  if (testCommand !== undefined) return { command: testCommand, from: 'the setting testCommand' };
  if (!baseline) return undefined;
  const inResearch = IN_RESEARCH.exec(readText(join(specDir, 'research.md'), FILE_BYTES_MAX) ?? '')?.[1];
  if (inResearch !== undefined) return { command: inResearch, from: `${specPath}/research.md` };
  return hasTestScript(readText(join(root, 'package.json'), FILE_BYTES_MAX))
    ? { command: 'npm test', from: 'package.json' }
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
