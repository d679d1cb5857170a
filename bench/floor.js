/**
 * What a task costs without a coordinator: start the same agent in the same way, write the same files, commit. Nothing is
 * checked, nothing survives a crash. Run in a repository that `sample.js` made.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { SPEC } from './sample.js';

const agent = JSON.parse(process.argv[2] ?? '[]');
const PLAN = `specs/${SPEC}/tasks.md`;
const PROGRESS = `specs/${SPEC}/.progress.md`;

const count = readFileSync(PLAN, 'utf8').match(/^- \[ \]/gm).length;
for (let index = 0; index < count; index++) {
  await run(agent, 'The prompt.\n'.repeat(200), { SPECLOOP_TASK_INDEX: index, SPECLOOP_WORKSPACE: process.cwd() });
  writeFileSync(PLAN, readFileSync(PLAN, 'utf8').replace('- [ ]', '- [x]'));
  writeFileSync(PROGRESS, `${readFileSync(PROGRESS, 'utf8')}- [x] 1.${index + 1} Add part ${index + 1} of the work\n`);
  await run(['git', 'add', '--all']);
  await run(['git', 'commit', '--quiet', '--message', `feat(work): add part ${index + 1}`]);
}

async function run([program, ...args], stdin, variables = {}) {
  const child = spawn(program, args, {
    env: { ...process.env, ...variables },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  });
  child.stdout.resume();
  child.stdin?.end(stdin);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}.`);
}
