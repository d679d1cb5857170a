import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PROGRAM, type Workshop } from '../cli/rig.ts';
import { codex } from './real-agents.ts';

/** The real Codex in a workshop, with the program and its plugin installed, and a model service at this address. */
export interface CodexSession {
  /** Runs a session to its end, which begins with these words of its user. */
  readonly say: (words: string) => Promise<{ readonly out: string; readonly err: string }>;
}

export async function codexSession({ dir, env: own }: Workshop, url: string): Promise<CodexSession> {
  const home = own.HOME ?? '';
  const bin = join(home, 'bin');
  const temporary = join(home, 'tmp');
  for (const folder of [bin, temporary]) mkdirSync(folder);
  writeFileSync(join(bin, 'specloop'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(join(bin, 'specloop'), 0o755);
  // Codex runs commands in a login shell, which makes its own PATH.
  writeFileSync(join(home, '.bash_profile'), `export PATH='${bin}':"$PATH"\n`);
  const env = {
    ...own,
    ...codex.settings(home, url),
    TMPDIR: temporary,
    PATH: [bin, process.env.PATH].join(delimiter),
  };
  const installed = spawn(process.execPath, [PROGRAM, 'plugin', 'install', '--codex'], { cwd: dir, env });
  const code = await new Promise((exit) => installed.on('exit', exit));
  if (code !== 0) throw new Error(`The plugin was not installed: exit code ${code}.`);
  const args = ['exec', '--json', '--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'];
  const all = [...args, '--model', codex.model, '--disable', 'plugins', '--disable', 'apps', '-'];
  return {
    say: async (words) => {
      const child = spawn(codex.program, all, { cwd: dir, env, stdio: ['pipe', 'pipe', 'pipe'] });
      child.stdin.end(words);
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { out, err };
    },
  };
}
