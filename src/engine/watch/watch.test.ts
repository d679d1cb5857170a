import { describe, expect, test } from 'vitest';
import type { Undo } from '../../core/watch/compare.ts';
import type { Picture } from '../../core/watch/picture.ts';
import type { Pictures } from '../../ports/pictures.ts';
import { Watch, type WatchedWork, type WatchOrder } from './watch.ts';
import { readWatchRecord, type WatchRecord } from './watch-record.ts';

const CONFIG = '/r/.git/config';
const NONE: Picture = { files: {}, refs: {}, elsewhere: [], stash: [], flags: {}, hooksFolder: '/r/.git/hooks' };

/** A repository whose only setting is this text, and whose trees are those that someone works in. */
class Fake implements Pictures {
  config = '[user]\n\tname = me\n';
  readonly settingsIn = new Map<string, string>();
  records: string[] = [];

  /** Called before a picture of so many trees is taken. */
  onTake: (trees: number) => void = () => {};

  async take({ trees }: Parameters<Pictures['take']>[0]): Promise<Picture> {
    this.onTake(trees.length);
    const shared = { use: 'config', shown: '.git/config', seen: { bytes: this.config, mode: 0o644 } } as const;
    const own = trees.map(({ dir }) => {
      const bytes = this.settingsIn.get(dir);
      const seen = bytes === undefined ? {} : { seen: { bytes, mode: 0o644 } };
      return [`${dir}/s.yaml`, { use: 'settings', shown: 's.yaml', tree: dir, ...seen }] as const;
    });
    const flags = Object.fromEntries(trees.map(({ dir }) => [dir, []]));
    return { ...NONE, files: { [CONFIG]: shared, ...Object.fromEntries(own) }, flags };
  }

  /** Looks at all places that the earlier picture shows, as the real one does. */
  async takeAgain(before: Picture, scene: Parameters<Pictures['take']>[0]): Promise<Picture> {
    const trees = Object.keys(before.flags).map((dir) => ({ dir }));
    const { files } = await this.take({ ...scene, trees });
    return { ...(await this.take(scene)), files };
  }

  isBroken = false;

  async putBack({ files }: Picture, undos: readonly Undo[]) {
    if (this.isBroken) return { keptIn: [], failed: ['.git/config could not be put back: no space left.'] };
    if (undos.some((undo) => undo.what === 'file' && undo.path === CONFIG))
      this.config = files[CONFIG]?.seen?.bytes ?? '';
    return { keptIn: [], failed: [] };
  }

  watch(found: Partial<WatchOrder> = {}): Watch {
    const folder = {
      writeRecord: async (_name: string, text: string) => void this.records.push(text),
      removeRecord: async () => void this.records.push('removed'),
    };
    const setRef = async () => {};
    return new Watch({ pictures: this, main: { dir: '/r' }, spec: 'demo', folder, setRef, ...found });
  }
}

const work = (dir = '/r', when: WatchedWork['when'] = 'begin'): WatchedWork => ({
  tree: { dir },
  branch: 'feat/demo',
  files: ['a.txt'],
  when,
  keepUnder: `refs/kept${dir}`,
});
const nothing = async () => {};

test('what changes after all work and before a commit is put back, and reported with the next work (R-VER-14)', async () => {
  const fake = new Fake();
  const watch = fake.watch();
  await watch.during(work(), nothing);
  const before = fake.config;
  fake.config = '[user]\n\tname = other\n';
  await watch.settle();
  expect(fake.config).toBe(before);
  const { noticed } = await watch.during(work('/r', 'go on'), nothing);
  expect(noticed?.concerns).toEqual(['The git setting user.name was changed in .git/config; it was put back.']);
});

test('what could not be put back is not said to be (R-VER-14)', async () => {
  const fake = new Fake();
  fake.isBroken = true;
  const { noticed } = await fake.watch().during(work(), async () => {
    fake.config = '[user]\n\tname = other\n';
  });
  expect(noticed).toEqual({
    violations: ['The git setting user.name was changed in .git/config.'],
    concerns: ['.git/config could not be put back: no space left.'],
  });
});

test('what a person changed before an attempt begins counts as given (R-VER-14)', async () => {
  const fake = new Fake();
  const watch = fake.watch();
  await watch.during(work(), nothing);
  fake.config = '[user]\n\tname = other\n';
  expect((await watch.during(work(), nothing)).noticed).toBeUndefined();
  expect(fake.config).toContain('other');
});

test('a look before a commit forgets nothing of the trees of members at work (R-VER-14, R-PAR-3)', async () => {
  const fake = new Fake();
  fake.settingsIn.set('/m', 'x');
  const watch = fake.watch();
  const { noticed } = await watch.during(work('/m'), () => watch.settle());
  expect(noticed).toBeUndefined();
});

