import { fileURLToPath } from 'node:url';

/** The command that starts the server of the tools: this program itself, as it is built. */
export function serverProgram(): { readonly command: string; readonly args: readonly string[] } {
  const fromSources = import.meta.url.endsWith('.ts');
  const path = fileURLToPath(new URL(fromSources ? '../../../dist/cli.js' : './cli.js', import.meta.url));
  return { command: process.execPath, args: [path, 'mcp'] };
}
