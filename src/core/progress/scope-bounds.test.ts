import { describe, expect, test } from 'vitest';
import { isWithin, scopeBounds } from './scope-bounds.ts';

const scope = (bounds: string) =>
  `# demo\n\n## Scope\n\n- **Target**: the login in src/ui/\n${bounds}\n- **Deliverable**: a form\n\n## Learnings\n- **Bounds**: lib/\n`;

describe('the bounds of a spec (R-SCOPE-1)', () => {
  test.each([
    [
      '- **Bounds**: `src/auth/`, `src/ui/login/**` and `package.json`.',
      ['src/auth/', 'src/ui/login/**', 'package.json'],
    ],
    ['- Bounds: ./src/auth, test/**/login*.ts', ['src/auth', 'test/**/login*.ts']],
    ['- **Bounds:** only `src/auth/`, not `src/billing/`', ['src/auth/']],
    ['- **Bounds**: do not touch `src/billing/`', undefined],
    ['- **Bounds**: the login form', undefined],
    ['- **Actions**: change `src/auth/`', undefined],
  ])('are the paths that it allows: %s', (text, bounds) => {
    expect(scopeBounds(scope(text))).toEqual(bounds);
  });

  test('are not there without the section', () => {
    expect(scopeBounds('# demo\n\n## Learnings\n- **Bounds**: `src/`\n')).toBeUndefined();
  });

  test.each([
    ['src/auth/login.ts', ['src/auth/'], true],
    ['src/auth/login.ts', ['src/auth/**'], true],
    ['src/auth', ['src/auth/'], true],
    ['src/authority.ts', ['src/auth'], false],
    ['test/ui/login.test.ts', ['test/**/login*.ts'], true],
    ['test/login.test.ts', ['test/**/login*.ts'], true],
    ['test/ui/logout.test.ts', ['test/**/login*.ts'], false],
    ['srcXauth', ['src.auth'], false],
    ['src/a/b.ts', ['src/*'], true],
    ['package.json', ['package.json'], true],
  ])('hold for a file: %s in %j is %s', (path, bounds, is) => {
    expect(isWithin(path, bounds)).toBe(is);
  });
});
