// Puts the programs of the agents that are tested into a folder of the cache, without their install scripts. Where that
// does not work, it says why, and the tests skip them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../node_modules/.cache/specloop-agents');
const dependencies = { '@google/gemini-cli': '0.61.0', '@openai/codex': '0.171.0', 'opencode-ai': '1.18.33' };

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }, null, 2));
const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
if (status !== 0) console.error(`The agents were not installed: ${error?.message ?? `npm exited with ${status}`}.`);
