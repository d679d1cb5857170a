import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HELP = `Usage: node scripts/prompts.mjs FOLDER

Measures the prompts of the tasks in all Markdown files of a folder: bytes, and tokens estimated as a quarter of them;
median, 90th percentile and largest, as JSON on stdout. Each is that of a first attempt, without notes of a run.
Uses the built program (dist/core.js): run \`npm run build\` first.
`;
const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0 || folder === '--help') {
  process.stdout.write(HELP);
  process.exit(folder === '--help' ? 0 : 2);
}
const { buildBrief, parsePlan } = await import(new URL('../dist/core.js', import.meta.url).href);
const bytes = [];
let plans = 0;
for (const path of markdownIn(folder)) {
  const { tasks } = parsePlan(readFileSync(path, 'utf8'));
  if (tasks.length > 0) plans += 1;
  for (const task of tasks) bytes.push(Buffer.byteLength(promptOf(task)));
}
bytes.sort((one, other) => one - other);
const at = (share) => bytes[Math.min(bytes.length - 1, Math.floor(bytes.length * share))] ?? 0;
const found = { median: at(0.5), ninetieth: at(0.9), largest: at(1) };
const tokens = Object.fromEntries(Object.entries(found).map(([name, size]) => [name, Math.round(size / 4)]));
process.stdout.write(`${JSON.stringify({ plans, tasks: bytes.length, bytes: found, tokens })}\n`);

function promptOf(task) {
  return buildBrief({
    role: task.verify ? 'verifier' : 'executor',
    spec: {
      name: 'demo',
      path: 'specs/demo',
      planFile: 'tasks.md',
      documents: ['research.md', 'requirements.md', 'design.md'],
    },
    task,
    attempt: 1,
    bytesMax: 200_000,
    progress: { goal: '', completed: [], learnings: [] },
    bookkeeping: 'coordinator',
  });
}

function markdownIn(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
