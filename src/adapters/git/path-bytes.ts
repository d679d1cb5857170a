/**
 * Names of files are bytes to git and to Linux, text to us. A byte that is not UTF-8 becomes a lone surrogate
 * (U+DC80 to U+DCFF), which no valid name holds, and turns into the same byte on the way back.
 */

const escapedByte = /[\u{dc80}-\u{dcff}]/u;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a file name, reversible by `bytesOfPath`. */
export function pathOfBytes(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    return escapedText(bytes);
  }
}

/** The bytes of a file name that `pathOfBytes` read. */
export function bytesOfPath(path: string): Buffer {
  if (!escapedByte.test(path)) return Buffer.from(path);
  return Buffer.concat([...path].map(bytesOfCharacter));
}

/** Names that end in NUL, as `-z` prints them. */
export function pathsOfList(bytes: Buffer): readonly string[] {
  return pathOfBytes(bytes).split('\0').slice(0, -1);
}

/** Names as `-z` and `--pathspec-file-nul` read them. */
export function listOfPaths(paths: readonly string[]): Buffer {
  return bytesOfPath(paths.map((path) => `${path}\0`).join(''));
}

function escapedText(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) => isCharacter(bytes.subarray(at, at + n)));
    text +=
      length === undefined ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return text;
}

function isCharacter(bytes: Buffer): boolean {
  try {
    return [...strict.decode(bytes)].length === 1;
  } catch {
    return false;
  }
}

function bytesOfCharacter(character: string): Buffer {
  return escapedByte.test(character) ? Buffer.of(character.charCodeAt(0) - 0xdc00) : Buffer.from(character);
}
