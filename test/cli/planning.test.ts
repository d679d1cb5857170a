import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DRAFTS, PLANNER, unplannedWorkshop } from './planning-rig.ts';
import { PROGRAM, type Workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = unplannedWorkshop();
});
afterEach(() => shop.remove());

const agent = () => ['--agent-command', JSON.stringify(['node', join(shop.dir, '../agent.mjs')])];
const draft = (...command: readonly string[]) => shop.run(...command, ...agent());
/** What the agent does other than what is right, by the document. */
const script = (deeds: Readonly<Record<string, readonly string[]>>) =>
  shop.write('../deeds.json', JSON.stringify(deeds));
const prompts = () => readFileSync(join(shop.dir, '../prompts.txt'), 'utf8').split('=====\n');
const subjects = () => shop.git('log', '--format=%s', 'main..').trim().split('\n').toReversed();
const read = (file: string) => readFileSync(join(shop.dir, 'specs/login', file), 'utf8');

test('new drafts the first document, commits it and waits for a person with exit code 3 (R-GATE-1, R-PLAN-1)', () => {
  const { code, stdout, stderr } = draft('new', 'login', 'Add login');
  expect([code, stdout]).toEqual([3, '']);
  expect(subjects().slice(1)).toEqual(['docs(spec): add the spec login', 'spec(login): add research findings']);
  for (const command of ['approve login', 'reject login --feedback', 'requirements login'])
    expect(stderr).toContain(`specloop ${command}`);
  expect(JSON.parse(read('.ralph-state.json'))).toMatchObject({ phase: 'research', awaitingApproval: true });
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(prompts()[0]).toContain('> Add login');
});

