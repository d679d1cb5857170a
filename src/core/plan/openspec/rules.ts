import { OPENSPEC_CONTEXT } from '../../spec-files.ts';
import type { DialectRules } from '../foreign/rules.ts';

/** How OpenSpec writes `tasks.md`: numbered sections with numbered boxes, each of which it counts (R-DIA-4). */
export const openSpecRules: DialectRules = {
  name: 'openspec',
  documents: OPENSPEC_CONTEXT,
  ids: 'any',
  boxes: 'any-mark',
  tilde: 'blocked',
  hasGroups: true,
  worksInParents: false,
  looseTasks: 'anywhere',
  countsEveryBox: true,
  isOwnDocument: () => false,
  touches: ({ files, filesKnown }) => (filesKnown ? files : undefined),
  tick: 'x',
  fixesLine: 'field',
  titleNamesFiles: false,
};
