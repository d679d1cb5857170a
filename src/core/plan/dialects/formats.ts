import { checklistRules } from '../checklist/rules.ts';
import type { Dialect, ForeignDialect } from '../data/dialect.ts';
import { foreignFormat } from '../foreign/format.ts';
import type { DialectRules } from '../foreign/rules.ts';
import type { PlanFormat } from '../format.ts';
import { kiroRules } from '../kiro/rules.ts';
import { openSpecRules } from '../openspec/rules.ts';
import { specKitRules } from '../spec-kit/rules.ts';
import { taskMarkdown } from '../task-markdown.ts';

/** The rules of each dialect that is not specloop's own. A new dialect is a line here. */
const FOREIGN: { readonly [name in ForeignDialect]: DialectRules } = {
  'spec-kit': specKitRules,
  kiro: kiroRules,
  openspec: openSpecRules,
  checklist: checklistRules,
};

/** The format of a dialect, in the file of this name or where its tool puts it (R-DIA-3). */
export function formatOf(dialect: Dialect, file?: string): PlanFormat {
  if (dialect === 'ralph-specum') return file === undefined ? taskMarkdown : { ...taskMarkdown, file };
  return foreignFormat(FOREIGN[dialect], file);
}
