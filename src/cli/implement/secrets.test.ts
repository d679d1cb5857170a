import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestRepository, testRepository } from '../shared/test-rig.ts';

const CANARY = 'canary-9f8e7d6c5b4a';
/** What the two have in common that encode it after `user:`. */
const BASE64 = Buffer.from(`user:${CANARY}`).toString('base64').slice(8, -4);
const PLAN =
  '# Tasks\n\n- [ ] 1.1 Add the file\n  - **Files**: a.txt\n  - **Verify**: `echo "verified $CANARY_TOKEN"; test -f a.txt`\n';
const AGENT = `
  touch a.txt
  printf 'split: %s' canary-9f8e; sleep 0.2; echo 7d6c5b4a
  echo "base64: $(printf %s "user:$CANARY_TOKEN" | base64)" >&2
  printf -- '-----BEGIN PRIVATE KEY-----\\nMIICANARYKEYLINE0123456789\\n-----END PRIVATE KEY-----\\n'
  echo "answer: $CANARY_TOKEN"
  echo TASK_COMPLETE
`;
const HOOK = '#!/bin/sh\necho "refused with $CANARY_TOKEN"\nexit 1\n';

let repository: TestRepository;
beforeEach(() => {
  repository = testRepository();
});
afterEach(() => repository.remove());

test('a secret that agent, Verify command and hook print is in no journal, log, record or output (R-SEC-2)', async () => {
  repository.write('specs/demo/tasks.md', PLAN);
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message', 'begin');
  repository.git('switch', '--quiet', '--create', 'work');
  repository.write('.git/hooks/pre-commit', HOOK);
  writeFileSync(join(repository.dir, '../agent.sh'), AGENT);
  chmodSync(join(repository.dir, '.git/hooks/pre-commit'), 0o755);
  const { code, stdout, stderr } = await repository.run(
    [
      ...['implement', 'demo', '--review', 'off', '--max-task-iterations', '1', '--pass-env', 'CANARY_TOKEN'],
      ...['--agent-command', JSON.stringify(['bash', '../agent.sh', CANARY])],
    ],
    { env: { CANARY_TOKEN: CANARY, SPECLOOP_TRUST: '1' } },
  );
  expect(code).toBe(1);
  const kept = [...textsIn(join(repository.dir, '.git/.specloop')), ...textsIn(join(repository.dir, 'specs'))].join(
    '\n',
  );
  for (const words of ['verified', 'refused with', 'answer:', 'split:']) expect(kept).toContain(`${words} [redacted]`);
  for (const text of [stdout, stderr, kept]) {
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(BASE64);
    expect(text).not.toContain('CANARYKEYLINE');
  }
});

function textsIn(dir: string): readonly string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