test('the scope is drafted with research, shown at its gate, and holds for later documents; one that a person wrote stays (R-SCOPE-1)', () => {
  const { stderr } = draft('new', 'login', 'Add login');
  expect(stderr).toMatch(/Scope, approved with the research:\n {2}- Target: the login\n[\s\S]*Bounds: `src\/`/);
  expect(shop.git('show', 'HEAD:specs/login/.progress.md')).toMatch(/## Scope\n- \*\*Target\*\*: the login\n/);
  writeFileSync(join(shop.dir, 'specs/login/research.md'), read('research.md').replace('`src/`', '`src/ui/`'));
  draft('requirements', 'login');
  expect(read('.progress.md')).toContain('- **Bounds**: `src/ui/`\n');
  expect(prompts().at(-2)).toMatch(/## The scope[\s\S]*> - \*\*Bounds\*\*: `src\/ui\/`/);
  writeFileSync(join(shop.dir, 'specs/login/.progress.md'), read('.progress.md').replace('`src/ui/`', '`lib/`'));
  const again = draft('reject', 'login', 'research', '--feedback', 'Less.');
  expect(again.stderr).toMatch(/Scope, kept as a person wrote it[\s\S]*Bounds: `lib\/`/);
  expect(read('.progress.md')).toContain('- **Bounds**: `lib/`\n');
  expect(draft('design', 'login', '--as-is').stderr).toContain('src/login.txt is outside of the scope of the spec');
});

test('the next document approves the one before and says so; status knows phase, gate, hash and next (R-GATE-3, R-GATE-7)', () => {
  draft('new', 'login', 'Add login');
  const { code, stderr } = draft('requirements', 'login');
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^Approved research\.md \(content [0-9a-f]{12}\)\.$/m)]);
  const status = JSON.parse(shop.run('status', 'login', '--json').stdout);
  expect(status).toMatchObject({
    phase: 'requirements',
    gate: 'requirements',
    next: 'specloop approve login requirements',
    documents: [
      { name: 'research', state: 'approved' },
      { name: 'requirements', state: 'draft' },
    ],
  });
  expect(status.documents[1].sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('what the checks find goes into the next prompt with its line, and the gate opens once it is gone (R-PLAN-2, R-PLAN-5)', () => {
  draft('new', 'login', 'Add login');
  script({ requirements: ['dangling'] });
  expect(draft('requirements', 'login').code).toBe(3);
  const [, first, second] = prompts();
  expect(first).not.toContain('AC-9.9');
  expect(second).toMatch(/requirements\.md:\d+: error: AC-9\.9 is not defined/);
  expect(second).toMatch(/requirements\.md:\d+: finding: US-2 has no acceptance criterion/);
  expect(read('requirements.md')).toBe(DRAFTS.requirements);
});

test('findings that are left after three rounds are shown at the gate; an error that is left is no gate (R-PLAN-2)', () => {
  draft('new', 'login', 'Add login');
  script({ requirements: ['finding', 'finding', 'finding'] });
  const found = draft('requirements', 'login');
  expect(found).toMatchObject({ code: 3, stderr: expect.stringContaining('The checks left 1 finding:') });
  expect(found.stderr).toContain('2 of 2 documents done, 3 attempts');
  script({ requirements: ['error', 'error', 'error', 'error', 'error', 'error'] });
  const stuck = draft('reject', 'login', '--feedback', 'Name the codes.');
  expect(stuck).toMatchObject({ code: 1, stderr: expect.stringContaining('Max retries reached for requirements.md') });
  // The document that was there is there again.
  expect(stuck.stderr).toContain('specs/login/requirements.md is as it was before.');
  expect([read('requirements.md').includes('AC-9.9'), shop.git('status', '--porcelain')]).toEqual([false, '']);
  shop.run('approve', 'login');
  script({ design: ['nothing', 'nothing', 'nothing'] });
  expect(draft('design', 'login').stderr).toContain('To continue, run `specloop design login`.');
  script({ design: ['astray', 'astray', 'astray', 'astray', 'astray'] });
  expect(draft('design', 'login').code).toBe(1);
  expect(draft('start', 'login')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Next for login: design.md, which the last run gave up.'),
  });
});

test('an author that changes anything else fails, and that is put back and kept under a ref (R-PLAN-2)', () => {
  draft('new', 'login', 'Add login');
  script({ requirements: ['stray'] });
  expect(draft('requirements', 'login').code).toBe(3);
  expect(existsSync(join(shop.dir, 'src/x.ts'))).toBe(false);
  expect(prompts().at(-2)).toContain('It also changed src/x.ts');
  const ref = shop.git('for-each-ref', '--format=%(refname)', 'refs/specloop/kept').trim();
  expect(shop.git('show', `${ref}:src/x.ts`)).toBe('code\n');
  expect(shop.git('show', '--name-only', '--format=', 'HEAD').trim()).toBe('specs/login/requirements.md');
});

test('reject gives the words of a person to the author, and takes approvals back (R-GATE-3)', () => {
  draft('new', 'login', 'Add login');
  draft('requirements', 'login');
  draft('design', 'login');
  shop.run('approve', 'login');
  expect(read('.progress.md')).toMatch(
    /^- design [0-9a-f]{12} by Test at .* \(from research [0-9a-f]{12}, requirements/m,
  );
  expect(draft('reject', 'login', 'requirements', '--feedback', 'no OAuth').code).toBe(3);
  expect(prompts().at(-2)).toContain('> no OAuth');
  expect(read('.progress.md')).not.toMatch(/^- (requirements|design) /m);
  const { documents, next } = JSON.parse(shop.run('status', 'login', '--json').stdout);
  expect(documents).toMatchObject([{ state: 'approved' }, { state: 'draft' }, {}]);
  expect(next).toBe('specloop approve login');
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('what is rejected where no agent is set waits for the command that drafts it, with the words of the person (R-GATE-3)', () => {
  draft('new', 'login', 'Fix a typo');
  const rejected = shop.run('reject', 'login', '--feedback', 'Smaller.\nNo new file.');
  expect(rejected).toMatchObject({ code: 0, stderr: expect.stringContaining('specloop tasks --generate login') });
  const { documents, next } = JSON.parse(shop.run('status', 'login', '--json').stdout);
  expect(documents).toMatchObject([{ state: 'rejected', why: 'tasks.md was rejected by Test: Smaller. No new file.' }]);
  expect(next).toBe('specloop tasks --generate login');
  expect(draft('implement', 'login')).toMatchObject({ code: 3, stderr: expect.stringContaining('rejected by Test') });
  const again = draft('start', 'login');
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('tasks.md was rejected by Test') });
  expect(prompts().at(-2)).toContain('> Smaller.\n> No new file.');
  expect(shop.run('status', 'login').stdout).not.toContain('rejected');
  expect(shop.run('approve', 'login').code).toBe(0);
});

/** A spec that is planned to its end, with its plan approved. */
function planned(): void {
  draft('new', 'login', 'Add login');
  draft('requirements', 'login');
  draft('design', 'login');
  draft('tasks', 'login', '--generate');
  shop.run('approve', 'login');
}

test('implement approves the plan that waits for it, and says so (R-START-3)', () => {
  draft('new', 'login', 'Fix a typo');
  const { code, stderr } = draft('implement', 'login');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Approved tasks\.md \(content [0-9a-f]{12}\)\.$/m)]);
});

