#!/usr/bin/env node
import packageFile from '../../package.json' with { type: 'json' };
import { UserError } from '../core/user-error.ts';
import { exitWith } from './shared/exit.ts';

const [only, ...more] = process.argv.slice(2);

await exitWith(async () => {
  if (only === '--version' && more.length === 0) {
    process.stdout.write(`${packageFile.version}\n`);
    return 0;
  }
  const { runProgram } = await import('./program.ts');
  const { env, stdout, stderr } = process;
  return await runProgram(process.argv.slice(2), { cwd: currentFolder(), env, stdout, stderr });
}, process);

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UserError(
      'The current folder no longer exists.',
      'Change to another folder, then run the command again.',
    );
  }
}
