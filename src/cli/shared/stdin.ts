import type { Readable } from 'node:stream';

const BYTES_MAX = 64 * 1024 * 1024;
const WAIT_MS = 3_000;

/**
 * What an agent's program writes to a hook's stdin. Nothing for a terminal and for what does not end: more than 64 MiB is no input
 * of a hook, and after three seconds what has come is all (R-SES-5).
 */
export async function readStdin(stdin: Readable & { readonly isTTY?: boolean } = process.stdin): Promise<string> {
  if (stdin.isTTY === true) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  return await new Promise<string>((resolve) => {
    const end = (text: string) => {
      clearTimeout(timer);
      stdin.destroy();
      resolve(text);
    };
    const all = () => end(Buffer.concat(chunks).toString('utf8'));
    const timer = setTimeout(all, WAIT_MS);
    stdin.on('error', () => end(''));
    stdin.on('end', all);
    stdin.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > BYTES_MAX) end('');
    });
  });
}
