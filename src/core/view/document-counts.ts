import { readArtifact } from '../artifact/artifact-text.ts';
import { designFiles } from '../artifact/design-files.ts';
import { readRequirements } from '../artifact/requirements.ts';
import type { HeadingAliases } from '../artifact/section-names.ts';
import type { Drafted } from '../plan/data/step.ts';
import { parsePlan } from '../plan/read/parse.ts';
import { FILE_OF } from '../planning/steps.ts';
import { counted } from '../text/words.ts';

const KINDS = [
  ['US-', 'story', 'stories'],
  ['AC-', 'criterion', 'criteria'],
  ['FR-', 'functional requirement', 'functional requirements'],
  ['NFR-', 'other requirement', 'other requirements'],
] as const;

/** What is in a document, in numbers: `2 stories, 5 criteria` (R-GATE-1). */
export function documentCounts(artifact: Drafted, text: string, aliases: HeadingAliases): string {
  const read = readArtifact(artifact, FILE_OF[artifact], text);
  const lines = counted(text.trimEnd().split('\n').length, 'line');
  switch (artifact) {
    case 'requirements': {
      const ids = [...readRequirements(read).defined.keys()];
      return [...KINDS.flatMap(([prefix, one, many]) => countOf(ids, { prefix, one, many })), lines].join(', ');
    }
    case 'design':
      return [counted(designFiles(read, aliases).length, 'file'), lines].join(', ');
    case 'tasks': {
      const { tasks } = parsePlan(text);
      const proven = tasks.filter(({ verifyCommand }) => verifyCommand !== null).length;
      return [counted(tasks.length, 'task'), `${proven} with a Verify command`, lines].join(', ');
    }
    default:
      return lines;
  }
}

function countOf(
  ids: readonly string[],
  { prefix, one, many }: { readonly prefix: string; readonly one: string; readonly many: string },
): readonly string[] {
  const count = ids.filter((id) => id.startsWith(prefix)).length;
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
