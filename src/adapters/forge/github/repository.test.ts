import { describe, expect, test } from 'vitest';
import { gitHubRepository } from './repository.ts';

const of = (remoteUrl: string | undefined, env: Record<string, string> = {}) => {
  const found = gitHubRepository({ ...(remoteUrl !== undefined && { remoteUrl }), env });
  return found && `${found.host}/${found.owner}/${found.name}`;
};

describe('the repository of a remote (R-PR-7)', () => {
  test.each([
    ['https://github.com/acme/app.git', 'github.com/acme/app'],
    ['https://github.com/acme/app', 'github.com/acme/app'],
    ['https://github.com/acme/app/', 'github.com/acme/app'],
    ['https://user:secret@GitHub.com/acme/app.git', 'github.com/acme/app'],
    ['https://www.github.com/acme/app', 'github.com/acme/app'],
    ['git@github.com:acme/app.git', 'github.com/acme/app'],
    ['github.com:acme/app', 'github.com/acme/app'],
    ['git@github.com:/acme/my.app.git', 'github.com/acme/my.app'],
    ['ssh://git@github.com/acme/app.git', 'github.com/acme/app'],
    ['ssh://git@ssh.github.com:443/acme/app.git', 'github.com/acme/app'],
    ['git+ssh://git@github.com/acme/app', 'github.com/acme/app'],
    ['https://git.corp.example:8443/team/app.git', 'git.corp.example/team/app'],
    ['org-123@git.corp.example:team/app.git', 'git.corp.example/team/app'],
  ])('%s is %s', (address, expected) => {
    expect(of(address)).toBe(expected);
  });

  test.each(['/srv/git/app.git', '../app', 'file:///srv/app.git', 'C:\\git\\app', 'https://github.com/app', 'a/b', ''])(
    '"%s" is none (R-PR-8)',
    (address) => {
      expect(of(address)).toBeUndefined();
    },
  );

  test('without a remote there is none (R-PR-8)', () => {
    expect(of(undefined)).toBeUndefined();
  });

  test('GH_REPO names another one, with or without a host', () => {
    const remote = 'git@github.com:acme/app.git';
    expect(of(remote, { GH_REPO: 'up/stream' })).toBe('github.com/up/stream');
    expect(of(remote, { GH_REPO: 'git.corp/up/stream' })).toBe('git.corp/up/stream');
    expect(of(remote, { GH_REPO: 'https://git.corp/up/stream' })).toBe('git.corp/up/stream');
    expect(of(undefined, { GH_REPO: 'up/stream', GH_HOST: 'git.corp' })).toBe('git.corp/up/stream');
    expect(of(undefined, { GH_REPO: 'git.corp/up/stream', GH_HOST: 'other.corp' })).toBe('git.corp/up/stream');
    expect(of(remote, { GH_REPO: 'stream' })).toBeUndefined();
  });

  test('GH_HOST names the host that an alias of ssh stands for', () => {
    expect(of('work:acme/app.git', { GH_HOST: 'GitHub.com' })).toBe('github.com/acme/app');
  });
});
