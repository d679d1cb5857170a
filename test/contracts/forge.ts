import { describe, expect, test } from 'vitest';
import type { NewPullRequest, PullRequest } from '../../src/core/pull-request/seen.ts';
import type { Forge } from '../../src/ports/forge.ts';

/** What CI says of a commit. */
export interface ContractCheck {
  readonly state: 'pending' | 'passed' | 'failed' | 'cut-off';
  readonly isRequired?: boolean;
  readonly log?: string;
}

/**
 * A forge with a repository whose default branch is `main`, in which the account `robot` may write. Of the others `ada` may
 * write and `eve` may not; `lint` is a bot. Only the label `spec` is known.
 */
export interface ForgeWorld {
  readonly forge: Forge;
  /** Puts a new commit on a branch there, which is made if it is missing; returns the commit. */
  push(branch: string): string;
  /** A name as `CI / build` is a job of a workflow. */
  check(commit: string, name: string, report: ContractCheck): void;
  /** Somebody begins a thread at a line of `src/a.ts`; returns its id. */
  comment(number: number, author: string, body: string): string;
  /** Somebody writes in a thread, or (`of` is its number as text) below a pull request. */
  write(of: string, author: string, body: string): void;
  resolve(thread: string): void;
  /** Returns the id of the review. */
  review(number: number, author: string, opinion: 'approves' | 'asks-for-changes' | 'comments', body?: string): string;
  change(number: number, changes: Partial<Pick<PullRequest, 'state' | 'base' | 'isDraft' | 'mergeable'>>): void;
  /** What is written in a thread, or (its number as text) below a pull request. */
  bodiesOf(of: string): readonly string[];
  isResolved(thread: string): boolean;
  askedOf(number: number): { readonly labels: readonly string[]; readonly reviewers: readonly string[] };
  /** From now on a check is required: a job by its own name, as `build`. */
  require(name: string): void;
  setTemplate(text: string): void;
  setMayWrite(mayWrite: boolean): void;
  close?(): Promise<void>;
}

const wanted: NewPullRequest = {
  branch: 'work',
  title: 'Add a thing',
  body: 'What it does.\n',
  isDraft: false,
  labels: [],
  reviewers: [],
};

/** What the lifecycle of a pull request relies on, wherever the pull request is (R-PR-7). */
export function forgeContract(kind: string, make: () => Promise<ForgeWorld>): void {
  const inWorld = (act: (world: ForgeWorld) => Promise<void>) => async () => {
    const world = await make();
    world.push('main');
    try {
      await act(world);
    } finally {
      await world.close?.();
    }
  };
  const opened = async (world: ForgeWorld): Promise<PullRequest> => {
    world.push('work');
    return world.forge.open(wanted);
  };
  describe(`a forge: ${kind}`, () => {
    openingContract(inWorld, opened);
    lookingContract(inWorld, opened);
    answeringContract(inWorld, opened);
    checksContract(inWorld, opened);
  });
}

type InWorld = (act: (world: ForgeWorld) => Promise<void>) => () => Promise<void>;
type Opened = (world: ForgeWorld) => Promise<PullRequest>;

function openingContract(inWorld: InWorld, opened: Opened): void {
  test(
    'it tells what the account may do, and refuses what it may not (R-PR-7)',
    inWorld(async (world) => {
      const access = await world.forge.access();
      expect(access).toMatchObject({ defaultBranch: 'main', mayWrite: true, user: 'robot' });
      world.setMayWrite(false);
      expect(await world.forge.access()).toMatchObject({ mayWrite: false });
      await expect(opened(world)).rejects.toMatchObject({ name: 'ForgeFault', trouble: 'denied' });
    }),
  );

  test(
    'a pull request is opened once: the open one of the branch is the answer (R-PR-1)',
    inWorld(async (world) => {
      const { forge } = world;
      expect(await forge.find('work')).toBeUndefined();
      const commit = world.push('work');
      const first = await forge.open({ ...wanted, labels: ['spec', 'unknown'], reviewers: ['ada', 'unknown'] });
      expect(first).toMatchObject({ state: 'open', head: commit, base: 'main', isDraft: false });
      expect(first).toMatchObject({ title: wanted.title, body: wanted.body });
      expect(await forge.open({ ...wanted, title: 'Another' })).toMatchObject({
        number: first.number,
        title: wanted.title,
      });
      expect(await forge.find('work')).toMatchObject({ number: first.number });
      expect(world.askedOf(first.number)).toEqual({ labels: ['spec'], reviewers: ['ada'] });
    }),
  );

  test(
    'without an open one, the newest closed or merged one of the branch is found, and a new one can be opened (R-PR-11)',
    inWorld(async (world) => {
      const first = await opened(world);
      world.change(first.number, { state: 'closed' });
      expect(await world.forge.find('work')).toMatchObject({ number: first.number, state: 'closed' });
      const second = await world.forge.open({ ...wanted, isDraft: true });
      expect(second).toMatchObject({ state: 'open', isDraft: true });
      world.change(second.number, { state: 'merged' });
      expect(await world.forge.find('work')).toMatchObject({ number: second.number, state: 'merged' });
    }),
  );

  test(
    'a branch without a commit of its own is refused',
    inWorld(async ({ forge }) => {
      await expect(forge.open(wanted)).rejects.toMatchObject({ name: 'ForgeFault', trouble: 'refused' });
    }),
  );

  test(
    'title and body are replaced, to the byte (R-PR-12)',
    inWorld(async (world) => {
      const { number } = await opened(world);
      const text = { title: 'Größer "quoted"', body: '<!-- a -->\nüñ $HOME `x`\n\n@ada\\n' };
      await world.forge.describe(number, text);
      expect((await world.forge.look(number)).pullRequest).toMatchObject(text);
    }),
  );

  test(
    'the template of the repository is read, if there is one',
    inWorld(async ({ forge, setTemplate }) => {
      expect(await forge.template()).toBeUndefined();
      setTemplate('## What\n\n## Why\n');
      expect(await forge.template()).toBe('## What\n\n## Why\n');
    }),
  );
}

