import { headingKey } from './outline.ts';

/** A section that an artifact is expected to have. */
interface ExpectedSection {
  /** What it holds, for a message. */
  readonly what: string;
  /** Headings that say it; the first is proposed. A heading that begins with one says it too. */
  readonly titles: readonly string[];
}

/** The sections that are looked for, by their key in the setting `headings` (R-PLAN-5). */
export const SECTIONS = {
  'research.summary': { what: 'a summary', titles: ['Executive Summary', 'Summary', 'Overview', 'TL;DR'] },
  'research.code': {
    what: 'an analysis of the code',
    titles: [
      'Codebase Analysis',
      'Code Analysis',
      'Codebase',
      'Existing Code',
      'Existing Patterns',
      'Current State',
      'Internal Research',
    ],
  },
  'research.recommendations': {
    what: 'recommendations',
    titles: ['Recommendations', 'Recommendation', 'Recommended Approach', 'Conclusion'],
  },
  'research.questions': {
    what: 'open questions',
    titles: ['Open Questions', 'Questions', 'Unresolved Questions', 'Unknowns'],
  },
  'requirements.goal': {
    what: 'the goal',
    titles: ['Goal', 'Goals', 'Objective', 'Purpose', 'Overview', 'Introduction', 'Summary'],
  },
  'requirements.outOfScope': {
    what: 'what is out of scope',
    titles: ['Out of Scope', 'Non-Goals', 'Not in Scope', 'Exclusions', 'Explicitly Excluded'],
  },
  'design.overview': {
    what: 'an overview',
    titles: ['Overview', 'Summary', 'Approach', 'Introduction', 'Technical Approach'],
  },
  'design.components': {
    what: 'the components',
    titles: ['Components', 'Component', 'Architecture', 'Modules', 'Detailed Design'],
  },
  'design.files': {
    what: 'the files to change',
    titles: [
      'File Structure',
      'Files',
      'File Changes',
      'File Change',
      'Files to',
      'File Map',
      'Changed Files',
      'Affected Files',
      'File List',
    ],
  },
  'design.decisions': {
    what: 'the decisions',
    titles: [
      'Technical Decisions',
      'Decisions',
      'Decision',
      'Design Decisions',
      'Key Decisions',
      'Architecture Decisions',
      'Trade-offs',
    ],
  },
  'design.tests': {
    what: 'how it is tested',
    titles: ['Test Strategy', 'Testing Strategy', 'Tests', 'Test', 'Testing', 'Verification'],
  },
} as const satisfies Readonly<Record<string, ExpectedSection>>;

export type SectionKey = keyof typeof SECTIONS;

/** The keys that the setting `headings` takes. */
export const SECTION_KEYS = Object.keys(SECTIONS) as readonly SectionKey[];

/** Other headings for the sections, from the settings. */
export type HeadingAliases = Readonly<Partial<Record<string, readonly string[]>>>;

/** Whether a heading, in its compared form, says that its section is this one. */
export function saysSection(heading: string, key: SectionKey, aliases: HeadingAliases): boolean {
  return [...SECTIONS[key].titles, ...(aliases[key] ?? [])]
    .map(headingKey)
    .some((title) => title !== '' && (heading === title || heading.startsWith(`${title} `)));
}