test('an edit after approval is stale downstream with the changed ids, and needs --as-is or is reported (R-GATE-2, R-GATE-5, R-GATE-6)', () => {
  planned();
  writeFileSync(join(shop.dir, 'specs/login/requirements.md'), read('requirements.md').replace('401', '403'));
  const { documents } = JSON.parse(shop.run('status', 'login', '--json').stdout);
  expect(documents.map(({ state }: { state: string }) => state)).toEqual(['approved', 'stale', 'stale', 'stale']);
  expect(documents[2].why).toBe('design.md is stale: it was made before requirements.md changed: AC-1.1.');
  const commits = subjects();
  expect(draft('design', 'login')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('requirements.md is stale'),
  });
  const required = draft('implement', 'login', '--approvals', 'required');
  expect(required).toMatchObject({ code: 3, stderr: expect.stringContaining('requirements.md is stale') });
  expect(subjects()).toEqual(commits);
  const told = draft('implement', 'login');
  expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining('Warning: design.md is stale') });
});

test('a document that is made again waits for approval again, with the same text or another (R-GATE-2, R-GATE-5)', () => {
  const design = () => JSON.parse(shop.run('status', 'login', '--json').stdout).documents[2].state;
  planned();
  const requirements = read('requirements.md').replace('AC-1.1: A wrong', 'AC-1.1: Any wrong');
  shop.write('specs/login/requirements.md', requirements);
  shop.run('approve', 'login', 'requirements', '--as-is');
  expect(design()).toBe('stale');
  expect(draft('design', 'login').code).toBe(3);
  expect(design()).toBe('draft');
  script({ design: ['against'] });
  shop.run('approve', 'login', 'design');
  expect(draft('design', 'login', '--only').code).toBe(3);
  expect(shop.run('approve', 'login', 'design').code).toBe(0);
  expect(design()).toBe('approved');
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('ticks do not make the plan stale, a changed Verify does, and a fresh clone knows the approvals (R-GATE-2, R-GATE-4)', () => {
  planned();
  expect(draft('implement', 'login').code).toBe(0);
  shop.git('clone', '--quiet', '.', '../clone');
  const states = (cwd: string) =>
    JSON.parse(shop.run('status', 'login', '--json', '--cwd', cwd).stdout).documents.map(
      ({ state }: { state: string }) => state,
    );
  expect(states('../clone')).toEqual(['approved', 'approved', 'approved', 'approved']);
  writeFileSync(join(shop.dir, 'specs/login/tasks.md'), read('tasks.md').replace('test -f', 'test -e'));
  expect(states('.')).toEqual(['approved', 'approved', 'approved', 'stale']);
});

test('planning runs in a dirty tree, and what is the user’s is in no commit (R-PLAN-2)', () => {
  shop.write('README.md', 'my words\n');
  shop.write('notes.txt', 'mine\n');
  expect(draft('new', 'login', 'Add login').code).toBe(3);
  expect(shop.git('status', '--porcelain')).toBe(' M README.md\n?? notes.txt\n');
});

test('a name that is taken is refused with what is there; --suffix takes the next (R-PLAN-1)', () => {
  draft('new', 'login', 'Add login');
  expect(draft('new', 'login', 'Add login')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is already a spec "login" (specs/login): research.md.'),
  });
  expect(draft('new', 'login', 'Add another login', '--suffix').stderr).toContain('specs/login-2/research.md is ready');
});

test('a spec outside of the known roots is named by its path in each command that is offered (R-PLAN-1, R-GATE-1)', () => {
  const made = draft('new', 'login', '# Fix a typo\n\n## Where\nIn the README', '--specs-dir', 'pkg/specs');
  const [, approve = ''] = /^To approve it: specloop (.*)$/m.exec(made.stderr) ?? [];
  expect([made.code, approve]).toEqual([3, 'approve pkg/specs/login']);
  expect(made.stderr).toContain('specloop reject pkg/specs/login --feedback');
  expect(shop.run('start', 'pkg/specs/login').stderr).toContain('specloop approve pkg/specs/login tasks');
  const again = draft('new', 'login', 'Fix a typo', '--specs-dir', 'pkg/specs');
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('specloop start pkg/specs/login') });
  expect(shop.run(...approve.split(' ')).code).toBe(0);
  expect(draft('tasks', 'pkg/specs/login', '--generate').code).toBe(3);
  expect(prompts().at(-2)).toContain('> #### Where\n> In the README');
});

