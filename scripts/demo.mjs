/**
 * Shows a whole run in a sample repository: work that is checked, a false claim that is caught, a failure that gets a fix
 * task, and what is left to look at afterwards. With `--pr`, the way of a pull request instead: a red check and a review
 * comment become tasks, are fixed, pushed and answered. With `--plan`, a goal becomes a spec, and the spec is done. Needs
 * Node and git, for `--pr` also gh, and no model and no network: the agent follows a script, and so does the GitHub that
 * gh talks to.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { greetingScript, politenessScript } from './demo/agent.js';
import { goal, planningScript } from './demo/planning.js';
import { farewellScenario, farewellScript } from './demo/pull-request.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');

const PERSON = { name: 'Demo', email: 'demo@example.invalid' };
const ENVIRONMENT = {
  ...process.env,
  GIT_AUTHOR_NAME: PERSON.name,
  GIT_AUTHOR_EMAIL: PERSON.email,
  GIT_COMMITTER_NAME: PERSON.name,
  GIT_COMMITTER_EMAIL: PERSON.email,
  GIT_CONFIG_GLOBAL: '/dev/null',
  SPECLOOP_TRUST: '1',
};

function main() {
  if (!existsSync(CLI)) build();
  const dir = mkdtempSync(join(tmpdir(), 'specloop-demo-'));
  const sample = join(dir, 'greeting');
  if (process.argv.includes('--pr')) return bringPullRequest(sample, dir);
  if (process.argv.includes('--plan')) return planAndRun(sample, dir);
  makeRepository(sample, 'greeting', 'A small project with tests, and a plan of five tasks for its code');
  return runBoth(sample, dir).then(() => tellWhatIsLeft(sample, dir));
}

/** Builds without the list of files, in which the reader would lose the demo. */
function build() {
  print('Building specloop first, which takes about a minute.');
  execFileSync('npm', ['run', '--silent', 'build', '--', '--logLevel', 'error'], { cwd: ROOT, stdio: 'inherit' });
}

/** The act of planning. */
async function planAndRun(sample, dir) {
  const { scriptedAgentCommand, writeScript } = await import('../dist/testing.js');
  tell('A small project, and a goal');
  copySample(sample);
  print(goal);
  const script = join(dir, 'loud-agent.json');
  writeScript(script, planningScript);
  const agent = ['--agent-command', JSON.stringify(scriptedAgentCommand(script))];
  const draft = (...command) => specloop({ cwd: sample, code: 3 }, ...command, ...agent);

  tell(
    'Two agents research in parallel, and a third merges what they found; then a person is waited for, with exit code 3',
  );
  draft('new', 'loud', goal);
  tell('The next command approves it. The requirements name a criterion that is nowhere defined, and are sent back');
  draft('requirements', 'loud');
  tell('The person approves them, and goes on');
  specloop(sample, 'approve', 'loud');
  draft('design', 'loud');
  draft('tasks', 'loud', '--generate');
  tell('The plan is approved and run');
  specloop(sample, 'implement', 'loud', ...agent);
  tell('Which requirement is proven by what');
  specloop(sample, 'coverage', 'loud');
  tell('And the history');
  git(sample, '--no-pager', 'log', '--oneline', '--no-decorate', 'main..');
  print(`\nThe sample: ${sample}\nRemove all of it: rm -rf ${dir}`);
}

/** The act of the pull request. */
async function bringPullRequest(sample, dir) {
  const { scriptedAgentCommand, writeScript } = await import('../dist/testing.js');
  makeRepository(sample, 'farewell', 'A plan with a section "PR Lifecycle", and a GitHub that follows a script');
  const hub = await startGitHub(sample, dir);
  try {
    const script = join(dir, 'farewell-agent.json');
    writeScript(script, farewellScript);
    const agent = JSON.stringify(scriptedAgentCommand(script));

    tell('The task is done; CI is red, then a reviewer has a wish. Each becomes a task of the plan');
    specloop(sample, 'implement', 'farewell', '--agent-command', agent);
  } finally {
    await hub.end();
  }
  tell('What the forge has now');
  const { pulls, threads } = hub.record();
  for (const { number, title, state } of pulls) print(`Pull request ${number}: ${title} (${state})`);
  for (const { comments } of threads) for (const { by, body } of comments) print(`  ${by}: ${body.split('\n')[0]}`);

  tell('And the history');
  git(sample, '--no-pager', 'log', '--oneline', '--no-decorate', 'main..');
  print(`\nThe sample: ${sample}\nRemove all of it: rm -rf ${dir}`);
}

