import type { Drafted, Topic } from '../plan/data/step.ts';

/** The form of each document: its sections, the ids in it, and the columns of its tables. The checks look for the same (R-PLAN-5). */
export const DRAFT_FORMS: Readonly<Record<Drafted, readonly string[]>> = {
  research: [
    '- `## Executive Summary`: what was found, and whether the goal can be met, in a few sentences.',
    '- `## Codebase Analysis`: what is there already that matters, each file by its path.',
    '- `## Recommendations`: what to do, in order of weight.',
    '- `## Open Questions`: what is still to be decided, or "None".',
    '- `## Quality Commands`: a table `| Type | Command | Source |` with the commands that lint, check types, test and build. Copy them from',
    '  the facts: those that begin with "Measured" were run once, and say what came of it. Write "Not found" for what is not there. Do not guess.',
    '- `## Scope`: a list with these items, each in one line: `- **Target**:` what is changed, `- **Actions**:` what is done to it,',
    '  `- **Bounds**:` the files and folders that may change, each in a code span, with the tests, settings and documents that go with them,',
    '  `- **Deliverable**:` what is there in the end, `- **Complete when**:` how that is seen, `- **Escalate when**:` what a person is asked',
    '  about first. Later documents and tasks are checked against it. A scope that was decided before stays as it is: leave this section out.',
    '- `## Sources`: a list, each with its address or path.',
    '- If the goal should not be met as it is put, because it is there already, harms, or cannot work: write `## Verdict` with the line',
    '  "Do not build this", and why.',
  ],
  requirements: [
    '- `## Goal`: one paragraph.',
    '- `## User Stories`: each as `### US-1: Title`, then "As a …, I want …, so that …", then **Acceptance Criteria** as list items',
    '  `- [ ] AC-1.1: …`. A story has at least one criterion, a criterion can be tested, and some say what happens when things go wrong.',
    '- `## Functional Requirements`: a table `| ID | Requirement | Priority | Acceptance Criteria |` with rows FR-1, FR-2, …. The priority',
    '  is Must, Should or Could; the last column names the criteria that prove it, as AC-1.1.',
    '- `## Non-Functional Requirements`: a table `| ID | Requirement | Metric | Target |` with rows NFR-1, …, or "None".',
    '- `## Out of Scope`: what will not be done.',
    '- Ids are never used twice, and each id that is named is defined.',
  ],
  design: [
    '- `## Overview`: the approach in a few sentences.',
    '- `## Components`: what each part does, which requirements it meets (name their ids, as FR-1), and its interface.',
    '- `## File Structure`: a table `| File | Action | Purpose |`. The action is Create or Modify; a file to modify exists, one to create does not.',
    '- `## Technical Decisions`: a table `| Decision | Options | Choice | Why |`.',
    '- `## Test Strategy`: what is tested how, with which command.',
    '- Every requirement of priority Must or High is named.',
  ],
  tasks: [
    '- Phases as `## Phase 1: Title`; in each, tasks as `- [ ] 1.1 Title` with these fields as indented list items:',
    '  `- **Do**:` with at most 4 numbered steps, `- **Files**:` with at most 3 paths, `- **Done when**:` what can be seen then,',
    '  `- **Verify**:` one command in a code span that fails before the task and passes after it, `- **Commit**:` the message in a code span,',
    '  and `- _Requirements: FR-1, AC-1.1_` with what it is for.',
    '- After at most 3 tasks comes a check: `- [ ] 1.4 [VERIFY] Title` whose Verify runs the quality commands.',
    '- `[P]` after the id marks a task that may run at the same time as its neighbours, as it shares no file with them.',
    '- Every requirement and criterion is named by a task, and every file of the design is in the Files of one.',
    '- No box is ticked. No step asks a person to do or look at something.',
  ],
};

/** The form of what is found out about one topic of research: others merge it with the parts of other topics. */
export const TOPIC_FORMS: Readonly<Record<Topic, readonly string[]>> = {
  code: [
    '- Only this repository: what is there already that matters for the goal, each file by its path; patterns to follow; what would',
    '  have to change; what could break.',
    '- `## Findings`: in order of weight. `## Constraints`. `## Open Questions`: what this code does not answer, or "None".',
    '- What others know is looked into by another agent: leave it out.',
  ],
  outside: [
    '- Only what is known outside of this repository: documentation of the libraries that are in use, standards, known',
    '  pitfalls, ways that others took, each with its address. Where you cannot reach the network, say so, and name what you know from elsewhere as such.',
    '- `## Findings`: in order of weight. `## Sources`. `## Open Questions`, or "None".',
    '- The code is looked into by another agent: leave it out.',
  ],
  tooling: [
    '- Only how this project is built, run and checked: commands that lint, check types, test, build and start it, each with where you',
    '  found it. Write "Not found" for what is not there. Do not guess.',
    '- `## Quality Commands`: a table `| Type | Command | Source |`. `## Open Questions`, or "None".',
  ],
};