test('a small goal gets tasks alone, and --class says otherwise (R-PLAN-4)', () => {
  expect(draft('new', 'login', 'Fix a typo in the README').stderr).toContain(
    'login: class trivial (by "typo"); documents: tasks.',
  );
  expect(prompts()[0]).toContain('At most 5 tasks.');
  const other = draft('new', 'more', 'Fix a typo in the README', '--class', 'greenfield').stderr;
  expect(other).toContain('more: class greenfield; documents: research, requirements, design, tasks.');
});

test('start goes on with what comes next and says why (R-PLAN-1)', () => {
  draft('new', 'login', 'Add login');
  expect(shop.run('start', 'login')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('waits for your approval'),
  });
  expect(shop.run('start', 'login', 'Add a logout').stderr).toContain('The spec "login" has another goal already.');
  shop.run('approve', 'login');
  expect(draft('start', 'login')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Next for login: requirements.md, which is missing.'),
  });
});

test('ticked tasks of a plan stay byte for byte when it is generated again (R-PLAN-2)', () => {
  planned();
  draft('implement', 'login');
  script({ tasks: ['unticks'] });
  expect(draft('tasks', 'login', '--generate').code).toBe(3);
  expect(prompts().at(-2)).toContain('Task 1.1 is done, and its block was changed or removed.');
  expect(read('tasks.md')).toContain('- [x] 1.1 Add the login');
});

test('--quick drafts all documents without a gate, then runs the tasks (R-PLAN-3)', () => {
  expect(draft('new', 'login', 'Add login', '--quick')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(read('design.md')).toMatch(/^---\ngenerated: auto\n---\n/);
  expect(subjects().slice(2, 6)).toEqual([
    'spec(login): add research findings',
    'spec(login): add requirements',
    'spec(login): add technical design',
    'spec(login): add implementation tasks',
  ]);
  expect(prompts().filter((prompt) => prompt.includes('Task: Review')).length).toBeGreaterThan(3);
  const commits = subjects();
  expect(draft('new', 'login', 'Add login', '--quick')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(subjects()).toEqual(commits);
  expect(draft('new', 'login', 'Add another login', '--quick').code).toBe(2);
  // A box that the run ticked is no fault of the plan.
  expect(shop.run('approve', 'login').stderr).toContain('Approved tasks.md');
  expect(shop.run('approve', 'login', 'tasks').stderr).toMatch(/^tasks\.md is approved already/);
});

test('--plan-only waits for a person before any task is run (R-PLAN-3)', () => {
  for (const _ of ['once', 'again'])
    expect(draft('new', 'login', 'Fix a typo', '--plan-only')).toMatchObject({ code: 3, stdout: '' });
  expect(existsSync(join(shop.dir, 'src'))).toBe(false);
  expect(read('tasks.md')).toContain('- [ ] 1.1');
});

test('a document that cannot be made takes all away that was: folder, active spec and branch are as before (R-PLAN-3)', () => {
  shop.git('switch', '--quiet', 'main');
  shop.git('reset', '--quiet', '--hard', 'feat/demo');
  shop.write('specs/login/plan.md', 'Fix a typo\n');
  shop.write('specs/.current-spec', 'other\n');
  script({ tasks: ['nothing', 'nothing', 'nothing', 'nothing', 'nothing'] });
  const { code, stderr } = draft('new', 'login', '--quick');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/What was made is removed/)]);
  expect(shop.git('branch', '--list').trim().split('\n')).toEqual(['feat/demo', '* main']);
  expect(readdirSync(join(shop.dir, 'specs/login'))).toEqual(['plan.md']);
  expect(read('plan.md')).toBe('Fix a typo\n');
  expect(readFileSync(join(shop.dir, 'specs/.current-spec'), 'utf8')).toBe('other\n');
  const ref = /refs\/specloop\/kept\/\S+\/drafts/.exec(stderr)?.[0] ?? '';
  expect(shop.git('show', `${ref}:specs/login/.progress.md`)).toContain('## Original Goal\nFix a typo');
  script({});
  expect(draft('new', 'login', '--quick').code).toBe(0);
});

