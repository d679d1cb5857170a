import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestRepository, testRepository } from '../shared/test-rig.ts';

let repository: TestRepository;

beforeEach(() => {
  repository = testRepository();
});

afterEach(() => {
  repository.remove();
});

const HIDDEN = 'test -f a; : \u001b]0; touch pwned; : \u0007';
const SHOWN = 'test -f a; : \\x1b]0; touch pwned; : \\x07';

function plan(...commands: readonly string[]): void {
  const tasks = commands.map((command, at) => `- [ ] 1.${at + 1} A\n  - **Verify**: \`${command}\`\n`);
  repository.write('specs/demo/tasks.md', tasks.join(''));
  repository.git('add', '-A');
  repository.git('commit', '--quiet', '--message', 'plan');
  repository.git('switch', '--quiet', '--create', 'feat/demo');
}

const IMPLEMENT = ['implement', 'demo', '--agent-command', 'true'];

test('a command is shown whole where a person decides about it, and refused with control characters (R-SEC-1)', async () => {
  plan(HIDDEN);
  const listed = await repository.run(['trust', '--list', 'demo']);
  expect(listed.stdout).toContain(SHOWN);
  const validated = await repository.run(['validate', 'demo']);
  expect([validated.code, validated.stdout]).toEqual([1, expect.stringContaining(SHOWN)]);
  for (const call of [IMPLEMENT, [...IMPLEMENT, '--trust'], ['trust', 'demo']]) {
    const { code, stderr } = await repository.run(call, { env: { SPECLOOP_TRUST: call.length === 4 ? '1' : '' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`tasks.md:1: ${SHOWN}`)]);
  }
});

test('an argument of a program in the settings may not hold control characters either (R-SEC-1)', async () => {
  plan('true');
  const { code, stderr } = await repository.run([
    'implement',
    'demo',
    '--trust',
    '--agent-command',
    '["true", "\\u001b[2J"]',
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('control characters')]);
});

test('a tail that blanks push out of sight is shown (R-SEC-1)', async () => {
  plan(`true;${' '.repeat(500)}touch pwned`);
  const { code, stderr } = await repository.run(IMPLEMENT);
  expect([code, stderr]).toEqual([2, expect.stringContaining('true; … 500 spaces … touch pwned')]);
});

test.each([
  ['"x\\e]52;c;cHduZWQ=\\a": 1', ['list']],
  ['specsDirs: ["sp\\e]0;x\\aecs"]', ['list']],
  ['agentCommand: "no\\e]52;c;cHduZWQ=\\apro"', ['implement', 'demo', '--trust']],
  ['', ['sta\u001b]0;x\u0007tus']],
  ['', ['--cwd', 'no\u001b]0;x\u0007', 'list']],
  ['', ['status', 'de\u202emo']],
])('what is refused reaches no terminal raw: %j (R-SEC-2)', async (settings, argv) => {
  plan('true');
  repository.write('specloop.config.yaml', `${settings}\n`);
  const { stdout, stderr } = await repository.run(argv);
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(stdout + stderr).toMatch(/\\x1b|<U\+202E>|\S/);
});

test('validate tells what bash cannot read, without running anything (R-PARSE-5)', async () => {
  plan('cd <root> && touch pwned', 'if true; then');
  const { code, stdout } = await repository.run(['validate', 'demo']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/bash cannot parse the Verify command of task 1\.1: syntax error near/);
  expect(stdout).toMatch(/bash cannot parse the Verify command of task 1\.2: /);
});

test('many tasks without a command are one problem; as JSON each has its own (R-PARSE-5)', async () => {
  repository.write('todo.md', Array.from({ length: 30 }, (_, at) => `- [ ] 1.${at + 1} A\n`).join(''));
  const { stdout, stderr } = await repository.run(['validate', 'todo.md']);
  expect(stdout.match(/have no Verify field/g)).toHaveLength(1);
  expect(stdout).toContain('30 tasks have no Verify field: 1.1, 1.2,');
  expect(stderr).toBe('30 findings.\n');
  const json = await repository.run(['validate', 'todo.md', '--json']);
  expect(JSON.parse(json.stdout).problems).toHaveLength(30);
});

test('the dry run tells once which proofs cannot fail, and which Files lie elsewhere (R-VER-15)', async () => {
  plan('npm test | tail -5', 'echo ok', 'npm test');
  repository.write(
    'specs/demo/tasks.md',
    '- [ ] 1.1 A\n  - **Files**: `../b`\n  - **Verify**: `npm test | tail -5`\n- [ ] 1.2 B\n  - **Verify**: `echo ok`\n',
  );
  const { stdout } = await repository.run([...IMPLEMENT, '--dry-run']);
  expect(stdout).toContain('Verify commands that cannot fail, so they prove nothing: 1.2.\n');
  expect(stdout).toContain(
    'Verify commands that cannot fail as written: 1.1. The failure of the command before the pipe counts.\n',
  );
  expect(stdout).toContain('Task 1.1 names Files outside of the repository, which its agent must leave alone: ../b.\n');
});
