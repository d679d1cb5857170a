/** What the agent of the demo writes while it plans, document by document and attempt by attempt, and how it does the tasks. */

export const goal = 'Add a command that greets loudly';

const RESEARCH = `# Research

## Executive Summary
One small file is missing; nothing else changes.

## Codebase Analysis
The project is described in \`package.json\`, and has no code yet.

## Recommendations
A file of its own, without a dependency.

## Open Questions
None.

## Scope
- **Target**: the greeting
- **Actions**: add a program
- **Bounds**: \`loud.js\`
- **Deliverable**: a program that greets loudly
- **Complete when**: the checks of the plan pass
- **Escalate when**: another file has to change

## Topics
- code: there is nothing to build on.
- outside: the language has what is needed.
`;

const REQUIREMENTS = `# Requirements

## Goal
A greeting that is heard across the room.

## User Stories

### US-1: Greet loudly
As a caller, I want a loud greeting, so that everyone hears it.

**Acceptance Criteria**
- [ ] AC-1.1: The greeting is in capital letters.
- [ ] AC-1.2: A missing name exits with 2.

## Functional Requirements

| ID | Requirement | Priority | Acceptance Criteria |
|---|---|---|---|
| FR-1 | Greet in capital letters | Must | AC-1.1 |
| FR-2 | Refuse a call without a name | Must | AC-1.2 |

## Non-Functional Requirements

None.

## Out of Scope
Other languages.
`;

/** Names a criterion that is nowhere defined: the checks send it back with the line. */
const DANGLING = REQUIREMENTS.replace('| Must | AC-1.2 |', '| Must | AC-2.7 |');

const DESIGN = `# Design

## Overview
A program of a few lines.

## Components
The program \`loud.js\` prints the greeting (FR-1) and refuses a call without a name (FR-2).

## File Structure

| File | Action | Purpose |
|---|---|---|
| \`loud.js\` | Create | The program |

## Technical Decisions

| Decision | Options | Choice | Why |
|---|---|---|---|
| Arguments | library, by hand | by hand | There is one. |

## Test Strategy
Each criterion has a command that shows it.
`;

const TASKS = `# Tasks

## Phase 1: The greeting

- [ ] 1.1 Greet in capital letters
  - **Do**: Print the name in capital letters
  - **Files**: \`loud.js\`
  - **Done when**: The greeting is loud
  - **Verify**: \`node loud.js Ada | grep -qx 'HELLO, ADA!'\`
  - **Commit**: \`feat: greet loudly\`
  - _Requirements: FR-1, AC-1.1_

- [ ] 1.2 Refuse a call without a name
  - **Do**: Exit with 2 when the name is missing
  - **Files**: \`loud.js\`
  - **Done when**: A missing name is refused
  - **Verify**: \`node loud.js; test $? -eq 2\`
  - **Commit**: \`feat: refuse a missing name\`
  - _Requirements: FR-2, AC-1.2_
`;

const LOUD = `const [name] = process.argv.slice(2);
console.log(\`HELLO, \${name.toUpperCase()}!\`);
`;
const REFUSES = LOUD.replace('console', 'if (name === undefined) process.exit(2);\nconsole');

const drafted = (file, text) => [
  { write: { [`specs/loud/${file}`]: text } },
  { print: `${file} is written.\n\nDRAFT_COMPLETE\n` },
];
const done = (text) => [{ write: { 'loud.js': text } }, { print: 'It works.\n\nTASK_COMPLETE\n' }];

export const planningScript = {
  'research:code': [drafted('.research-code.md', '# This code\n\n`hello.js` prints its greeting itself.\n')],
  'research:outside': [drafted('.research-outside.md', '# Elsewhere\n\ntoUpperCase knows all alphabets.\n')],
  research: [drafted('research.md', RESEARCH)],
  requirements: [drafted('requirements.md', DANGLING), drafted('requirements.md', REQUIREMENTS)],
  design: [drafted('design.md', DESIGN)],
  tasks: [drafted('tasks.md', TASKS)],
  1.1: [done(LOUD)],
  1.2: [done(REFUSES)],
};