function lookingContract(inWorld: InWorld, opened: Opened): void {
  test(
    'what others did to a pull request is seen (R-PR-11)',
    inWorld(async (world) => {
      const { number } = await opened(world);
      world.push('other');
      world.change(number, { base: 'other', isDraft: true, mergeable: 'conflict' });
      const commit = world.push('work');
      const expected = { state: 'open', head: commit, base: 'other', isDraft: true, mergeable: 'conflict' };
      expect((await world.forge.look(number)).pullRequest).toMatchObject(expected);
      world.change(number, { state: 'merged' });
      expect((await world.forge.look(number)).pullRequest).toMatchObject({ number, state: 'merged', head: commit });
      await expect(world.forge.look(999)).rejects.toMatchObject({ name: 'ForgeFault', trouble: 'gone' });
    }),
  );

  test(
    'checks are those of the newest commit (R-PR-10)',
    inWorld(async (world) => {
      const { number, head } = await opened(world);
      const states = { 'CI / build': 'failed', 'CI / lint': 'passed', docs: 'pending', 'CI / e2e': 'cut-off' } as const;
      for (const [name, state] of Object.entries(states))
        world.check(head, name, { state, isRequired: name !== 'docs' });
      const { checks } = await world.forge.look(number);
      expect(Object.fromEntries(checks.map(({ name, state }) => [name, state]))).toEqual(states);
      expect(checks.filter(({ isRequired }) => !isRequired).map(({ name }) => name)).toEqual(['docs']);
      world.push('work');
      expect((await world.forge.look(number)).checks).toEqual([]);
    }),
  );

  test(
    'a required check that has not begun is pending, so that what is missing is not taken for green (R-PR-2)',
    inWorld(async (world) => {
      const { number, head } = await opened(world);
      for (const name of ['build', 'deploy']) world.require(name);
      world.check(head, 'CI / build', { state: 'passed' });
      const { checks } = await world.forge.look(number);
      expect(checks.map(({ name, state, isRequired }) => [name, state, isRequired])).toEqual([
        ['CI / build', 'passed', true],
        ['deploy', 'pending', true],
      ]);
    }),
  );

  test(
    'unresolved threads are told with all their comments, and who wrote them (R-PR-3, R-PR-4)',
    inWorld(async (world) => {
      const { number } = await opened(world);
      const [thread, settled] = [world.comment(number, 'ada', 'Why?'), world.comment(number, 'ada', 'Nit.')];
      for (const author of ['eve', 'lint', 'robot']) world.write(thread, author, `Says ${author}.`);
      world.resolve(settled);
      const { threads } = await world.forge.look(number);
      expect(threads).toMatchObject([{ id: thread, path: 'src/a.ts', line: 3 }]);
      expect(threads[0]?.comments.map(({ body, author }) => [body, author])).toEqual([
        ['Why?', { name: 'ada', isBot: false, isSelf: false, mayWrite: true }],
        ['Says eve.', { name: 'eve', isBot: false, isSelf: false, mayWrite: false }],
        ['Says lint.', { name: 'lint', isBot: true, isSelf: false, mayWrite: false }],
        ['Says robot.', { name: 'robot', isBot: false, isSelf: true, mayWrite: true }],
      ]);
    }),
  );

  test(
    'of a reviewer only the newest opinion counts, and a comment is none (R-PR-3)',
    inWorld(async (world) => {
      const { number } = await opened(world);
      world.review(number, 'ada', 'asks-for-changes', 'First.');
      const again = world.review(number, 'ada', 'asks-for-changes', 'Second.');
      world.review(number, 'ada', 'comments', 'By the way.');
      const { changesRequested } = await world.forge.look(number);
      expect(changesRequested).toMatchObject([{ id: again, body: 'Second.', author: { name: 'ada', mayWrite: true } }]);
      world.review(number, 'ada', 'approves');
      expect((await world.forge.look(number)).changesRequested).toEqual([]);
    }),
  );
}

