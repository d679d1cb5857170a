import type { DraftStep, Topic } from '../plan/data/step.ts';
import { researchPart } from '../spec-files.ts';
import type { DraftProblem } from './draft-problem.ts';
import type { GoalClass } from './goal-class.ts';

/** Attempts at one topic: the document is made without it after them. */
export const TOPIC_ATTEMPTS_MAX = 2;

/** What of a goal decides which topics are looked into. */
export interface TopicsAsked {
  readonly goalClass: GoalClass;
  /** Agents that research at the same time at most. */
  readonly max: number;
  /** Code found neither how the project is built nor what its CI runs. */
  readonly isToolingUnknown: boolean;
}

/** The topics that research is divided into; none where one agent does all of it (R-PLAN-2). */
export function topicsFor({ goalClass, max, isToolingUnknown }: TopicsAsked): readonly Topic[] {
  if (goalClass !== 'mid-sized' && goalClass !== 'greenfield') return [];
  const wanted: readonly Topic[] = ['code', 'outside', ...(isToolingUnknown ? (['tooling'] as const) : [])];
  const chosen = wanted.slice(0, max);
  return chosen.length < 2 ? [] : chosen;
}

/** The step that looks into one topic of research. */
export function topicStep(topic: Topic): DraftStep {
  return { artifact: 'research', topic, file: researchPart(topic), role: 'researcher', gate: false };
}

/** A document that is merged from parts, and the topics whose parts are there. */
export interface MergedDraft {
  /** Path of the file, relative to the repository. */
  readonly file: string;
  readonly text: string;
  readonly parts: readonly Topic[];
  readonly there: readonly Topic[];
}

/** A merge names each part that there is; what it says nothing of, and a part that is missing, is shown where a person decides (R-PLAN-2). */
export function checkMerge({ file, text, parts, there }: MergedDraft): readonly DraftProblem[] {
  return parts.flatMap((topic): readonly DraftProblem[] => {
    const at = { file, line: 1 } as const;
    if (!there.includes(topic))
      return [
        {
          ...at,
          severity: 'warning',
          code: 'part-missing',
          message: `The topic "${topic}" was not researched: its agent failed.`,
          hint: 'Approve the document without it, or make it again.',
        },
      ];
    if (isNamed(topic, text)) return [];
    return [
      {
        ...at,
        severity: 'finding',
        code: 'part-not-named',
        message: `The part "${topic}" is not named.`,
        hint: `Add a line "- ${topic}: …" below "## Topics" with what the part found.`,
      },
    ];
  });
}

/** Whether a list item, a heading or a row begins with the topic, or the file of its part is named. */
function isNamed(topic: Topic, text: string): boolean {
  if (text.includes(researchPart(topic))) return true;
  return new RegExp(`^[ \\t]*(?:[-*+|]|#+)[ \\t]*[*_\`]*${topic}\\b`, 'im').test(text);
}
