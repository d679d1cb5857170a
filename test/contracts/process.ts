import { afterAll, describe, expect, test } from 'vitest';
import type { Launch, Processes, ProcessInput } from '../../src/ports/process.ts';

/**
 * Programs that the contract talks to: one prints `ready`, then each line of its stdin in upper case, and at the end of it
 * `end`; one prints `ready` and never reads; one prints `ready`, closes its stdin and leaves with exit code 3 after 50 ms.
 */
export type Partner = 'echo' | 'deaf' | 'leaving';

export interface ProcessWorld {
  readonly processes: Processes;
  readonly launch: (partner: Partner) => Launch;
}

/** A talk with a program: what it printed so far, and its stdin. */
function talk(
  { processes, launch }: ProcessWorld,
  partner: Partner,
  { onLine, ...more }: Partial<Omit<Launch, 'onLine'>> & { onLine?: (line: string, input: ProcessInput) => void } = {},
) {
  const lines: string[] = [];
  let input: ProcessInput | undefined;
  const stdin = () => {
    if (input === undefined) throw new Error('onInput was not called before the first line.');
    return input;
  };
  const ended = processes.run({
    ...launch(partner),
    ...more,
    onInput: (given) => {
      input = given;
    },
    onLine: (line) => {
      lines.push(line);
      onLine?.(line, stdin());
    },
  });
  return { lines, stdin, ended };
}

/** What the coordinator relies on where it talks with a program over stdin and stdout (R-DEL-6). */
export function processContract(kind: string, world: ProcessWorld): void {
  describe(`a talk with a program: ${kind}`, () => {
    afterAll(() => world.processes.close());

    test('each line is answered as it comes, until stdin is ended', async () => {
      const answers: Readonly<Record<string, string>> = { ready: 'one\n', ONE: 'two\nthree\n' };
      const { lines, ended } = talk(world, 'echo', {
        onLine: (line, input) => {
          const answer = answers[line];
          if (answer !== undefined) void input.write(answer);
          else if (line === 'THREE') input.end();
        },
      });
      expect(await ended).toMatchObject({ how: 'exited', code: 0, leftovers: 0 });
      expect(lines).toEqual(['ready', 'ONE', 'TWO', 'THREE', 'end']);
    });

    test('the text that a launch begins with comes first', async () => {
      const { lines, ended } = talk(world, 'echo', {
        stdin: 'first\n',
        onLine: (line, input) => {
          if (line === 'ready') void input.write('second\n');
          if (line === 'SECOND') input.end();
        },
      });
      await ended;
      expect(lines).toEqual(['ready', 'FIRST', 'SECOND', 'end']);
    });

    test('a stop in the middle ends the program, and nothing is taken afterwards', async () => {
      const stopping = new AbortController();
      const { lines, stdin, ended } = talk(world, 'echo', {
        signal: stopping.signal,
        onLine: (line, input) => {
          if (line === 'ready') void input.write('one\n');
          if (line === 'ONE') stopping.abort();
        },
      });
      expect(await ended).toMatchObject({ how: 'killed', by: 'cancel' });
      expect(lines).toEqual(['ready', 'ONE']);
      expect(await stdin().write('two\n')).toBe(false);
      stdin().end();
      stdin().end();
    });

    test('a stop asks first where its caller knows how, and what the program then says is heard (R-DEL-6)', async () => {
      const stopping = new AbortController();
      const asked: string[] = [];
      const { lines, ended } = talk(world, 'echo', {
        signal: stopping.signal,
        stopSteps: [
          { ask: () => asked.push('nothing to ask') === 0, graceMs: 60_000 },
          { ask: () => asked.push('bye') > 0, graceMs: 60_000 },
        ],
        onLine: (line, input) => {
          if (line === 'ready') stopping.abort();
          if (line === 'ready') void input.write('bye\n');
          if (line === 'BYE') input.end();
        },
      });
      expect(await ended).toMatchObject({ how: 'killed', by: 'cancel' });
      expect(asked).toEqual(['nothing to ask', 'bye']);
      expect(lines).toEqual(['ready', 'BYE', 'end']);
    });

    test('a stop at once asks nothing (R-UX-3)', async () => {
      const stopping = new AbortController();
      let asked = 0;
      const { ended } = talk(world, 'deaf', {
        signal: stopping.signal,
        stopSteps: [{ ask: () => ++asked > 0, graceMs: 60_000 }],
        onLine: () => stopping.abort('now'),
      });
      expect(await ended).toMatchObject({ how: 'killed', by: 'cancel' });
      expect(asked).toBe(0);
    });

    test('a program that never reads keeps nobody from ending it', async () => {
      const stopping = new AbortController();
      const asked: Promise<boolean>[] = [];
      const { ended } = talk(world, 'deaf', {
        signal: stopping.signal,
        onLine: (_line, input) => {
          asked.push(input.write('x'.repeat(8 << 20)));
          stopping.abort();
        },
      });
      expect(await ended).toMatchObject({ how: 'killed', by: 'cancel' });
      expect(await Promise.all(asked)).toEqual([false]);
    });

    test('a program that has left, or closed its stdin, takes nothing and breaks nothing (EPIPE)', async () => {
      const { stdin, ended } = talk(world, 'leaving', {
        onLine: (_line, input) => void input.write('x'.repeat(8 << 20)),
      });
      expect(await ended).toMatchObject({ how: 'exited', code: 3 });
      expect(await stdin().write('more\n')).toBe(false);
    });
  });
}
