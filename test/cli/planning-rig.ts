import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Workshop, workshop } from './rig.ts';

const REQUIREMENTS = `# Requirements

## Goal
Log in.

## User Stories

### US-1: Log in
As a user, I want to log in, so that I can work.

**Acceptance Criteria**
- [ ] AC-1.1: A wrong password is rejected with 401.

## Functional Requirements

| ID | Requirement | Priority | Acceptance Criteria |
|---|---|---|---|
| FR-1 | Check the password | Must | AC-1.1 |

## Non-Functional Requirements

None.

## Out of Scope
OAuth.
`;

const TASKS = `# Tasks

## Phase 1: Login

- [ ] 1.1 Add the login
  - **Do**:
    1. Write the file
  - **Files**: \`src/login.txt\`
  - **Done when**: it is there
  - **Verify**: \`test -f src/login.txt\`
  - **Commit**: \`feat: add the login\`
  - _Requirements: FR-1, AC-1.1_
`;

/** Documents that no check finds fault with. */
export const DRAFTS = {
  research:
    '# Research\n\n## Executive Summary\nFeasible.\n\n## Codebase Analysis\nThe file `README.md` is there.\n\n## Recommendations\nDo it.\n\n## Open Questions\nNone.\n\n## Scope\n- **Target**: the login\n- **Actions**: add it\n- **Bounds**: `src/`\n- **Deliverable**: a file\n- **Complete when**: the check passes\n- **Escalate when**: another file has to change\n\n## Topics\n- code: there is a README.\n- outside: nothing is known.\n',
  requirements: REQUIREMENTS,
  design:
    '# Design\n\n## Overview\nSimple.\n\n## Components\nThe login checks FR-1.\n\n## File Structure\n\n| File | Action | Purpose |\n|---|---|---|\n| `src/login.txt` | Create | The login |\n\n## Technical Decisions\n\n| Decision | Options | Choice | Why |\n|---|---|---|---|\n| Store | file | file | small |\n\n## Test Strategy\nRun the check.\n',
  tasks: TASKS,
} as const;

/** Questions as the author of a document asks them: the fields that are given, and what else has to be there. */
export function asking(...questions: readonly ({ readonly id: string } & Readonly<Record<string, unknown>>)[]): string {
  const all = questions.map(({ id, ...more }) => ({
    id,
    ask: `What of ${id}?`,
    why: 'The document depends on it.',
    changes: 'scope',
    kind: 'decision',
    ...more,
  }));
  return `QUESTIONS\n${JSON.stringify(all)}`;
}

/**
 * An agent that drafts these documents and does their task. `deeds.json` next to it names what it does otherwise at its first
 * answers, by document, questions as they are asked included; what it was told is kept in `prompts.txt`.
 */
export const PLANNER = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const DRAFTS = ${JSON.stringify(DRAFTS)};
const FILES = { research: 'research.md', requirements: 'requirements.md', design: 'design.md', tasks: 'tasks.md' };
const at = (name) => new URL(name, import.meta.url);
const { SPECLOOP_ROLE: role, SPECLOOP_TASK_ID: id, SPECLOOP_SPEC_DIR: dir, SPECLOOP_WORKSPACE: workspace } = process.env;
appendFileSync(at('prompts.txt'), readFileSync(0, 'utf8') + '=====\\n');
const write = (path, text) => {
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  writeFileSync(path, text);
};
if (role === 'reviewer') {
  if (existsSync(at('meddles'))) write(dir + '/' + FILES[id], 'Mine.\\n');
  console.log('Fine.\\n\\nREVIEW_PASS');
}
else if (role === 'executor') {
  write(workspace + '/src/login.txt', 'login\\n');
  console.log('Left undone: none\\n\\nTASK_COMPLETE');
} else {
  const deeds = existsSync(at('deeds.json')) ? JSON.parse(readFileSync(at('deeds.json'), 'utf8')) : {};
  const deed = deeds[id]?.shift();
  writeFileSync(at('deeds.json'), JSON.stringify(deeds));
  if (id.startsWith('research:')) {
    if (deed === 'fails') process.exit(1);
    if (deed !== 'nothing') write(dir + '/.research-' + id.slice('research:'.length) + '.md', 'Found by ' + id + '.\\n');
    if (deed === 'stray') write(workspace + '/src/x.ts', 'code\\n');
    console.log('Done.\\n\\nDRAFT_COMPLETE');
    process.exit(0);
  }
  const path = dir + '/' + FILES[id];
  const story = '\\n### US-2: Second\\nAs a user, I want x, so that y.\\n';
  const isTicked = existsSync(at('ticked'));
  if (id === 'tasks' && deed === 'unticks') writeFileSync(at('ticked'), '');
  const text = isTicked ? DRAFTS[id].replace('- [ ] 1.1', '- [x] 1.1') : DRAFTS[id];
  if (deed === 'dangling') write(path, text.replace('| AC-1.1 |', '| AC-9.9 |') + story);
  else if (deed === 'error') write(path, text.replace('| AC-1.1 |', '| AC-9.9 |'));
  else if (deed === 'unfound') write(path, text.replace('test -f src/login.txt', 'no-such-program src'));
  else if (deed === 'passing') write(path, text.replace('test -f src/login.txt', 'test -d .'));
  else if (deed === 'finding') write(path, text + story);
  else if (deed === 'against') write(path, text + '\\n## Verdict\\nDo not build this: it is there.\\n');
  else if (deed === 'astray') write(path, text.replace('FR-1', 'FR-9'));
  else if (deed === 'folder') mkdirSync(path);
  else if (deed === 'nul') write(path, text + '\\0');
  else if (deed !== 'nothing') write(path, text);
  if (deed === 'hangs') {
    writeFileSync(at('hanging'), '');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  if (deed === 'asks') {
    console.log('I have to know.\\n\\nNEEDS_INPUT\\nWhich database?');
    process.exit(0);
  }
  if (deed?.startsWith('QUESTIONS')) {
    console.log('I have to know.\\n\\n' + deed);
    process.exit(0);
  }
  if (deed === 'stray') write(workspace + '/src/x.ts', 'code\\n');
  console.log('Done.\\n\\nDRAFT_COMPLETE');
}
`;

/** A repository without a spec, with the planner next to it. */
export function unplannedWorkshop(): Workshop {
  const shop = workshop();
  rmSync(join(shop.dir, 'specs'), { recursive: true });
  shop.write('../agent.mjs', PLANNER);
  shop.write('README.md', 'hello\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'no spec yet');
  return shop;
}
