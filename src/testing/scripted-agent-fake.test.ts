import { expect, test } from 'vitest';
import type { Brief } from '../ports/agent.ts';
import { fakeAgent } from './scripted-agent-fake.ts';

function brief(taskId: string): Brief {
  return {
    role: 'executor',
    prompt: '',
    workspace: '/nowhere',
    variables: { SPECLOOP_TASK_ID: taskId },
    limits: { wallMs: 60_000, idleMs: 60_000 },
    logFile: '/nowhere/attempt.log',
    signal: new AbortController().signal,
  };
}

test('a fake counts the starts of each task for as long as it lives', async () => {
  const agent = fakeAgent({ '*': [[{ print: 'a' }], [{ print: 'b' }]] });
  const answers: string[] = [];
  for (const task of ['1.1', '1.2', '1.1']) answers.push((await agent.work(brief(task))).answer);
  expect(answers).toEqual(['a', 'a', 'b']);
});

test('a fake can end in a way that no program can bring about by itself (R-DEL-7)', async () => {
  const end = { how: 'rate-limited', message: 'The limit is reached.', resetsAt: '2030-01-01T00:00:00.000Z' } as const;
  expect(await fakeAgent({ '*': [[{ print: 'a' }, { end }]] }).work(brief('1.1'))).toMatchObject({
    ...end,
    answer: 'a',
  });
});

test('a fake bears the name it is given', () => {
  expect(fakeAgent({}).name).toBe('fake');
  expect(fakeAgent({}, { name: 'claude-code' }).name).toBe('claude-code');
});