test('without trust in the commands of a generated plan none is run, and a person is waited for (R-PLAN-3, R-SEC-1)', () => {
  const untrusted = { ...shop.env, SPECLOOP_TRUST: '0' };
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [PROGRAM, ...args, ...agent()], { cwd: shop.dir, env: untrusted, encoding: 'utf8' });
  expect(run('new', 'first', 'Fix a typo', '--plan-only', '--trust').status).toBe(3);
  const { status, stderr } = run('new', 'login', 'Fix a typo', '--quick');
  expect([status, stderr]).toEqual([3, expect.stringContaining('test -f src/login.txt')]);
  expect(existsSync(join(shop.dir, 'src'))).toBe(false);
});

test('a question stops planning with exit code 3; its answer goes on, and the authors of later documents get it (R-AGT-6)', () => {
  script({ research: ['asks'] });
  const asked = draft('new', 'login', 'Add login');
  expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('Which database?') });
  expect(draft('new', 'login', 'Add login')).toMatchObject({ code: 3, stderr: expect.stringContaining('Which data') });
  expect(JSON.parse(shop.run('status', 'login', '--json').stdout).next).toBe('specloop answer research login "TEXT"');
  expect(shop.run('answer', 'research', 'login', 'Take SQLite.').stderr).toContain('specloop start login');
  expect(draft('start', 'login')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('waits for your approval'),
  });
  expect(prompts().at(-2)).toContain('> Take SQLite.');
  expect(shop.git('show', 'HEAD:specs/login/.progress.md')).toContain('- Which database? Take SQLite.');
  draft('requirements', 'login');
  expect(prompts().at(-2)).toMatch(/## What persons decided[\s\S]*> - Which database\? Take SQLite\./);
});

test('what a phase would do and its prompt are shown, then it does that; --only drafts no later document (R-START-8, R-AGT-7, R-GATE-6)', () => {
  const preview = draft('new', 'login', 'Add login', '--dry-run');
  expect(preview).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/research\.md: researcher .*, at most 5 attempts/),
  });
  expect([existsSync(join(shop.dir, 'specs')), existsSync(join(shop.dir, '.git/.specloop'))]).toEqual([false, false]);
  draft('new', 'login', 'Add login');
  shop.write('specs/login/design.md', 'By hand.\n');
  const ahead = draft('requirements', 'login', '--dry-run', '--gates', 'final', '--max-cost', '2').stdout;
  expect(ahead).toMatch(/^login: 2 documents to draft; .*2 USD/);
  expect(ahead).toMatch(
    /research\.md: kept as it is[\s\S]*design\.md: kept as it is[\s\S]*tasks\.md: planner .*\n {4}then it waits for your approval\n/,
  );
  rmSync(join(shop.dir, 'specs/login/design.md'));
  const told = shop.run('prompt', 'requirements', 'login');
  expect(prompts()).toHaveLength(2);
  expect(draft('requirements', 'login', '--only', '--gates', 'none').code).toBe(0);
  expect(prompts()[1]).toBe(told.stdout);
  expect(existsSync(join(shop.dir, 'specs/login/design.md'))).toBe(false);
  expect(draft('design', 'login', '--quick')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
});

