import type { Drafted } from '../plan/data/step.ts';

/** What a reviewer judges each document by: what code cannot check, each point as a question that "no" fails (R-PLAN-2). */
export const DRAFT_RUBRICS: Readonly<Record<Drafted, readonly string[]>> = {
  research: [
    '- Grounded: does each statement about the code hold when you open the file that it names?',
    '- Complete: is nothing left out that would change how the goal is met?',
    '- Honest: is what was guessed, or is still open, said as such? Should the goal be met at all as it is put?',
    '- Useful: do the recommendations follow from what was found, and say what to do?',
  ],
  requirements: [
    '- Wanted: does each requirement serve the goal or a decision of a person, and is nothing of them missing?',
    '- Testable: can each criterion be shown to hold or not, by someone who did not write it?',
    '- Whole: is said what happens when things go wrong, at the edges, and for those who may not?',
    '- Smallest: could a requirement go, or become one of lower priority, with the goal still met?',
    '- Without solutions: is what is wanted said, and not how it is built?',
  ],
  design: [
    '- Grounded: does it fit the code that is there, its patterns and its names, when you look?',
    '- Feasible: can each part be built as it is described, with what is at hand?',
    '- Sufficient: would the requirements hold once it is built? Which would not?',
    '- Smallest: is there a part, a layer or a choice that nothing asks for?',
    '- Decided: is each decision that is hard to take back named with what speaks against it?',
  ],
  tasks: [
    '- Vertical: does each task end in something that works and can be shown?',
    '- Proven: would the Verify command fail before the task, pass after it, and not pass by itself?',
    '- In order: can each task be done with what is there once those before it are done?',
    '- Sufficient: does the design exist, and do the criteria hold, once all tasks are done?',
    '- Smallest: is there a task that nothing asks for, or two that are one?',
  ],
};
