import { systemClock } from '../../adapters/clock/system.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { repositoryAround } from '../../adapters/git/git-folder.ts';
import { gitPictures } from '../../adapters/git/watch/git-pictures.ts';
import { nodeProcesses } from '../../adapters/process/node.ts';
import { acquireLock } from '../../adapters/store/lock.ts';
import { ownOwner } from '../../adapters/store/owner-record.ts';
import { specPrivateFolders } from '../../adapters/store/private-folder.ts';
import { runArchive } from '../../adapters/store/run-folder.ts';
import { redactor } from '../../core/text/redact.ts';
import { visible } from '../../core/text/sanitise.ts';
import { type AfterKilledRun, afterKilledRun } from '../../engine/watch/after-killed-run.ts';
import { Watch } from '../../engine/watch/watch.ts';
import { readWatchRecord, WATCH_RECORD, type WatchRecord } from '../../engine/watch/watch-record.ts';
import type { Pictures } from '../../ports/pictures.ts';
import type { RunFolder } from '../../ports/store.ts';
import type { Host } from '../host.ts';
import { secretsOf } from '../trust/secrets.ts';
import { endDeadRun } from './end-dead-run.ts';
import { keptReplaced, ofPerson } from './watch.ts';

/** What a run that was killed while someone was at work has left. */
interface Killed {
  readonly run: string;
  readonly folder: RunFolder;
  readonly text: string;
}

/**
 * Puts right what judges the work after runs of this repository that were killed while an agent or a command was at work
 * (R-VER-14). It comes before anything else is asked or read: git's settings and ours may be what was changed. Tells as
 * notices what was found, and returns it for the run that comes; `undefined` where all was as it had been.
 */
export async function afterKilledRuns(host: Pick<Host, 'cwd' | 'env' | 'notify'>): Promise<AfterKilledRun | undefined> {
  const repository = await repositoryAround(host.cwd);
  if (repository === undefined) return undefined;
  let all: AfterKilledRun | undefined;
  for (const dir of specPrivateFolders(repository.commonDir)) {
    if ((await killedIn(dir)) === undefined) continue;
    const locked = await acquireLock(dir, ownOwner(systemClock));
    if (!locked.ok) continue; // It is at work.
    try {
      const killed = await killedIn(dir);
      const found = killed && (await putRight(killed, repository, host));
      if (found !== undefined) all = { ...all, ...found, sentences: [...(all?.sentences ?? []), ...found.sentences] };
    } finally {
      locked.lock.release();
    }
  }
  return all;
}

/** The newest run of a spec that left a record. */
async function killedIn(dir: string): Promise<Killed | undefined> {
  const archive = runArchive({ dir, spec: '', clock: systemClock, chance: Math.random });
  for (const run of (await archive.list()).toReversed()) {
    const folder = archive.folder(run);
    const text = await folder.readRecord(WATCH_RECORD);
    if (text) return { run, folder, text };
  }
  return undefined;
}

async function putRight(
  { run, folder, text }: Killed,
  { root, commonDir }: { readonly root: string; readonly commonDir: string },
  { env, notify }: Pick<Host, 'env' | 'notify'>,
): Promise<AfterKilledRun | undefined> {
  await endDeadRun({ run, commonDir }, nodeProcesses({ runMark: run, containment: 'marker' }), { notify });
  const record = readWatchRecord(text);
  if (record === undefined) {
    notify(
      `What the killed run ${run} wrote down about git's settings, hooks, refs and the stash is damaged, so they could not be compared. Look at them yourself.`,
    );
    await folder.removeRecord(WATCH_RECORD);
    return undefined;
  }
  const place = await rootOf(record, root);
  const pictures = gitPictures({
    root: place,
    env,
    own: { settings: [], personal: [], programs: [] },
    parts: ofPerson({ root: place, commonDir }, env).parts,
    ...keptReplaced(folder, { spec: record.spec, run }),
  });
  if (record.handedOver) {
    await lookAgain(record, { place, folder, pictures, env });
    return undefined;
  }
  const found = await afterKilledRun(record, pictures);
  await folder.removeRecord(WATCH_RECORD);
  if (found.sentences.length === 0) return found.hooksPath === undefined ? undefined : found;
  const redact = redactor(secretsOf(env));
  const lines = found.sentences.map((sentence) => `  ${visible(redact(sentence))}`);
  notify(
    `Run ${run} of ${visible(record.spec)} was killed while an agent or a command was at work. Since then, or by it:\n${lines.join('\n')}`,
  );
  return { ...found, sentences: found.sentences.map(redact) };
}

/** Someone is at work on what the run handed over: what happened since counts for, or against, their work, and the record stays. */
async function lookAgain(
  record: WatchRecord,
  {
    place,
    folder,
    pictures,
    env,
  }: Pick<Killed, 'folder'> & Pick<Host, 'env'> & { readonly place: string; readonly pictures: Pictures },
): Promise<void> {
  const git = gitCli({ root: place, env });
  const watch = new Watch({
    main: { dir: place },
    spec: record.spec,
    folder,
    pictures: { ...pictures, take: (scene) => pictures.takeAgain(record.before, scene) },
    setRef: (ref, commit) => git.setRef(ref, commit),
    handedOver: record,
  });
  await watch.lookAgain();
}

/** The tree that the run worked in; the one that we are in, where that is gone. */
async function rootOf({ scene }: WatchRecord, here: string): Promise<string> {
  const [main] = scene.trees;
  return main !== undefined && (await repositoryAround(main.dir))?.root === main.dir ? main.dir : here;
}
