import { readFileSync } from 'node:fs';

const HELP = `Usage: node scripts/answers.mjs FILE.jsonl [--list]

Judges labelled final answers as a run does: by signals, admissions, what is left undone, and doubts.
FILE has one JSON object a line: {"role": "executor"|"verifier"|"reviewer", "text": string, "label": "complete"|"not-complete"}.
Prints how many were rejected and how many raise a doubt, by label, as JSON on stdout; --list tells the ones judged
otherwise than labelled on stderr. Uses the built program (dist/core.js): run \`npm run build\` first.
`;
const ROLES = ['executor', 'verifier', 'reviewer'];

const args = process.argv.slice(2);
const [file, ...more] = args.filter((arg) => !arg.startsWith('--'));
if (args.includes('--help')) {
  process.stdout.write(HELP);
  process.exit(0);
}
if (file === undefined || more.length > 0) fail('Name one file of labelled answers.');
const { DEFAULT_ADMISSIONS, judgeAnswer } = await core();
const counts = {
  complete: { total: 0, rejected: 0, doubt: 0 },
  'not-complete': { total: 0, rejected: 0, doubt: 0, accepted: 0 },
};
for (const { role, text, label, line } of answers(file)) {
  const verdict = judgeAnswer(text, role, { taskId: '1.1', admissions: DEFAULT_ADMISSIONS });
  const count = counts[label];
  count.total += 1;
  if (verdict in count) count[verdict] += 1;
  if (args.includes('--list') && (verdict === 'accepted') !== (label === 'complete'))
    process.stderr.write(`${file}:${line} ${label}, ${verdict}: ${JSON.stringify(text)}\n`);
}
process.stdout.write(`${JSON.stringify(counts)}\n`);

async function core() {
  try {
    return await import(new URL('../dist/core.js', import.meta.url).href);
  } catch (error) {
    return fail(`dist/core.js cannot be loaded (${error.message}). Run \`npm run build\` first.`);
  }
}

function answers(path) {
  let content;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    fail(`${path} cannot be read: ${error.message}`);
  }
  return content
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, line }) => ({ ...answerIn(text, `${path}:${line}`), line }));
}

function answerIn(line, where) {
  let answer;
  try {
    answer = JSON.parse(line);
  } catch {
    fail(`${where} is not JSON.`);
  }
  if (typeof answer?.text !== 'string') fail(`${where} has no "text".`);
  if (!ROLES.includes(answer.role)) fail(`${where}: "role" has to be one of ${ROLES.join(', ')}.`);
  if (!(answer.label in counts)) fail(`${where}: "label" has to be "complete" or "not-complete".`);
  return answer;
}

function fail(message) {
  process.stderr.write(`${message} See --help.\n`);
  process.exit(2);
}
