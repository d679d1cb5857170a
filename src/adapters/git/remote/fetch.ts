import { RemoteFault } from '../../../ports/remote.ts';
import { faultOf } from '../fault.ts';
import { readRef } from '../history.ts';
import type { RemoteHere } from './push.ts';
import { troubleOf, wordsOf } from './trouble.ts';

/**
 * See `Remote.fetch`. Only `refs/remotes/<remote>/<branch>` moves, also where the branch was rewritten there: it says what
 * the remote has. Throws `GitFault` for what is wrong on this machine.
 */
export async function fetch(remote: RemoteHere, branch: string): Promise<string | undefined> {
  const { name, tree, calls, network } = remote;
  const ref = `refs/remotes/${name}/${branch}`;
  const answer = await network.read([
    ...['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance'],
    ...['--no-write-fetch-head', '--no-write-commit-graph', '--refmap='],
    ...['--', name, `+refs/heads/${branch}:${ref}`],
  ]);
  if (answer.code === 0 && answer.stopped === 'no') return readRef(calls, tree, ref);
  if (/couldn't find remote ref/.test(answer.stderr)) return undefined;
  const trouble = troubleOf(answer);
  if (trouble === undefined) throw faultOf('fetch', answer);
  throw new RemoteFault(trouble, messageOf(name, trouble, lastComplaint(wordsOf(answer, network.timeouts.fetchMs))));
}

function messageOf(name: string, trouble: RemoteFault['trouble'], said: string): string {
  const what = trouble === 'denied' ? `refused access` : `cannot be reached`;
  return `The remote "${name}" ${what}: ${said}. To see it for yourself, run: git fetch ${name}.`;
}

/** What the remote said itself, else git's own complaint. */
function lastComplaint(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  const complaint = lines.find((line) => /^(remote|ERROR|ssh): |Permission denied/.test(line));
  const line = complaint ?? lines.find((text) => /^(fatal|error): /.test(text)) ?? lines.at(-1) ?? 'git said nothing';
  return line.replace(/^(remote: )?((fatal|error|ERROR): )?/, '').replace(/[.\s]+$/, '');
}
