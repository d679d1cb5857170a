import type { JsonValue } from '../../core/json.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { stateFields } from '../../core/run/record/state-fields.ts';
import { updateStateFile } from '../../core/state-file/update.ts';
import type { SpecFiles } from '../../ports/store.ts';
import type { KnownStateText } from './known-state-text.ts';
import { readIfText } from './read-if-text.ts';

/** What is asked of the state file while tasks run. */
export interface StateKeeper {
  /** Its text as we wrote it; `undefined` if there is none. */
  readonly text: string | undefined;
  /** Whether someone else changed the file since we wrote it (R-VER-3). */
  isTouched(): Promise<boolean>;
  /** Puts our text back if someone else changed it. */
  repair(): Promise<void>;
}

/** In a member's worktree there is none. */
export const noStateFile: StateKeeper = {
  text: undefined,
  isTouched: async () => false,
  repair: async () => {},
};

/** `.ralph-state.json`, written from the run's state after every step; unknown fields stay (R-FILE-4, R-FILE-7). */
export class StateFile implements StateKeeper {
  readonly #files: SpecFiles;
  readonly #name: string;
  #text: string | undefined;
  #fields = '';
  /** Someone else had changed it before this process began: it stays as it is until that was looked at. */
  #isLeft: boolean;

  constructor(files: SpecFiles, { name, text, isTouched }: KnownStateText & { readonly name: string }) {
    this.#files = files;
    this.#name = name;
    this.#text = text;
    this.#isLeft = isTouched;
  }

  get text(): string | undefined {
    return this.#text;
  }

  /** Writes the fields that follow from the state, if they changed. */
  async follow(state: RunState): Promise<void> {
    if (state.phase === 'starting' || state.phase === 'PREPARING' || state.rollback !== undefined) return;
    const fields = stateFields(state);
    const seen = JSON.stringify(fields);
    if (seen === this.#fields) return;
    this.#fields = seen;
    await this.#write(fields);
  }

  async remove(): Promise<void> {
    await this.#files.remove(this.#name);
  }

  async isTouched(): Promise<boolean> {
    return (await readIfText(this.#files, this.#name)) !== this.#text;
  }

  async repair(): Promise<void> {
    this.#isLeft = false;
    if (this.#text !== undefined && (await this.isTouched())) await this.#files.write(this.#name, this.#text);
  }

  async #write(fields: Readonly<Record<string, JsonValue | undefined>>): Promise<void> {
    this.#text = updateStateFile(this.#text, fields);
    if (!this.#isLeft) await this.#files.write(this.#name, this.#text);
  }
}
