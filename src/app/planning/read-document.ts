import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import { readArtifact } from '../../core/artifact/artifact-text.ts';
import { advisesAgainst } from '../../core/artifact/verdict.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { approvedContent } from '../../core/planning/approved-content.ts';
import { DOCUMENTS, FILE_OF } from '../../core/planning/steps.ts';
import { NotText, StorageFault, TooLarge } from '../../ports/store.ts';

/** An author has no use for more, and a reviewer cannot read it. */
const BYTES_MAX = 256 * 1024;

/** A document of a spec as it is now. */
export type ReadDocument =
  | { readonly is: 'text'; readonly text: string; readonly sha256: string }
  | { readonly is: 'missing' }
  /** `why` says what keeps it from being read, to be put after "it". */
  | { readonly is: 'unreadable'; readonly why: string };

/** Reads a document of a spec, or with `file` a part of it. What an agent may have put in its place is an answer, never thrown. */
export function readDocument(
  { dir, isSingleFile }: Pick<SpecFolder, 'dir' | 'isSingleFile'>,
  artifact: Drafted,
  file: string = FILE_OF[artifact],
): ReadDocument {
  if (isSingleFile) return { is: 'missing' }; // The documents next to it are a person's own.
  try {
    const text = readText(join(dir, file), BYTES_MAX);
    if (text === undefined) return { is: 'missing' };
    const at = text.indexOf('\0');
    if (at !== -1)
      return { is: 'unreadable', why: `has a NUL character in line ${text.slice(0, at).split('\n').length}` };
    return { is: 'text', text, sha256: contentHash(artifact, text) };
  } catch (error) {
    if (error instanceof NotText) return { is: 'unreadable', why: `is no UTF-8 text from line ${error.line} on` };
    if (error instanceof TooLarge) return { is: 'unreadable', why: `has more than ${BYTES_MAX / 1024} KiB` };
    if (error instanceof StorageFault && error.kind !== 'io') return { is: 'unreadable', why: 'is no plain file' };
    throw error;
  }
}

/** The hashes of the documents that are there and can be read, by name. */
export function hashesOf(
  spec: Pick<SpecFolder, 'dir' | 'isSingleFile'>,
  names: readonly Drafted[] = DOCUMENTS,
): Readonly<Partial<Record<Drafted, string>>> {
  const found = names.flatMap((name) => {
    const document = readDocument(spec, name);
    return document.is === 'text' ? [[name, document.sha256] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Whether the research of a spec says that its goal should not be met (R-STOP-1). */
export function researchAdvisesAgainst(spec: Pick<SpecFolder, 'dir'>): boolean {
  const research = readDocument(spec, 'research');
  return research.is === 'text' && advisesAgainst(readArtifact('research', FILE_OF.research, research.text));
}

/** The hash of what of a document an approval is bound to (R-GATE-2). */
export function contentHash(artifact: Drafted, text: string): string {
  return hashOf(approvedContent(artifact, text));
}

/** The hash of a text, in hexadecimal digits. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
