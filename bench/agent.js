/**
 * The least an agent can do: reads its prompt, appends a line, says that it is done. Every few tasks it first asks the
 * bench for its turn, so that two runs can be measured in turns on one machine.
 */
import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

const [, , socketPath, side, turnTasks] = process.argv;
const index = Number(process.env.SPECLOOP_TASK_INDEX);
if (process.env.SPECLOOP_ROLE !== 'reviewer' && index % Number(turnTasks) === 0) await turn();
process.stdin.resume();
process.stdin.on('end', () => {
  if (process.env.SPECLOOP_ROLE === 'reviewer') return process.stdout.write('REVIEW_PASS\n');
  appendFileSync(join(process.env.SPECLOOP_WORKSPACE, 'work.txt'), `part ${index}\n`);
  process.stdout.write('The part is added.\n\nTASK_COMPLETE\n');
});

async function turn() {
  const socket = connect(socketPath);
  socket.write(`${side}\n`);
  await new Promise((go) => socket.once('end', go).resume());
}
