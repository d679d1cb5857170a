import { NO_CONTEXT } from '../../spec-files.ts';
import type { DialectRules } from '../foreign/rules.ts';

/** A list of boxes in any Markdown file, as GitHub shows them: each outer box is a task (R-DIA-4). */
export const checklistRules: DialectRules = {
  name: 'checklist',
  documents: NO_CONTEXT,
  ids: 'majority',
  boxes: 'one-mark',
  tilde: 'blocked',
  hasGroups: false,
  worksInParents: false,
  looseTasks: 'anywhere',
  countsEveryBox: false,
  isOwnDocument: () => false,
  touches: ({ files, filesKnown }) => (filesKnown ? files : undefined),
  tick: 'x',
  fixesLine: 'field',
  titleNamesFiles: false,
};
