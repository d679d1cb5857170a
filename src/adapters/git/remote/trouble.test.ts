import { expect, test } from 'vitest';
import type { GitAnswer } from '../program.ts';
import { failureOf } from './refusal.ts';
import { troubleOf, withoutPassword, wordsOf } from './trouble.ts';

function answer(stderr: string, others: Partial<GitAnswer> = {}): GitAnswer {
  return { code: 128, stdout: Buffer.from(''), stderr, stopped: 'no', dir: '/repo', ...others };
}

const COMMIT = '9d0823863e9d2b0a23b1298f03aaad23245c6c69';

test.each([
  [
    'denied',
    "remote: Permission to o/n.git denied to someone.\nfatal: unable to access 'https://github.com/o/n.git/': The requested URL returned error: 403",
  ],
  ['denied', "fatal: Authentication failed for 'https://github.com/o/n.git/'"],
  ['denied', "fatal: could not read Username for 'https://github.com': terminal prompts disabled"],
  ['denied', 'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.'],
  ['denied', 'ERROR: Permission to o/n.git denied to someone.\nfatal: Could not read from remote repository.'],
  [
    'denied',
    'ERROR: The key you are authenticating with has been marked as read only.\nfatal: Could not read from remote repository.',
  ],
  ['denied', 'Host key verification failed.\nfatal: Could not read from remote repository.'],
  ['unreachable', "fatal: unable to access 'https://github.com/o/n.git/': Could not resolve host: github.com"],
  ['unreachable', "fatal: unable to access 'https://github.com/o/n.git/': The requested URL returned error: 503"],
  ['unreachable', "remote: Repository not found.\nfatal: repository 'https://github.com/o/n.git/' not found"],
  [
    'unreachable',
    'ERROR: Repository not found.\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights',
  ],
  [
    'unreachable',
    'ssh: connect to host github.com port 22: Connection timed out\nfatal: Could not read from remote repository.',
  ],
  [
    'unreachable',
    "fatal: '/x.git' does not appear to be a git repository\nfatal: Could not read from remote repository.",
  ],
  [undefined, "fatal: bad config value for 'pack.threads'"],
])('%s: what git says of a remote that it did not reach (R-PR-7)', (trouble, stderr) => {
  expect(troubleOf(answer(stderr))).toBe(trouble);
  expect(failureOf(answer(stderr), 'x')).toEqual({ cause: trouble ?? 'other', isUncertain: true });
});

test.each([
  ['behind', '[rejected] (fetch first)', ''],
  ['behind', '[rejected] (non-fast-forward)', 'hint: a protected branch'],
  [
    'behind',
    '[remote rejected] (failed to update ref)',
    "remote: error: cannot lock ref 'refs/heads/x': is at 1a but expected 2b",
  ],
  [
    'protected',
    '[remote rejected] (protected branch hook declined)',
    'remote: error: GH006: Protected branch update failed for refs/heads/x.',
  ],
  [
    'protected',
    '[remote rejected] (push declined due to repository rule violations)',
    'remote: error: GH013: Repository rule violations found for refs/heads/x.\nremote: - Changes must be made through a pull request.',
  ],
  [
    'protected',
    '[remote rejected] (pre-receive hook declined)',
    'remote: GitLab: You are not allowed to push code to protected branches on this project.',
  ],
  [
    'hook',
    '[remote rejected] (push declined due to repository rule violations)',
    'remote: error: GH013: Repository rule violations found for refs/heads/x.\nremote: - Push cannot contain secrets',
  ],
  ['hook', '[remote rejected] (pre-receive hook declined)', 'a pre-push hook here: permission of protected branch'],
  [
    'denied',
    '[remote rejected] (refusing to allow an OAuth App to create or update workflow `.github/workflows/ci.yml` without `workflow` scope)',
    '',
  ],
  [
    'denied',
    '[remote rejected] (pre-receive hook declined)',
    'remote: GitLab: You are not allowed to push code to this project.',
  ],
  [
    'denied',
    '[remote rejected] (unpacker error)',
    'remote: error: insufficient permission for adding an object to repository database objects',
  ],
  [
    'other',
    '[remote rejected] (branch is currently checked out)',
    'remote: error: refusing to update checked out branch: refs/heads/x',
  ],
])('%s: a push that is answered with %s (R-PR-6, R-PR-7)', (cause, reason, stderr) => {
  const stdout = Buffer.from(`To x\n!\t${COMMIT}:refs/heads/x\t${reason}\nDone\n`);
  const said = answer(`${stderr}\nerror: failed to push some refs to 'x'\n`, { code: 1, stdout });
  expect(failureOf(said, 'x')).toEqual({ cause, isUncertain: false });
});

test('a push that ends without a word about the branch was refused by a hook here, or was cut off (R-PR-6)', () => {
  const failed = "error: failed to push some refs to 'x'\n";
  expect(failureOf(answer(`permission denied\n${failed}`, { code: 1 }), 'x')?.cause).toBe('hook');
  const cut = 'error: RPC failed; HTTP 502 curl 22\nfatal: the remote end hung up unexpectedly\n';
  expect(failureOf(answer(`${cut}${failed}`, { code: 1 }), 'x')?.cause).toBe('unreachable');
  const stdout = Buffer.from(`To x\n*\t${COMMIT}:refs/heads/x\t[new branch]\n`);
  expect(failureOf(answer(failed, { code: 1, stdout }), 'x')).toEqual({ cause: 'other', isUncertain: true });
  const unknown = 'error: src refspec 1a does not match any\n';
  expect(failureOf(answer(`${unknown}${failed}`, { code: 1 }), 'x')?.cause).toBe('other');
});

test('no name or password of an address is passed on (R-PR-7)', () => {
  const said = "fatal: unable to access 'https://me:secret@github.com/o/n.git/': x";
  expect(wordsOf(answer(said), 1)).toBe("fatal: unable to access 'https://github.com/o/n.git/': x");
  expect(withoutPassword('https://token@github.com/o/n.git')).toBe('https://github.com/o/n.git');
  expect(withoutPassword('ssh://git@github.com/o/n.git')).toBe('ssh://git@github.com/o/n.git');
  expect(withoutPassword('https://github.com/@scope/n.git')).toBe('https://github.com/@scope/n.git');
});