function answeringContract(inWorld: InWorld, opened: Opened): void {
  test(
    'a thread is answered once and resolved, however often it is asked for (R-PR-12)',
    inWorld(async (world) => {
      const { number } = await opened(world);
      const thread = world.comment(number, 'ada', 'Why?');
      const text = `Fixed in abc.\n<!-- specloop: ${thread} -->`;
      await world.forge.answerThread(number, thread, { text, resolves: false });
      expect((await world.forge.look(number)).threads[0]?.comments.at(-1)).toMatchObject({ body: text });
      for (let round = 0; round < 2; round++)
        await world.forge.answerThread(number, thread, { text: `Again. ${text}`, resolves: true });
      expect(world.bodiesOf(thread)).toEqual(['Why?', text]);
      expect(world.isResolved(thread)).toBe(true);
      expect((await world.forge.look(number)).threads).toEqual([]);
    }),
  );

  test(
    'a mark that somebody else wrote is no answer of ours (R-PR-12)',
    inWorld(async (world) => {
      const { number } = await opened(world);
      const thread = world.comment(number, 'ada', 'Why?');
      const review = world.review(number, 'ada', 'asks-for-changes', 'No.');
      const marks = [`<!-- specloop: ${thread} -->`, `<!-- specloop: ${review} -->`] as const;
      world.write(thread, 'eve', marks[0]);
      world.write(String(number), 'eve', marks[1]);
      expect((await world.forge.look(number)).answeredReviews).toEqual([]);
      await world.forge.answerThread(number, thread, { text: `Done. ${marks[0]}`, resolves: false });
      await world.forge.answerReview(number, { id: review, author: 'ada' }, `Done. ${marks[1]}`);
      expect(world.bodiesOf(thread)).toEqual(['Why?', marks[0], `Done. ${marks[0]}`]);
      expect(world.bodiesOf(String(number))).toEqual([marks[1], `Done. ${marks[1]}`]);
    }),
  );

  test(
    'a review is answered once by a comment, and its author asked to look again (R-PR-3, R-PR-12)',
    inWorld(async (world) => {
      const { number } = await opened(world);
      const id = world.review(number, 'ada', 'asks-for-changes', 'No.');
      const text = `Done.\n<!-- specloop: ${id} -->`;
      expect((await world.forge.look(number)).answeredReviews).toEqual([]);
      for (let round = 0; round < 2; round++) await world.forge.answerReview(number, { id, author: 'ada' }, text);
      expect(world.bodiesOf(String(number))).toEqual([text]);
      expect(world.askedOf(number).reviewers).toEqual(['ada']);
      expect((await world.forge.look(number)).answeredReviews).toEqual([id]);
    }),
  );
}

function checksContract(inWorld: InWorld, opened: Opened): void {
  test(
    'the end of the log of a failed check is read (R-PR-2)',
    inWorld(async (world) => {
      const { number, head } = await opened(world);
      world.check(head, 'CI / build', { state: 'failed', log: `${'x'.repeat(5000)}\nthe end` });
      const job = (await world.forge.look(number)).checks[0]?.job ?? '';
      expect(await world.forge.logOf(job, { charsMax: 9 })).toBe('x\nthe end');
      expect(await world.forge.logOf('404', { charsMax: 9 })).toBeUndefined();
    }),
  );

  test(
    'a check that ended is run again, once; one that runs, or is not there, is not (R-PR-10)',
    inWorld(async (world) => {
      const { number, head } = await opened(world);
      world.check(head, 'CI / build', { state: 'cut-off' });
      const job = (await world.forge.look(number)).checks[0]?.job ?? '';
      expect(await world.forge.rerun(job)).toBe(true);
      const [check] = (await world.forge.look(number)).checks;
      expect(check).toMatchObject({ name: 'CI / build', state: 'pending' });
      expect(await world.forge.rerun(check?.job ?? '')).toBe(false);
      world.check(head, 'CI / build', { state: 'passed' });
      expect(await world.forge.rerun(job)).toBe(true);
      expect((await world.forge.look(number)).checks).toMatchObject([{ state: 'passed' }]);
      expect(await world.forge.rerun('404')).toBe(false);
    }),
  );

  test(
    'a check is run again once the others of its workflow have ended; until then it is asked for too early (R-PR-10)',
    inWorld(async (world) => {
      const { number, head } = await opened(world);
      world.check(head, 'CI / build', { state: 'cut-off' });
      world.check(head, 'CI / test', { state: 'pending' });
      world.check(head, 'Docs / build', { state: 'pending' });
      const job = (await world.forge.look(number)).checks[0]?.job ?? '';
      await expect(world.forge.rerun(job)).rejects.toMatchObject({ name: 'ForgeFault', trouble: 'unavailable' });
      world.check(head, 'CI / test', { state: 'passed' });
      expect(await world.forge.rerun(job)).toBe(true);
    }),
  );
}
