import { NOTHING_NOTICED, type Noticed } from '../../core/verify/noticed.ts';
import { compare, type Difference, sentenceOf, type Undo } from '../../core/watch/compare.ts';
import { ofTrees, type Picture, partOf, type StashEntry, withMore } from '../../core/watch/picture.ts';
import type { Tree } from '../../ports/git.ts';
import type { Pictures, PutBack, Scene } from '../../ports/pictures.ts';
import type { RunFolder } from '../../ports/store.ts';
import type { AfterKilledRun } from './after-killed-run.ts';
import { naming } from './naming.ts';
import { WATCH_RECORD, type WatchRecord } from './watch-record.ts';

/** Someone's work that may touch what judges it: an agent's, a reviewer's, a Verify command's. */
export interface WatchedWork {
  readonly tree: Tree;
  /** The branch of the run. */
  readonly branch: string;
  /** *Files* of the task. */
  readonly files: readonly string[];
  /** `begin`: an attempt begins, and what a person did before it counts as given. `go on`: it is not over yet. */
  readonly when: 'begin' | 'go on';
  /** The ref that what came to the stash is kept under; names the work too. */
  readonly keepUnder: string;
}

export interface WatchOrder {
  readonly pictures: Pictures;
  /** The user's working tree. */
  readonly main: Tree;
  /** Name of the spec. */
  readonly spec: string;
  /** Keeps the picture as long as someone is at work, for when this process is killed. */
  readonly folder: Pick<RunFolder, 'writeRecord' | 'removeRecord'>;
  /** Makes a ref point to a commit. */
  readonly setRef: (ref: string, commit: string) => Promise<void>;
  /** What a killed run left, and was put right before this one. */
  readonly killed?: AfterKilledRun;
  /** What an earlier process of this run wrote down, if work that it handed over is still out. */
  readonly handedOver?: WatchRecord;
}

/** Work that is going on, and what was noticed of it so far. */
interface AtWork {
  readonly work: WatchedWork;
  readonly violations: string[];
  readonly concerns: string[];
  /** Done by someone else, after this process has ended too. */
  readonly isHandedOver?: true;
}

function handedOverEntry(work: Omit<WatchedWork, 'when'>, { violations, concerns }: Noticed): AtWork {
  return {
    work: { ...work, when: 'begin' },
    violations: [...violations],
    concerns: [...concerns],
    isHandedOver: true,
  };
}

/**
 * Compares what judges the work, and what is the user's, around everything that someone else does in the repository, and
 * puts back at once what may not change (R-VER-14). Members of a batch share one repository: what happens while several
 * are at work rejects none of them, unless it happened in the tree of one.
 */
export class Watch {
  readonly #order: WatchOrder;
  readonly #atWork = new Set<AtWork>();
  /** What all comparisons are made with; absent before the first work. */
  #picture: Picture | undefined;
  #branch = '';
  #hooksPath: string | undefined;
  /** What happened while no one was known to be at work: it is reported with the next work. */
  #unreported: string[] = [];
  /** Settles when the turn that was taken last is over. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(order: WatchOrder) {
    this.#order = order;
    this.#unreported.push(...(order.killed?.sentences ?? []));
    this.#hooksPath = order.killed?.hooksPath ?? order.handedOver?.hooksPath;
    this.#picture = order.handedOver?.before;
    this.#branch = order.handedOver?.scene.branch ?? '';
    for (const { violations, concerns, ...work } of order.handedOver?.handedOver ?? [])
      this.#atWork.add(handedOverEntry({ ...work, branch: this.#branch }, { violations, concerns }));
  }

  /** Where our own commits have to take hooks from, after someone set up hooks in this run; else git knows. */
  get hooksPath(): string | undefined {
    return this.#hooksPath;
  }

  /** Does the work, and resolves with what was noticed around it; also after work that throws, everything is put back. */
  async during<T>(
    work: WatchedWork,
    act: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly noticed: Noticed | undefined }> {
    const entry: AtWork = { work, violations: [], concerns: [] };
    await this.#inTurn(() => this.#begin(entry));
    try {
      const result = await act();
      await this.#inTurn(() => this.#end(entry));
      const { violations, concerns } = entry;
      const isNoteworthy = violations.length > 0 || concerns.length > 0;
      return { result, noticed: isNoteworthy ? { violations, concerns } : undefined };
    } finally {
      if (this.#atWork.has(entry)) await this.#inTurn(() => this.#end(entry));
    }
  }

  /** Begins work that someone else does: it is watched, by later processes too, until it is taken up. */
  async handOver(work: WatchedWork): Promise<void> {
    await this.#inTurn(async () => {
      if (!this.#handedOver(work)) await this.#begin(handedOverEntry(work, NOTHING_NOTICED));
    });
  }

