import type { FileUse } from '../../../core/watch/picture.ts';

/** A part of a file that others may change in the meantime, as what is trusted in one of several workspaces. */
export interface FilePart {
  /** Unlike any path of a file. */
  readonly name: string;
  readonly use: FileUse;
  readonly shown: string;
  /** `undefined` where there is none. */
  read(): string | undefined;
  /** Puts it back as it was. */
  write(text: string | undefined): Promise<void>;
}
