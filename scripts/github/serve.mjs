/**
 * Serves a scripted GitHub until it is ended. First it prints the variables that make a `gh` use it, as one line of JSON:
 *
 *     node scripts/github/serve.mjs BARE-REPOSITORY FOLDER [SCENARIO]
 *
 * FOLDER is an empty folder of its own with a short path; SCENARIO is a name out of `scenarios.mjs`, or a file of JSON. What
 * the account and people have done is in `FOLDER/record.json` once it is ended with SIGTERM.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GitHubModel, play, scenarios, serveGitHub } from './github.mjs';

const [gitDir, folder, scenario] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node scripts/github/serve.mjs BARE-REPOSITORY FOLDER [SCENARIO]');

const dir = resolve(folder);
const model = new GitHubModel({ gitDir: resolve(gitDir) });
if (scenario !== undefined) play(model, scenarios[scenario] ?? JSON.parse(readFileSync(scenario, 'utf8')));
const { env, requests, close } = await serveGitHub(model, dir);
process.once('SIGTERM', () => {
  const { pulls, threads, reviews, comments } = model;
  const lists = (_key, value) => (value instanceof Set ? [...value] : value);
  writeFileSync(join(dir, 'record.json'), JSON.stringify({ requests, pulls, threads, reviews, comments }, lists, 2));
  void close();
});
console.log(JSON.stringify(env));