test('topics of research run in parallel and are merged; one that fails is named at the gate, and no part is left (R-PLAN-2)', () => {
  script({ 'research:outside': ['fails', 'nothing'], 'research:code': ['stray'] });
  const { code, stderr } = draft('new', 'login', 'Add login', '--research', '2', '--jobs', '2');
  expect([code, stderr]).toEqual([3, expect.stringContaining('The topic "outside" was not researched')]);
  expect(stderr).toContain('Starting 2 steps in parallel: research:code, research:outside.');
  expect(stderr).toContain('1 of 1 document done, 5 attempts');
  expect(prompts().at(-2)).toMatch(/## What you merge[\s\S]*failed: outside\.[\s\S]*> Found by research:code\./);
  expect(readdirSync(join(shop.dir, 'specs/login')).toSorted()).toEqual([
    '.progress.md',
    '.ralph-state.json',
    'research.md',
  ]);
  expect([existsSync(join(shop.dir, 'src/x.ts')), shop.git('status', '--porcelain')]).toEqual([false, '']);
  expect(subjects().slice(1)).toEqual(['docs(spec): add the spec login', 'spec(login): add research findings']);
  expect(shop.run('prompt', 'research:code', 'login', '--role', 'reviewer').code).toBe(2);
});

test('what is no text goes back to its author, and nothing is left of it or of what a reviewer changed (R-PLAN-2)', () => {
  script({ tasks: ['folder', 'nul'] });
  shop.write('../meddles', '');
  const { code, stderr } = draft('new', 'login', 'Fix a typo', '--review', 'always');
  expect([code, stderr]).toEqual([3, expect.stringContaining('The document is no plain file.')]);
  expect(stderr).toContain('The document has a NUL character in line 13.');
  expect(read('tasks.md')).toBe(DRAFTS.tasks);
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a spec that is not to be committed is planned all the same, and nothing of it is lost on the way (R-PLAN-2, R-START-6)', async () => {
  const loose = (...command: readonly string[]) => draft(...command, '--no-commit-spec');
  const before = shop.git('rev-parse', 'HEAD');
  script({ research: ['stray'], requirements: ['dangling'] });
  expect(loose('new', 'login', 'Add login', '--research', '2').code).toBe(3);
  expect(loose('requirements', 'login', '--gates', 'final', '--only').code).toBe(0);
  expect(read('.progress.md')).toMatch(/## Original Goal\nAdd login[\s\S]*^- research [0-9a-f]{12} by Test/m);
  expect(loose('design', 'login').code).toBe(3);
  expect([read('research.md'), read('requirements.md')]).toEqual([DRAFTS.research, DRAFTS.requirements]);
  expect([shop.git('rev-parse', 'HEAD'), existsSync(join(shop.dir, 'src/x.ts'))]).toEqual([before, false]);
  shop.write('specs/login/design.md', `${DRAFTS.design}\nMine.\n`);
  script({ design: ['hangs', 'nothing'] });
  const run = shop.start('design', 'login', '--no-commit-spec', ...agent());
  const ended = once(run, 'exit');
  await expect.poll(() => existsSync(join(shop.dir, '../hanging')), { timeout: 60_000 }).toBe(true);
  run.kill('SIGKILL');
  await ended;
  expect(read('design.md')).toBe(DRAFTS.design);
  expect(loose('start', 'login').code).toBe(3);
  expect(read('design.md')).toBe(`${DRAFTS.design}\nMine.\n`);
});

test('--max-cost ends planning between two documents with exit code 4, and status keeps the sum (R-DEL-8)', () => {
  const report = `JSON.stringify({ costUsd: 0.6, tokens: { input: 1000, output: 200 } })`;
  const costly = `import { writeFileSync as report } from 'node:fs';\nreport(process.env.SPECLOOP_REPORT_FILE, ${report});\n`;
  shop.write('../agent.mjs', costly + PLANNER);
  expect(draft('new', 'login', 'Add login', '--gates', 'none', '--max-cost', '1')).toMatchObject({ code: 4 });
  expect(existsSync(join(shop.dir, 'specs/login/design.md'))).toBe(false);
  expect(draft('start', 'login', '--only', '--gates', 'none').code).toBe(0);
  const { spent } = JSON.parse(shop.run('status', 'login', '--json').stdout);
  expect(spent).toMatchObject({ attempts: 3, tokens: 3600, costUsd: expect.closeTo(1.8) });
  expect(shop.run('status', 'login').stdout).toMatch(/^In all: 2 runs, 3 attempts, .*, 1\.80 USD, 3\.6k tokens\.$/m);
});

test('the tracked progress file of the older plugin says how far the documents are approved (R-GATE-4, R-PLAN-7)', () => {
  shop.write(
    'specs/login/progress.md',
    '---\nspec: login\napproved_through: none\n---\n# P\n\n## Original Goal\nAdd login\n',
  );
  draft('research', 'login');
  shop.run('approve', 'login');
  expect(shop.git('show', 'HEAD:specs/login/progress.md')).toContain('\napproved_through: research\n---\n');
  expect(read('progress.md')).toMatch(/Add login\n[\s\S]*## Scope\n- \*\*Target\*\*: the login/);
  expect(draft('reject', 'login', 'research', '--feedback', 'More.').code).toBe(3);
  expect(read('progress.md')).toContain('\napproved_through: none\n');
});
