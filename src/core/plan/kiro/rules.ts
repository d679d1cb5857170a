import { KIRO_CONTEXT } from '../../spec-files.ts';
import type { DialectRules } from '../foreign/rules.ts';

/** How Kiro and cc-sdd write `tasks.md`: numbers, parents, stars for optional tasks, boundaries (R-DIA-4). */
export const kiroRules: DialectRules = {
  name: 'kiro',
  documents: KIRO_CONTEXT,
  ids: 'any',
  boxes: 'one-mark',
  tilde: 'open',
  hasGroups: true,
  worksInParents: true,
  looseTasks: 'in-section',
  countsEveryBox: false,
  isOwnDocument: () => false,
  touches: ({ files, filesKnown }, boundary) => (filesKnown ? files : boundary.length > 0 ? boundary : undefined),
  tick: 'only-x',
  fixesLine: 'reference',
  titleNamesFiles: false,
};
