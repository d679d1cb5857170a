import { SPEC_KIT_CONTEXT, SPEC_KIT_DOCUMENTS } from '../../spec-files.ts';
import type { DialectRules } from '../foreign/rules.ts';

const OF_CONTRACTS = /^(?:.*\/)?(?:contracts|checklists)\/.*\.(?:md|ya?ml|json)$/i;

/** How GitHub spec-kit writes `tasks.md`: ids `T001`, phases, story labels, the path in the sentence (R-DIA-4). */
export const specKitRules: DialectRules = {
  name: 'spec-kit',
  documents: SPEC_KIT_CONTEXT,
  ids: 'T-number',
  boxes: 'one-mark',
  tilde: 'blocked',
  hasGroups: true,
  worksInParents: false,
  looseTasks: 'in-section-or-phase',
  countsEveryBox: false,
  isOwnDocument: (path) => SPEC_KIT_DOCUMENTS.includes(path) || OF_CONTRACTS.test(path),
  touches: ({ files, filesKnown }) => (filesKnown || files.length > 0 ? files : undefined),
  tick: 'X',
  fixesLine: 'field',
  titleNamesFiles: true,
};
