import type { GitAnswer } from '../program.ts';

/** What git, ssh and the forges say to someone who has no rights, or has not proved who they are. */
const DENIED =
  /(error: |HTTP )40[13]\b|Authentication failed|could not read (Username|Password)|Permission denied|Permission to .+ denied|denied to |access denied|not authorized|Invalid username or|marked as read only|Host key verification failed|insufficient permission/i;

/** What they say where no answer comes, or none of a repository. */
const UNREACHABLE =
  /could not resolve|unable to access|unable to connect|unable to look up|could not read from remote|repository .*not found|does not appear to be a git|does not exist|hung up|RPC failed|early EOF|timed out|disconnect|connection (refused|reset|closed)|network is unreachable|no route to host/i;

/** Why a remote could not be reached; `undefined` if git failed over something else. */
export function troubleOf({ stderr, stopped }: GitAnswer): 'denied' | 'unreachable' | undefined {
  if (stopped === 'too-long') return 'unreachable';
  if (DENIED.test(stderr)) return 'denied';
  return UNREACHABLE.test(stderr) ? 'unreachable' : undefined;
}

/** What git and the remote said, without the name and password that an address may hold. */
export function wordsOf({ stderr, stopped }: GitAnswer, limitMs: number): string {
  const late = stopped === 'too-long' ? `\ngit took longer than ${limitMs / 1_000} s and was stopped.` : '';
  const ended = stopped === 'asked' ? '\ngit was stopped before its end.' : '';
  return withoutPassword(`${stderr}${late}${ended}`.trim());
}

/** The same text, where no address names a user or a password. */
export function withoutPassword(text: string): string {
  return text.replace(/\b(https?:\/\/)[^/\s'"]*@/g, '$1');
}