/** A bare repository as the remote, and a GitHub in front of it, in a process of its own. */
async function startGitHub(sample, dir) {
  const bare = join(dir, 'app.git');
  const folder = join(dir, 'hub');
  const scenario = join(dir, 'scenario.json');
  git(sample, 'init', '--quiet', '--bare', '--initial-branch', 'main', bare);
  git(sample, 'remote', 'add', 'origin', bare);
  git(sample, 'push', '--quiet', 'origin', 'main');
  writeFileSync(scenario, JSON.stringify(farewellScenario));
  mkdirSync(folder);
  const serve = fileURLToPath(new URL('./github/serve.mjs', import.meta.url));
  const server = spawn(process.execPath, [serve, bare, folder, scenario], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  Object.assign(ENVIRONMENT, JSON.parse(line));
  return {
    async end() {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
    record: () => JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8')),
  };
}

function makeRepository(sample, spec, headline) {
  tell(headline);
  copySample(sample);
  print(
    readFileSync(join(sample, `specs/${spec}/tasks.md`), 'utf8')
      .match(/^(#|- \[).*$/gm)
      .join('\n'),
  );
}

function copySample(sample) {
  cpSync(fileURLToPath(new URL('./demo/sample', import.meta.url)), sample, { recursive: true });
  git(sample, 'init', '--quiet', '--initial-branch', 'main');
  git(sample, 'add', '.');
  git(sample, 'commit', '--quiet', '--message', 'Begin a project');
}

async function runBoth(sample, dir) {
  const { scriptedAgentCommand, writeScript } = await import('../dist/testing.js');
  const implement = (spec, script, ...options) => {
    const path = join(dir, `${spec}-agent.json`);
    writeScript(path, script);
    const agent = JSON.stringify(scriptedAgentCommand(path));
    specloop(sample, 'implement', spec, '--agent-command', agent, ...options);
  };

  tell('A run: each task is done by an agent, checked, and committed. Task 1.2 is claimed before it is done');
  implement('greeting', greetingScript);

  tell('What was measured when task 1.2 was claimed');
  specloop(sample, 'status', 'greeting', '--task', '1.2');

  tell('Recovery mode: a task that fails gets a fix task, then is tried again');
  implement('politeness', politenessScript, '--recovery-mode');
  print('\n$ cat specs/politeness/.progress.md\n');
  print(readFileSync(join(sample, 'specs/politeness/.progress.md'), 'utf8'));
}

function tellWhatIsLeft(sample, dir) {
  tell('What is left: one commit a task');
  git(sample, '--no-pager', 'log', '--oneline', '--no-decorate', 'main..');

  tell('Where to look');
  print(`The sample:            ${sample}
Its plan, all ticked:  specs/greeting/tasks.md
Learnings and history: specs/greeting/.progress.md
Journals and logs:     .git/.specloop/specs/
Rejected work:         git -C ${sample} for-each-ref refs/specloop/kept
Remove all of it:      rm -rf ${dir}`);
}

function specloop(where, ...args) {
  const { cwd, code } = typeof where === 'string' ? { cwd: where, code: 0 } : where;
  print(`$ specloop ${args.map((arg) => (arg.startsWith('[') ? "'[…]'" : arg)).join(' ')}\n`);
  run({ cwd, code }, process.execPath, [CLI, ...args]);
}

function git(cwd, ...args) {
  run({ cwd, code: 0 }, 'git', args);
}

function run({ cwd, code }, program, args) {
  const { status, error } = spawnSync(program, args, { cwd, env: ENVIRONMENT, stdio: 'inherit' });
  if (error !== undefined || status !== code) {
    throw new Error(
      `${program} ${args[0]} ended with ${error?.message ?? `exit code ${status}`}. The sample is in ${cwd}.`,
    );
  }
}

function tell(headline) {
  print(`\n── ${headline}.\n`);
}

function print(text) {
  process.stdout.write(`${text}\n`);
}

await main();