  /** What was noticed since the work was handed over; it stays watched until it is released. `undefined` if its record is lost. */
  async noticedSince(work: WatchedWork): Promise<Noticed | undefined> {
    return await this.#inTurn(async () => {
      await this.#compare();
      return this.#handedOver(work);
    });
  }

  /** Ends the watch over work that was handed over. */
  async release(work: WatchedWork): Promise<void> {
    await this.#inTurn(async () => {
      const entry = this.#handedOver(work);
      if (entry === undefined) return;
      this.#atWork.delete(entry);
      await this.#write();
    });
  }

  /** Looks once more before a commit made by specloop: its hooks and signing are the user's, also if a program outlived its attempt. */
  async settle(): Promise<void> {
    await this.#inTurn(() => this.#compare());
  }

  /** Does what specloop changes in the repository itself, such as the upstream of a branch: it counts as no one's work. */
  async own<T>(act: () => Promise<T>): Promise<T> {
    return await this.#inTurn(async () => {
      await this.#compare();
      const done = await act();
      if (this.#picture !== undefined) this.#picture = await this.#order.pictures.take(this.#scene());
      return done;
    });
  }

  /** Looks at what happened since work was handed over, puts back what may not change, and writes down what was noticed. */
  async lookAgain(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#compare();
      await this.#write();
    });
  }

  async #begin(entry: AtWork): Promise<void> {
    const { tree, branch, when } = entry.work;
    this.#branch = branch;
    const isFresh = this.#picture === undefined || (when === 'begin' && this.#atWork.size === 0);
    if (!isFresh) await this.#compare();
    entry.concerns.push(...this.#unreported.splice(0));
    const isNewTree = this.#picture?.flags[tree.dir] === undefined;
    this.#atWork.add(entry);
    if (isFresh || isNewTree) {
      const now = await this.#order.pictures.take(this.#scene());
      this.#picture = isFresh || this.#picture === undefined ? now : withMore(this.#picture, now);
    }
    await this.#write();
  }

  /** The work of this name that was handed over and is not released. */
  #handedOver({ keepUnder }: WatchedWork): AtWork | undefined {
    return [...this.#atWork].find(({ work, isHandedOver }) => isHandedOver && work.keepUnder === keepUnder);
  }

  async #end(entry: AtWork): Promise<void> {
    try {
      await this.#compare();
    } finally {
      this.#atWork.delete(entry);
    }
    await this.#write();
  }

  #scene(): Scene {
    const { main } = this.#order;
    const others = [...this.#atWork].map(({ work }) => work.tree.dir).filter((dir) => dir !== main.dir);
    return { trees: [main, ...[...new Set(others)].map((dir) => ({ dir }))], branch: this.#branch };
  }

  /** Writes down what a later process needs to put back what changed; nothing while no one is at work. */
  async #write(): Promise<void> {
    const { folder } = this.#order;
    if (this.#picture === undefined || this.#atWork.size === 0) return await folder.removeRecord(WATCH_RECORD);
    await folder.writeRecord(WATCH_RECORD, JSON.stringify(this.#recordOf(this.#picture)));
  }

  #recordOf(picture: Picture): WatchRecord {
    const scene = this.#scene();
    const handedOver = [...this.#atWork].flatMap(({ work, violations, concerns, isHandedOver }) => {
      const { tree, files, keepUnder } = work;
      return isHandedOver ? [{ tree, files, keepUnder, violations, concerns }] : [];
    });
    return {
      spec: this.#order.spec,
      // Without the trees of those that are done: a later process, which does not look there, would take all of them as new.
      before: ofTrees(picture, scene.trees),
      scene,
      files: this.#files(),
      ...(this.#hooksPath !== undefined && { hooksPath: this.#hooksPath }),
      ...(handedOver.length > 0 && { handedOver }),
    };
  }

  #files(): readonly string[] {
    return [...new Set([...this.#atWork].flatMap(({ work }) => work.files))];
  }

  /** Looks at what changed since the last picture, puts back what may not change, and reports both. */
  async #compare(): Promise<void> {
    const { pictures } = this.#order;
    const before = this.#picture;
    if (before === undefined) return;
    const scene = this.#scene();
    const now = await pictures.take(scene);
    const { differences, hooksPath, stashed } = compare(partOf(before, now), now, naming(this.#files()));
    const undos = differences.flatMap(({ undo }) => undo ?? []);
    const done = undos.length === 0 ? nothing : await pictures.putBack(before, undos);
    this.#hooksPath ??= hooksPath;
    this.#picture = undos.length === 0 ? now : await pictures.take(scene);
    for (const difference of differences) this.#report(difference, done.failed.length === 0);
    if (undos.length > 0) this.#reportPutBack(done, undos);
    await this.#keepStashed(stashed);
  }

  /**
   * What happened in the tree of one is reported to that one, all else to everyone at work. It rejects an attempt only where no
   * other one can have done it.
   */
  #report(difference: Difference, isPutBack: boolean): void {
    const { rejects, tree } = difference;
    const sentence = sentenceOf(difference, isPutBack);
    const all = [...this.#atWork];
    const inTree = all.filter(({ work }) => work.tree.dir === tree);
    const suspects = inTree.length > 0 ? inTree : all;
    const [only, ...more] = suspects;
    if (only === undefined) this.#unreported.push(sentence);
    else if (more.length === 0) (rejects ? only.violations : only.concerns).push(sentence);
    else for (const { concerns } of suspects) concerns.push(`${sentence} ${suspects.length} tasks were running.`);
  }

  #reportPutBack({ keptIn, failed }: PutBack, undos: readonly Undo[]): void {
    const sentences = [
      ...failed,
      ...(keptIn.length === 0 ? [] : [`What was replaced is kept in ${keptIn.join(', ')}.`]),
    ];
    if (sentences.length === 0 || undos.length === 0) return;
    for (const { concerns } of this.#atWork) concerns.push(...sentences);
    if (this.#atWork.size === 0) this.#unreported.push(...sentences);
  }

  async #keepStashed(stashed: readonly StashEntry[]): Promise<void> {
    const [entry] = this.#atWork;
    if (entry === undefined) return;
    for (const one of stashed) {
      const ref = `${entry.work.keepUnder}-stash-${one.commit.slice(0, 8)}`;
      await this.#order.setRef(ref, one.commit);
      entry.concerns.push(`What was added to the stash is also kept under ${ref}.`);
    }
  }

  /** Runs one thing after the other: a picture that is being taken must not meet what another call puts back. */
  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(act, act);
    this.#last = mine.catch(() => undefined);
    return await mine;
  }
}

const nothing: PutBack = { keptIn: [], failed: [] };
