import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { BareRepository, play, type Scenario, scenarios } from '../../scripts/github/github.mjs';
import { builtProcesses, type GitHubRig, gitHubRig, NO_GH } from './rig.ts';

const built = NO_GH ? undefined : builtProcesses();
afterAll(() => built?.remove());

const wanted = { branch: 'work', base: 'main', title: 'T', body: 'B', isDraft: false, labels: [], reviewers: [] };

/** A test in which the pull request 1 is open, and a scenario plays from its beginning. */
function scene(title: string, scenario: Scenario, act: (rig: GitHubRig) => Promise<void>): void {
  test(title, async () => {
    if (built === undefined) return;
    const rig = await gitHubRig(built.processes);
    try {
      rig.push('main');
      rig.push('work');
      play(rig.model, scenario);
      rig.model.open({ title: wanted.title, body: wanted.body, head: wanted.branch, base: wanted.base });
      await act(rig);
    } finally {
      await rig.close();
    }
  });
}

const named = (name: string): Scenario => scenarios[name] ?? {};
const states = async ({ forge }: GitHubRig) =>
  Object.fromEntries((await forge.look(1)).checks.map(({ name, state }) => [name, state]));
const fails = (trouble: string) => ({ name: 'ForgeFault', trouble });

describe.skipIf(NO_GH)('GitHub by the real gh (R-PR-7)', () => {
  scene(
    '120 comments in a thread, and 120 below, are all read, page by page (R-PR-3)',
    named('many comments'),
    async (rig) => {
      const text = 'Late. <!-- specloop: PRR_1 -->';
      const review = rig.model.review(1, { by: 'ada', opinion: 'asks-for-changes' });
      rig.model.comment(1, 'robot', `<!-- specloop: ${review} -->`);
      const { threads, answeredReviews } = await rig.forge.look(1);
      expect(threads[0]?.comments).toHaveLength(120);
      expect(threads[0]?.comments.at(-1)?.body).toBe('Remark 120.');
      expect(answeredReviews).toEqual([review]);
      expect(rig.requests.filter((request) => request.includes('permission'))).toHaveLength(1);
      const thread = threads[0]?.id ?? '';
      rig.model.reply(thread, 'robot', text);
      await rig.forge.answerThread(1, thread, { text, resolves: false });
      expect(rig.model.threadOf(thread).comments).toHaveLength(121);
    },
  );

  scene('more checks and threads than one page has are all read', {}, async (rig) => {
    const { head } = rig.model.pulls[0] ?? { head: '' };
    for (let at = 0; at < 60; at++) rig.model.check(head, `CI / job ${at}`, { state: 'passed' });
    for (let at = 0; at < 30; at++) rig.model.thread(1, { by: 'robot', body: `Thread ${at}` });
    const { checks, threads } = await rig.forge.look(1);
    expect(checks).toHaveLength(60);
    expect(threads.map(({ comments }) => comments[0]?.body)).toEqual(
      Array.from({ length: 30 }, (_, at) => `Thread ${at}`),
    );
  });

  scene(
    'a cancelled job that is run again is pending and then green (R-PR-10)',
    named('cancelled, then green'),
    async (rig) => {
      const { checks } = await rig.forge.look(1);
      expect(checks).toMatchObject([{ state: 'passed' }, { name: 'CI / test', state: 'cut-off' }]);
      expect(await rig.forge.rerun(checks[1]?.job ?? '')).toBe(true);
      expect(await states(rig)).toEqual({ 'CI / build': 'passed', 'CI / test': 'pending' });
      expect(await states(rig)).toEqual({ 'CI / build': 'passed', 'CI / test': 'passed' });
    },
  );

  scene('red, a push, then green; the log ends with the failure (R-PR-2)', named('red then green'), async (rig) => {
    expect(await states(rig)).toEqual({ 'CI / build': 'pending', 'CI / test': 'pending' });
    const [, failed] = (await rig.forge.look(1)).checks;
    expect(failed).toMatchObject({ name: 'CI / test', state: 'failed', summary: '1 test failed' });
    const log = await rig.forge.logOf(failed?.job ?? '', { charsMax: 1000 });
    expect(log).toBe('not ok 1 - greets\n##[error]Process completed with exit code 1.');
    rig.push('work');
    expect(await states(rig)).toEqual({ 'CI / build': 'pending', 'CI / test': 'pending' });
    expect(await states(rig)).toEqual({ 'CI / build': 'passed', 'CI / test': 'passed' });
  });

  scene('checks that never start stay pending; none at all are told as none', named('never starts'), async (rig) => {
    expect(await states(rig)).toEqual({ 'CI / build': 'pending', 'ci/deploy': 'pending' });
    play(rig.model, {});
    rig.push('work');
    expect(await states(rig)).toEqual({});
  });

  scene('what rules of the repository require is missed as well (R-PR-2)', named('one never appears'), async (rig) => {
    rig.model.ruled.add('scan');
    const green = { 'CI / build': 'passed', 'CI / test': 'passed' };
    expect(await states(rig)).toEqual({ ...green, deploy: 'pending', scan: 'pending' });
    rig.model.failNext({ status: 404, message: 'Not Found', on: '/rules/' });
    rig.model.failNext({ status: 403, message: 'Resource not accessible', on: '/branches/main' });
    expect(await states(rig)).toEqual(green);
    rig.model.failNext({ status: 502, on: '/rules/' });
    await expect(rig.forge.look(1)).rejects.toMatchObject(fails('unavailable'));
  });

  scene('a comment that is edited meanwhile is read as it is now', named('a thread edited meanwhile'), async (rig) => {
    expect((await rig.forge.look(1)).threads[0]?.comments).toMatchObject([{ body: 'Please handle an empty name.' }]);
    await rig.forge.look(1);
    expect((await rig.forge.look(1)).threads[0]?.comments).toMatchObject([{ body: 'Please handle a missing name.' }]);
  });

  scene(
    'a thread that a person resolves meanwhile is told no more',
    named('a thread resolved meanwhile'),
    async (rig) => {
      const counts = [];
      for (let look = 0; look < 3; look++) counts.push((await rig.forge.look(1)).threads.length);
      expect(counts).toEqual([1, 1, 0]);
    },
  );

  scene('a person closes it (R-PR-11)', named('closed by a person'), async (rig) => {
    await rig.forge.look(1);
    expect((await rig.forge.look(1)).pullRequest.state).toBe('closed');
  });

  scene('a person merges it (R-PR-11)', named('merged by a person'), async (rig) => {
    await rig.forge.look(1);
    expect((await rig.forge.look(1)).pullRequest.state).toBe('merged');
  });

  scene('a conflict with the base is seen (R-PR-11)', named('a conflict with the base'), async (rig) => {
    rig.model.git.push('work', { 'a.txt': 'Of the branch.\n' }, 'Write a.txt');
    expect((await rig.forge.look(1)).pullRequest.mergeable).toBe('conflict');
  });

  scene('limits and failures of the server pass; the same request then succeeds', {}, async ({ forge, model }) => {
    const secondsFromNow = (fault: { retryAt: string }) => (Date.parse(fault.retryAt) - Date.now()) / 1000;
    const failureOf = (failure: Parameters<typeof model.failNext>[0]) => {
      model.failNext(failure);
      return forge.look(1).catch((fault) => fault);
    };
    const primary = await failureOf({ limit: 'primary', seconds: 100 });
    expect(primary).toMatchObject(fails('limited'));
    expect(secondsFromNow(primary)).toBeGreaterThan(60);
    expect(secondsFromNow(await failureOf({ limit: 'secondary', seconds: 100 }))).toBeGreaterThan(60);
    expect(await failureOf({ status: 502 })).toMatchObject(fails('unavailable'));
    expect(await failureOf({ status: 0 })).toMatchObject(fails('unavailable'));
    expect(await failureOf({ status: 502, on: 'Checks' })).toMatchObject(fails('unavailable'));
    expect((await forge.look(1)).pullRequest.state).toBe('open');
  });

  scene('what an account may not do is denied, and one that is not signed in is told so', {}, async (rig) => {
    const { forge, model } = rig;
    const thread = model.thread(1, { by: 'ada', body: 'Why?' });
    model.person('robot', { permission: 'read' });
    await expect(forge.describe(1, { title: 'T', body: 'B' })).rejects.toMatchObject(fails('denied'));
    await expect(forge.answerThread(1, thread, { text: 'x', resolves: true })).rejects.toMatchObject(fails('denied'));
    expect(model.threadOf(thread).comments).toHaveLength(1);
    model.isSignedOut = true;
    const message = expect.stringContaining('gh auth login --hostname github.com');
    await expect(forge.access()).rejects.toMatchObject({ ...fails('signed-out'), message });
    const { GH_TOKEN, ...env } = rig.options.env;
    await expect(rig.forgeWith({ env }).access()).rejects.toMatchObject(fails('signed-out'));
  });

  scene('a repository that is not there is gone; one on another host is asked for there', {}, async (rig) => {
    const other = { host: 'github.com', owner: 'acme', name: 'other' };
    await expect(rig.forgeWith({ repository: other }).access()).rejects.toMatchObject(fails('gone'));
    const repository = { host: 'git.corp.example', owner: 'acme', name: 'app' };
    const env = { ...rig.options.env, GH_ENTERPRISE_TOKEN: 'token' };
    const corporate = rig.forgeWith({ repository, env });
    expect(await corporate.access()).toMatchObject({ host: 'git.corp.example', repository: 'acme/app' });
    await corporate.describe(1, { title: 'Changed', body: '' });
    expect(rig.model.pulls[0]?.title).toBe('Changed');
  });

  scene(
    'who may write is asked of GitHub, and without the right to ask the association tells (R-PR-4)',
    {},
    async (rig) => {
      const { model } = rig;
      model.person('owner', { association: 'OWNER' });
      model.person('member', { permission: 'read', association: 'MEMBER' });
      model.person('stranger', { permission: 'read', association: 'NONE' });
      const thread = model.thread(1, { by: 'owner', body: 'One' });
      for (const by of ['member', 'stranger', 'ghost']) model.reply(thread, by, `By ${by}`);
      const writers = async (forge = rig.forge) => {
        const authors = (await forge.look(1)).threads[0]?.comments.map(({ author }) => author) ?? [];
        return authors.filter(({ mayWrite }) => mayWrite).map(({ name }) => name);
      };
      expect(await writers()).toEqual(['owner']);
      model.person('member', { permission: 'write', association: 'MEMBER' });
      expect(await writers(rig.forgeWith({}))).toEqual(['owner', 'member']);
      model.person('robot', { permission: 'read' });
      expect(await writers(rig.forgeWith({}))).toEqual(['owner']);
    },
  );

  scene(
    'text from outside is cut: bodies at their end, hunks at their beginning (R-PR-4)',
    {},
    async ({ forge, model }) => {
      const hunk = `@@\n${'-'.repeat(4000)}\n+last`;
      model.thread(1, { by: 'ada', body: `${'x'.repeat(7999)}😀y`, hunk });
      const [thread] = (await forge.look(1)).threads;
      expect(thread?.comments[0]?.body).toBe('x'.repeat(7999));
      expect(thread?.hunk).toHaveLength(3000);
      expect(thread?.hunk).toMatch(/\+last$/);
    },
  );

  scene(
    'a review that the user has not submitted is not read, and no answer becomes part of it',
    {},
    async ({ forge, model }) => {
      model.thread(1, { by: 'robot', body: 'A draft', isPending: true });
      const thread = model.thread(1, { by: 'ada', body: 'Why?' });
      expect((await forge.look(1)).threads.map(({ id }) => id)).toEqual([thread]);
      await expect(forge.answerThread(1, thread, { text: 'x', resolves: true })).rejects.toMatchObject(
        fails('refused'),
      );
      expect(model.threadOf(thread)).toMatchObject({ isResolved: false, comments: [{ body: 'Why?' }] });
    },
  );

  scene('a request whose answer was lost is not carried out twice (R-PR-12)', {}, async ({ forge, model, push }) => {
    model.labels.add('spec');
    model.person('ada');
    const twice = async (on: string, act: () => Promise<unknown>) => {
      model.failNext({ isAnswerLost: true, on });
      await expect(act()).rejects.toMatchObject(fails('unavailable'));
      return act();
    };
    push('second');
    const second = { ...wanted, branch: 'second', labels: ['spec'], reviewers: ['ada', 'acme/team'] };
    await twice('POST /repos/acme/app/pulls', () => forge.open(second));
    expect(model.pulls.map(({ branch }) => branch)).toEqual(['work', 'second']);
    expect([...(model.pulls[1]?.labels ?? []), ...(model.pulls[1]?.reviewers ?? [])]).toEqual(['spec', 'ada']);
    const thread = model.thread(1, { by: 'ada', body: 'Why?' });
    const answer = { text: 'Done. <!-- specloop: a -->', resolves: true };
    await twice('Reply', () => forge.answerThread(1, thread, answer));
    await twice('Resolve', () => forge.answerThread(1, model.thread(1, { by: 'ada', body: 'And?' }), answer));
    expect(model.threadOf(thread)).toMatchObject({ isResolved: true, comments: [{}, { body: answer.text }] });
    const review = { id: model.review(1, { by: 'ada', opinion: 'asks-for-changes' }), author: 'ada' };
    await twice('/comments', () => forge.answerReview(1, review, `Done. <!-- specloop: ${review.id} -->`));
    expect(model.comments).toHaveLength(1);
  });

  scene(
    'labels and reviewers are not added to a pull request of somebody else (R-PR-1)',
    {},
    async ({ forge, model }) => {
      model.labels.add('spec');
      expect(await forge.open({ ...wanted, title: 'Mine', labels: ['spec'] })).toMatchObject({ number: 1, title: 'T' });
      expect(model.pulls[0]?.labels.size).toBe(0);
    },
  );

  scene('a pull request from a fork with a branch of that name is not ours (R-PR-1)', {}, async ({ forge, model }) => {
    model.change(1, { isCrossRepository: true });
    expect(await forge.find('work')).toBeUndefined();
  });

  test('the scripted GitHub can be started by a script, plays a scenario, and records what was done', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'gh-'));
    const repository = BareRepository.create(join(dir, 'app.git'));
    const commits = [repository.push('main', { a: '1' }, 'One'), repository.push('work', { b: '2' }, 'Two')];
    expect(commits[1]).toBe(repository.headOf('work'));
    const script = fileURLToPath(new URL('../../scripts/github/serve.mjs', import.meta.url));
    const scenario = join(dir, 'scenario.json');
    writeFileSync(scenario, JSON.stringify({ checks: { 'CI / build': { state: 'passed' } } }));
    const server = spawn(process.execPath, [script, repository.dir, dir, scenario], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(server.stdout, 'data');
      const env = { PATH: process.env.PATH ?? '', HOME: dir, ...(JSON.parse(String(line)) as Record<string, string>) };
      const { forgeWith, close } = await gitHubRig((built ?? builtProcesses()).processes);
      const forge = forgeWith({ env });
      await forge.open(wanted);
      expect((await forge.look(1)).checks).toMatchObject([{ name: 'CI / build', state: 'passed' }]);
      await close();
    } finally {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    }
    const record = JSON.parse(readFileSync(join(dir, 'record.json'), 'utf8'));
    expect(record).toMatchObject({ pulls: [{ branch: 'work', base: 'main', pushes: 1 }] });
    rmSync(dir, { recursive: true });
  });
});

if (NO_GH) test.skip(`GitHub by the real gh: ${NO_GH}`, () => {});
