/** The ways to write a task file that specloop knows (R-DIA-3). The first is its own. */
export const DIALECTS = ['ralph-specum', 'spec-kit', 'kiro', 'openspec', 'checklist'] as const;

/** One of them. */
export type Dialect = (typeof DIALECTS)[number];

/** A dialect that another tool, or no tool, owns. */
export type ForeignDialect = Exclude<Dialect, 'ralph-specum'>;

/** What a person says about the dialect: nothing, or its name. */
export type DialectChoice = Dialect | 'auto';
