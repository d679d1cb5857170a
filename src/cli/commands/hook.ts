import { oneLine } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import type { Call, Command } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { readStdin } from '../shared/stdin.ts';

const EVENTS = ['stop', 'session-start', 'subagent-stop'] as const;

/** Answers the hooks of an agent's program, which the plugin sets up (R-SES-5, R-SES-7). */
export const hook: Command = {
  operands: [{ name: 'EVENT', summary: `The event: ${EVENTS.join(', ')}.`, isRequired: true }],
  options: [],
  details:
    'Reads what the agent says of the event as JSON from stdin. "stop" prints why a session goes on while tasks of the active spec are open, or nothing. "session-start" prints where the active spec stands. "subagent-stop" keeps the final answer of a helper that works for "specloop next". The exit code is 0 whatever comes in.',
  examples: [['hook stop', 'Decides whether the session that is about to end goes on.']],
  run: async (call) => {
    const [name] = call.operands;
    const event = EVENTS.find((one) => one === name);
    if (event === undefined)
      throw new UserError(`There is no hook "${name}".`, `Name one of these: ${EVENTS.join(', ')}.`);
    try {
      await answer(event, call);
    } catch (error) {
      // Whatever is wrong must not keep a session from ending, or from beginning.
      const why = error instanceof Error ? error.message : String(error);
      call.stderr.write(`specloop: the hook ${event} was left out: ${oneLine(why, 300)}\n`);
    }
    return 0;
  },
};

async function answer(event: (typeof EVENTS)[number], call: Call): Promise<void> {
  const host = hostOf(call);
  const input = await readStdin();
  if (event === 'stop') {
    const { stopHook } = await import('../../app/hook/stop.ts');
    const block = await stopHook(input, host);
    if (block !== undefined) call.stdout.write(`${JSON.stringify(block)}\n`);
  } else if (event === 'session-start') {
    const { sessionStartHook } = await import('../../app/hook/session-start.ts');
    const text = await sessionStartHook(input, host);
    if (text !== undefined) call.stdout.write(`${text}\n`);
  } else {
    const { subagentStopHook } = await import('../../app/hook/subagent-stop.ts');
    await subagentStopHook(input, host);
  }
}