test('what happens in the tree of one member rejects that one alone; what all share is reported to all at work (R-VER-14)', async () => {
  const fake = new Fake();
  const watch = fake.watch();
  let other: Awaited<ReturnType<typeof watch.during>> | undefined;
  const { noticed } = await watch.during(work('/m'), async () => {
    other = await watch.during(work('/n'), async () => {
      fake.settingsIn.set('/m', 'x');
      fake.config = '';
    });
  });
  const shared = 'The git setting user.name was removed in .git/config; it was put back. 2 tasks were running.';
  expect(other?.noticed).toEqual({ violations: [], concerns: [shared] });
  expect(noticed).toEqual({
    violations: ['The settings file s.yaml was added; it was put back.'],
    concerns: [shared],
  });
});

test('what a member changes while another one joins is not taken for how it was (R-VER-14)', async () => {
  const fake = new Fake();
  const watch = fake.watch();
  const { noticed } = await watch.during(work('/m'), async () => {
    // The user's tree, and those of two members: the picture with the new one in it.
    fake.onTake = (trees) => trees === 3 && fake.settingsIn.set('/m', 'x');
    await watch.during(work('/n'), nothing);
  });
  expect(noticed?.violations).toEqual(['The settings file s.yaml was added; it was put back.']);
});

test('work that throws is followed by the same look (R-VER-14)', async () => {
  const fake = new Fake();
  const act = async () => {
    fake.config = '';
    throw new Error('ended');
  };
  await expect(fake.watch().during(work(), act)).rejects.toThrow('ended');
  expect(fake.config).toContain('me');
});

test('the record holds the picture while somebody is at work, and nothing else (R-VER-14)', async () => {
  const fake = new Fake();
  const watch = fake.watch({ killed: { sentences: [], hooksPath: '/dev/null' } });
  await watch.during(work(), nothing);
  const [during = '', ...after] = fake.records;
  expect(readWatchRecord(during)).toMatchObject({
    spec: 'demo',
    scene: { trees: [{ dir: '/r' }], branch: 'feat/demo' },
    files: ['a.txt'],
    hooksPath: '/dev/null',
  });
  expect(after).toEqual(['removed']);
});

test('what a killed run had left is reported with the first work, and its hooks stay out of our commits (R-VER-14)', async () => {
  const watch = new Fake().watch({ killed: { sentences: ['A was put back.'], hooksPath: '/dev/null' } });
  expect(watch.hooksPath).toBe('/dev/null');
  expect((await watch.during(work(), nothing)).noticed?.concerns).toEqual(['A was put back.']);
  expect((await watch.during(work(), nothing)).noticed).toBeUndefined();
});

describe('work that is handed over (R-VER-14, R-SES-3)', () => {
  const recordOf = (fake: Fake) => readWatchRecord(fake.records.at(-1) ?? '');

  test('a change meanwhile is put back by the next process, and counts against the work when it is taken up', async () => {
    const fake = new Fake();
    const before = fake.config;
    await fake.watch().handOver(work());
    fake.config = '[user]\n\tname = other\n';
    await fake.watch({ handedOver: recordOf(fake) as WatchRecord }).lookAgain();
    expect(fake.config).toBe(before);
    const later = fake.watch({ handedOver: recordOf(fake) as WatchRecord });
    expect((await later.noticedSince(work()))?.violations).toEqual([
      'The git setting user.name was changed in .git/config; it was put back.',
    ]);
  });

  test('it stays watched until it is released, whatever else begins and ends', async () => {
    const fake = new Fake();
    await fake.watch().handOver(work('/m'));
    const watch = fake.watch({ handedOver: recordOf(fake) as WatchRecord });
    await watch.during(work('/n'), nothing);
    expect(recordOf(fake)?.handedOver).toMatchObject([{ tree: { dir: '/m' } }]);
    await watch.noticedSince(work('/m'));
    expect(recordOf(fake)?.handedOver).toHaveLength(1);
    await watch.release(work('/m'));
    expect(fake.records.at(-1)).toBe('removed');
    expect(await watch.noticedSince(work('/m'))).toBeUndefined();
  });

  test('what is in the tree of a member that is done does not count against those that are still at work', async () => {
    const fake = new Fake();
    for (const dir of ['/r', '/m', '/n']) fake.settingsIn.set(dir, 'jobs: 2\n');
    const first = fake.watch();
    await first.handOver(work('/m'));
    await first.handOver(work('/n'));
    await first.noticedSince(work('/m'));
    await first.release(work('/m'));
    await fake.watch({ handedOver: recordOf(fake) as WatchRecord }).lookAgain();
    const later = fake.watch({ handedOver: recordOf(fake) as WatchRecord });
    expect(await later.noticedSince(work('/n'))).toMatchObject({ violations: [], concerns: [] });
  });
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"spec": "a"}',
  '{"spec":"a","before":{},"scene":{"trees":[{"dir":"/r"}],"branch":"b"},"files":[],"handedOver":[{}]}',
  '{"spec":"a","before":{},"scene":{"trees":[],"branch":"b"},"files":[]}',
])('a record that holds %j is none (R-VER-14)', (text) => {
  expect(readWatchRecord(text)).toBeUndefined();
});
