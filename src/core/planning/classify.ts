import type { GoalClass, Workflow } from './goal-class.ts';

/** The class of a goal, and the words in it that say so; none where no word does. */
export interface Classified {
  readonly goalClass: GoalClass;
  readonly because: readonly string[];
}

/** The words of each class, the strongest class first. */
const WORDS: readonly (readonly [GoalClass, RegExp])[] = [
  ['trivial', /\b(typos?|misspell\w*|spelling|wording|reword\w*|whitespace|one-liner|bump)\b/gi],
  [
    'bug-fix',
    /\b(fix(?:e[sd])?|bugs?|crash(?:e[sd]|ing)?|broken|breaks|regressions?|defects?|fails|hangs|leaks?|wrong(?:ly)?)\b/gi,
  ],
  [
    'refactor',
    /\b(refactor\w*|restructur\w*|re-?organi[sz]\w*|clean ?up|simplif\w*|extract|decoupl\w*|de-?duplicat\w*|modulari[sz]\w*)\b/gi,
  ],
  [
    'greenfield',
    /\b(from scratch|greenfield|prototype|new (?:\w+ ){0,2}(?:app|application|project|service|cli|library|package|site|website|game|tool))\b/gi,
  ],
];

/** Classes a goal by its words (R-PLAN-4). Without one that says anything it is mid-sized. */
export function classify(goal: string): Classified {
  for (const [goalClass, words] of WORDS) {
    const found = [...goal.matchAll(words)].map(([word]) => word.toLowerCase());
    if (found.length > 0) return { goalClass, because: [...new Set(found)] };
  }
  return { goalClass: 'mid-sized', because: [] };
}

/** The order of work that suits a class (R-PLAN-4). */
export const WORKFLOW_OF: Readonly<Record<GoalClass, Workflow>> = {
  trivial: 'tdd',
  'bug-fix': 'reproduce-first',
  refactor: 'tdd',
  'mid-sized': 'tdd',
  greenfield: 'poc-first',
};
