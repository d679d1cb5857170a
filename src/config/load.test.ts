import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UserError } from '../core/user-error.ts';
import { type LoadedSettings, loadSettings, type Sources } from './load.ts';
import { originText } from './origin.ts';

let root: string;
let home: string;

beforeEach(() => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'settings-')));
  root = join(dir, 'repository');
  home = join(dir, 'home');
  mkdirSync(root);
  mkdirSync(join(home, '.config/specloop'), { recursive: true });
});

afterEach(() => rmSync(join(root, '..'), { recursive: true }));

async function load({
  project,
  user,
  env = {},
  flags,
}: {
  project?: string;
  user?: string;
  env?: Sources['env'];
  flags?: Sources['flags'];
}): Promise<LoadedSettings> {
  if (project !== undefined) writeFileSync(join(root, 'specloop.config.yaml'), project);
  if (user !== undefined) writeFileSync(join(home, '.config/specloop/config.yaml'), user);
  return loadSettings({ root, env: { HOME: home, ...env }, ...(flags && { flags }) });
}

async function refused(written: Parameters<typeof load>[0]): Promise<string> {
  try {
    await load(written);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  return 'not refused';
}

test('without any source the defaults of the protocol hold (R-START-4)', async () => {
  const { settings, origins, warnings } = await load({});
  expect(settings).toMatchObject({
    maxTaskIterations: 5,
    recoveryMode: false,
    maxFixTasksPerOriginal: 3,
    taskTimeout: 30 * 60_000,
    specsDirs: ['specs'],
    dialect: 'auto',
    optional: false,
  });
  expect(settings.maxGlobalIterations).toBeUndefined();
  expect(origins.get('maxTaskIterations')).toEqual({ from: 'default' });
  expect(warnings).toEqual([]);
});

test('options beat variables, variables the project, the project the person, each value with its origin', async () => {
  const sources = {
    user: 'jobs: 2\nmodel: small\nscope: off\nreview: off\n',
    project: '\njobs: 3\nscope: enforce\nreview: always\n',
    env: { SPECLOOP_JOBS: '4', SPECLOOP_REVIEW: 'strict' },
    flags: { jobs: '5' },
  };
  const { settings, origins } = await load(sources);
  const told = ['jobs', 'review', 'scope', 'model'].map((key) => [
    key,
    settings[key as 'jobs'],
    originText(origins.get(key) ?? { from: 'default' }),
  ]);
  expect(told).toEqual([
    ['jobs', 5, '--jobs'],
    ['review', 'strict', 'SPECLOOP_REVIEW'],
    ['scope', 'enforce', 'specloop.config.yaml:3:1'],
    ['model', 'small', `${home}/.config/specloop/config.yaml:2:1`],
  ]);
});

test('groups are merged key by key, lists are replaced', async () => {
  const { settings } = await load({
    user: 'roles: {reviewer: {agent: claude, model: large}, verifier: {model: small}}\npassEnv: [A]\n',
    project: 'roles:\n  reviewer:\n    model: medium\nprotect: [".github/**"]\n',
    flags: { passEnv: ['B', 'C,D_*'] },
  });
  expect(settings.roles).toEqual({ reviewer: { agent: 'claude', model: 'medium' }, verifier: { model: 'small' } });
  expect(settings.passEnv).toEqual(['B', 'C', 'D_*']);
  expect(settings.protect).toEqual(['.github/**']);
});

test('agents: names agents; of one name the stronger source counts, as a whole, each with its place (R-AGT-1)', async () => {
  const { settings, origins, project } = await load({
    user: 'agents:\n  mine: {command: worker, env: {MODE: deep}}\n  cheap: {agent: claude, model: small}\n',
    project: 'agents:\n  mine: {acp: [gemini, --acp], price: {input: 1.5, output: 0}}\n',
  });
  expect(settings.agents).toEqual({
    mine: { acp: ['gemini', '--acp'], price: { input: 1.5, output: 0 } },
    cheap: { agent: 'claude', model: 'small' },
  });
  expect(['agents.mine.acp', 'agents.cheap.agent'].map((key) => origins.get(key)?.from)).toEqual(['project', 'user']);
  expect([...(project?.keys() ?? [])]).toEqual([
    'agents.mine.acp',
    'agents.mine.price.input',
    'agents.mine.price.output',
  ]);
});

test('an agent that is named has exactly one of command, acp and agent, and what is no setting is reported (R-AGT-1)', async () => {
  const project = [
    'agents:',
    '  two: {command: a, acp: b}',
    '  three: {command: a, acp: b, agent: claude}',
    '  none: {args: [x]}',
    '  told: {command: a, model: b}',
    '  half: {agent: claude, price: {input: 1}}',
  ].join('\n');
  expect(await refused({ project })).toBe(
    [
      'specloop.config.yaml:2:9 agents.two.command and specloop.config.yaml:2:21 agents.two.acp both name the agent: keep one of them.',
      'specloop.config.yaml:3:31 agents.three.agent and specloop.config.yaml:3:11 agents.three.command and specloop.config.yaml:3:23 agents.three.acp all name the agent: keep one of them.',
      'specloop.config.yaml:4:3 agents.none needs one of command, acp and agent.',
      'specloop.config.yaml:5:22 agents.told.model and specloop.config.yaml:5:10 agents.told.command exclude each other: a command runs as it is written, so name the model in it.',
      'specloop.config.yaml:6:25 agents.half.price needs both input and output.',
    ].join('\n'),
  );
  const wrong = 'agents:\n  a.b: {agent: x}\n  c: {agnet: x, price: {input: -1}}\n  d: {agent: x, env: {N: 1}}\n';
  expect(await refused({ project: wrong })).toBe(
    [
      'specloop.config.yaml:2:3 "a.b" cannot name an agent: use letters, digits, - and _.',
      'specloop.config.yaml:3:25 agents.c.price.input takes an amount of at least 0, in US dollars per million tokens, not -1.',
      'specloop.config.yaml:3:7 "agnet" is not a setting. Did you mean "agent"?',
      'specloop.config.yaml:4:23 agents.d.env.N takes variables with their values as text, not 1.',
    ].join('\n'),
  );
});

test('one of agent, agentCommand and agentAcp of a stronger source takes the place of the others (R-AGT-1)', async () => {
  const { settings } = await load({ project: 'agentCommand: worker\n', env: { SPECLOOP_AGENT_ACP: 'gemini --acp' } });
  expect(settings).toMatchObject({ agentAcp: ['gemini', '--acp'] });
  expect(settings.agentCommand).toBeUndefined();
});

test.each(['0', '-1', 'many', '1.5', '', '1e3', '99999999999999999999'])(
  'a count of "%s" is refused by the name of its option (R-UX-1)',
  async (value) => {
    expect(await refused({ flags: { maxTaskIterations: value } })).toMatch(
      /^--max-task-iterations takes a whole number of at least 1, not /,
    );
  },
);

test('everything that is wrong is reported at once, with its place and what was meant (R-UX-1)', async () => {
  const project =
    'jbos: 3\nscope: loud\nroles:\n  reviewer:\n    modle: x\n  executor: 3\nidleTimeout: 0\nprotect: [a, ""]\n';
  expect(await refused({ project, env: { SPECLOOP_BASELINE: 'yes' }, flags: { maxCost: 'a lot' } })).toBe(
    [
      'specloop.config.yaml:6:3 roles.executor takes a group of settings, not 3.',
      'specloop.config.yaml:5:5 "modle" is not a setting. Did you mean "model"?',
      'specloop.config.yaml:7:1 idleTimeout takes a duration such as 90 (seconds), 500ms, 90s, 5m or 2h, at most 24 days, not 0.',
      'specloop.config.yaml:2:1 scope takes one of off, warn, enforce, not "loud".',
      'specloop.config.yaml:8:14 protect takes a list of texts that are not empty, not "".',
      'specloop.config.yaml:1:1 "jbos" is not a setting. Did you mean "jobs"?',
      'SPECLOOP_BASELINE takes true or false, not "yes".',
      '--max-cost takes an amount above 0, in US dollars, not "a lot".',
    ].join('\n'),
  );
});

test.each([
  ['["node", "agent.mjs", "a b"]', ['node', 'agent.mjs', 'a b']],
  ["node agent.mjs 'a b' $HOME", ['node', 'agent.mjs', 'a b', '$HOME']],
])('%s is the command of an agent, read without a shell (R-API-1)', async (text, argv) => {
  expect((await load({ flags: { agentCommand: text } })).settings.agentCommand).toEqual(argv);
});

test.each(['', '   ', '[]', '["node", 1]', '["node"', "node 'x", '[""]'])('%s is no command', async (text) => {
  expect(await refused({ flags: { agentCommand: text } })).toMatch(
    /^--agent-command takes a command: a text, or a list of its arguments, not /,
  );
});

test('an agent that is named beats the command of a weaker source, and the other way round', async () => {
  const named = await load({
    project: 'agentCommand: [node, a.mjs]\nroles: {reviewer: {agent: claude}}\n',
    flags: { agent: 'codex' },
  });
  expect(named.settings).toMatchObject({ agent: 'codex' });
  expect(named.settings.agentCommand).toBeUndefined();
  expect(named.origins.has('agentCommand')).toBe(false);
  expect(
    (await load({ flags: { agentCommand: 'node b.mjs' }, env: { SPECLOOP_AGENT: 'codex' } })).settings.agent,
  ).toBeUndefined();
});

test('two ways to name one agent in one source are refused', async () => {
  expect(await refused({ flags: { agent: 'codex', agentCommand: 'node a.mjs' } })).toBe(
    '--agent and --agent-command both name the agent: keep one of them.',
  );
  expect(await refused({ project: 'roles:\n  reviewer:\n    command: [x]\n    model: y\n' })).toBe(
    'specloop.config.yaml:4:5 roles.reviewer.model and specloop.config.yaml:3:5 roles.reviewer.command exclude each other: a command runs as it is written, so name the model in it.',
  );
});

test('a repository cannot pass on variables or choose the containment; the person can (R-SEC-1, R-SEC-2)', async () => {
  const personal = 'passEnv: [GITHUB_TOKEN]\ncontainment: marker\n';
  expect(await refused({ project: personal })).toBe(
    [
      'specloop.config.yaml:1:1 passEnv is not allowed in a repository: set it in your own settings file, or with --pass-env.',
      'specloop.config.yaml:2:1 containment is not allowed in a repository: set it in your own settings file, or with --containment.',
    ].join('\n'),
  );
  rmSync(join(root, 'specloop.config.yaml'));
  expect((await load({ user: personal })).settings.passEnv).toEqual(['GITHUB_TOKEN']);
});

test('a repository cannot choose where the person keeps settings (R-SEC-1)', async () => {
  mkdirSync(join(root, 'specloop'));
  writeFileSync(join(root, 'specloop/config.yaml'), 'passEnv: [GITHUB_TOKEN]\n');
  const previous = process.cwd();
  process.chdir(root);
  try {
    expect((await loadSettings({ root, env: { XDG_CONFIG_HOME: '.', HOME: '.' } })).settings.passEnv).toEqual([]);
  } finally {
    process.chdir(previous);
  }
});

test('a variable that is no setting is a warning; a variable for agents is none (R-API-2)', async () => {
  const { warnings } = await load({
    env: { SPECLOOP_MAX_TASK_ITERATION: '3', SPECLOOP_SPEC: 'demo', SPECLOOP_TASK_ID: '1.1', SPECLOOP_TRUST: '1' },
  });
  expect(warnings).toEqual([
    'The variable SPECLOOP_MAX_TASK_ITERATION is not a setting and has no effect. Did you mean SPECLOOP_MAX_TASK_ITERATIONS?',
  ]);
});

test('JSON is read like YAML, with places, and may name its schema', async () => {
  writeFileSync(join(root, 'specloop.config.json'), '{\n\t"jobs": 3,\n\t"scpe": "off"\n}\n');
  expect(await refused({})).toBe('specloop.config.json:3:2 "scpe" is not a setting. Did you mean "scope"?');
  writeFileSync(join(root, 'specloop.config.json'), '{ "$schema": "config.schema.json", "jobs": 3 }');
  expect((await load({})).settings.jobs).toBe(3);
});

test.each([
  ['jobs: 3\njobs: 4\n', /^specloop\.config\.yaml:2:1 .*unique/],
  ['jobs: [3\n', /^specloop\.config\.yaml:\d:\d /],
  ['jobs: !!js/function "x"\n', /^specloop\.config\.yaml:1:7 .*tag/i],
  ['- jobs\n', /^specloop\.config\.yaml:1:1 the file takes a group of settings/],
  ['just words\n', /^specloop\.config\.yaml:1:1 the file takes a group of settings/],
])('%j is refused with its place', async (project, message) => {
  expect(await refused({ project })).toMatch(message);
});

test('an empty file, or one of comments only, sets nothing', async () => {
  expect((await load({ project: '# nothing\n' })).settings.maxTaskIterations).toBe(5);
});

test('aliases are refused with their place, however many values they stand for (R-UX-1)', async () => {
  expect(await refused({ project: '&a [*a]\n' })).toBe('specloop.config.yaml:1:5Aliases are not supported.');
  const levels = ['a: &a [x]', ...[...'bcdefghi'].map((name, at) => `${name}: &${name} [*${'abcdefgh'[at]}]`)];
  expect(await refused({ project: levels.join('\n') })).toBe('specloop.config.yaml:2:8Aliases are not supported.');
});

test('a file that cannot be read is reported with the reason that the system gave', async () => {
  symlinkSync('specloop.config.yaml', join(root, 'specloop.config.yaml'));
  expect(await refused({})).toMatch(/^Cannot read specloop\.config\.yaml: too many symbolic links encountered\.$/);
});

test('two files, a file of the wrong ending, broken JSON and a folder in its place are refused', async () => {
  writeFileSync(join(root, 'specloop.config.json'), '{}');
  expect(await refused({ project: '' })).toBe(
    'There are two settings files: specloop.config.yaml and specloop.config.json.',
  );
  rmSync(join(root, 'specloop.config.yaml'));
  writeFileSync(join(root, 'specloop.config.json'), '{ jobs: 3 }');
  expect(await refused({})).toMatch(/^specloop\.config\.json is not JSON: /);
  rmSync(join(root, 'specloop.config.json'));
  writeFileSync(join(root, 'specloop.config.yml'), '');
  expect(await refused({})).toBe('specloop.config.yml is not read: a settings file ends in .yaml.');
  rmSync(join(root, 'specloop.config.yml'));
  mkdirSync(join(root, 'specloop.config.yaml'));
  expect(await refused({})).toBe('specloop.config.yaml is not a regular file.');
});

test('settings of the older plugin are taken below ours, and what makes no sense in them is left out (R-PLAN-7)', async () => {
  const page = (...lines: readonly string[]) => {
    mkdirSync(join(root, '.claude'), { recursive: true });
    writeFileSync(
      join(root, '.claude/ralph-specum.local.md'),
      ['---', 'enabled: true', ...lines, '---', '', 'max: 3'].join('\n'),
    );
  };
  page('specs_dirs: ["./specs", "./packages/api/specs"]', 'default_max_iterations: 7', 'auto_commit_spec: false');
  const { settings, origins } = await load({ user: 'commitSpec: true\n' });
  expect(settings).toMatchObject({
    specsDirs: ['./specs', './packages/api/specs'],
    maxTaskIterations: 7,
    commitSpec: true,
  });
  expect(originText(origins.get('maxTaskIterations') ?? { from: 'default' })).toBe('.claude/ralph-specum.local.md:4:1');
  page('specs_dirs: specs', 'default_max_iterations: -1', 'auto_commit_spec: maybe');
  expect((await load({ user: '' })).settings).toMatchObject({ specsDirs: ['specs'], maxTaskIterations: 5 });
  page('specs_dirs: [');
  expect((await load({})).settings.specsDirs).toEqual(['specs']);
});
