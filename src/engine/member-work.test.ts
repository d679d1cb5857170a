import { beforeEach, describe, expect, test } from 'vitest';
import type { Workspace } from '../ports/workspace.ts';
import { type InTree, MemberWork, type Places } from './member-work.ts';

const accepted = (key: string, attempt = 1) => ({ key, attempt, base: 'c0', spare: ['tasks.md'] });

let looked: string[];
let ends: (() => void)[];
let fault: Error | undefined;
beforeEach(() => {
  looked = [];
  ends = [];
  fault = undefined;
});

/** Each look ends when the test says so. */
const places = {
  workspaces: { find: async (key: string) => (key === 'gone' ? undefined : ({ tree: { dir: key } } as Workspace)) },
  git: {
    workSince: async ({ dir }: { dir: string }) => {
      looked.push(dir);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fault) throw fault;
      return { commit: `work of ${dir}`, paths: [] };
    },
  },
} as unknown as Places;

async function endAll(count: number): Promise<void> {
  await expect.poll(() => ends.length).toBe(count);
  for (const end of ends.splice(0)) end();
}

test('what was begun ahead is not done twice, however often it is begun (R-PAR-3)', async () => {
  const memberWork = new MemberWork();
  memberWork.begin(places, accepted('1.2'));
  memberWork.begin(places, accepted('1.2'));
  const taken = memberWork.take(places, accepted('1.2'));
  await endAll(1);
  expect(await taken).toMatchObject({ work: { commit: 'work of 1.2' } });
  expect(looked).toEqual(['1.2']);
});

test('what was begun for one attempt is not taken for another, nor a second time', async () => {
  const memberWork = new MemberWork();
  memberWork.begin(places, accepted('1.2'));
  const other = memberWork.take(places, accepted('1.2', 2));
  await endAll(2);
  await other;
  await memberWork.take(places, accepted('1.2'));
  const again = memberWork.take(places, accepted('1.2'));
  await endAll(1);
  await again;
  expect(looked).toHaveLength(3);
});

test('what goes wrong ahead of the turn is tried once more, and told if it goes wrong again', async () => {
  const memberWork = new MemberWork();
  fault = new Error('a lock was held');
  for (const key of ['1.2', '1.3']) memberWork.begin(places, accepted(key));
  await endAll(2);
  const [second, third] = ['1.2', '1.3'].map((key) => memberWork.take(places, accepted(key)));
  await expect.poll(() => ends.length).toBe(2);
  ends.pop()?.();
  await expect(third).rejects.toThrow('a lock was held');
  fault = undefined;
  await endAll(1);
  expect(await second).toMatchObject({ work: { commit: 'work of 1.2' } });
  memberWork.begin(places, accepted('gone'));
  expect(await memberWork.take(places, accepted('gone'))).toBeUndefined();
});

test('what is dropped is waited for, and done anew when it is taken (R-VER-7)', async () => {
  const memberWork = new MemberWork();
  memberWork.begin(places, accepted('1.2'));
  let isDropped = false;
  const dropping = memberWork.drop(accepted('1.2')).then(() => {
    isDropped = true;
  });
  await expect.poll(() => looked).toEqual(['1.2']);
  expect(isDropped).toBe(false);
  await endAll(1);
  await dropping;
  const taken = memberWork.take(places, accepted('1.2'));
  await endAll(1);
  await taken;
  expect(looked).toEqual(['1.2', '1.2']);
});

test('a run that ends waits for what nobody took', async () => {
  const memberWork = new MemberWork();
  memberWork.begin(places, accepted('1.2'));
  let isSettled = false;
  const settling = memberWork.settle().then(() => {
    isSettled = true;
  });
  await expect.poll(() => looked).toEqual(['1.2']);
  expect(isSettled).toBe(false);
  fault = new Error('too late');
  await endAll(1);
  await settling;
});

describe('the tree behind a record', () => {
  /** Every look finds another commit. */
  const inTree = (): InTree => {
    let looks = 0;
    const git = { inspect: async () => ({ head: `c${++looks}` }) };
    return { git: git as unknown as InTree['git'], tree: { dir: 'user' } };
  };

  test('what was seen ahead is taken once, if the newest commit is still the one it was seen at (R-PAR-3)', async () => {
    const memberWork = new MemberWork();
    const place = inTree();
    memberWork.lookAhead(place);
    expect(await memberWork.standingAt('c1', place)).toEqual({ head: 'c1' });
    expect(await memberWork.standingAt('c1', place)).toEqual({ head: 'c2' });
    memberWork.lookAhead(place);
    expect(await memberWork.standingAt('c9', place)).toEqual({ head: 'c4' });
  });

  test('once time has passed it is looked at anew', async () => {
    const memberWork = new MemberWork();
    const place = inTree();
    memberWork.lookAhead(place);
    memberWork.lookAnew();
    expect(await memberWork.standingAt('c1', place)).toEqual({ head: 'c2' });
  });

  test('a look ahead that fails is told only if the next one fails as well', async () => {
    const memberWork = new MemberWork();
    const place = inTree();
    const broken = { inspect: () => Promise.reject(new Error('a lock was held')) } as unknown as InTree['git'];
    memberWork.lookAhead({ ...place, git: broken });
    await memberWork.settle();
    expect(await memberWork.standingAt('c1', place)).toEqual({ head: 'c1' });
    await expect(memberWork.standingAt('c1', { ...place, git: broken })).rejects.toThrow('a lock was held');
  });
});
