import type { Agent, AgentOutcome, Brief } from '../ports/agent.ts';
import { type AgentScript, type CommonStep, changeFiles, stepsFor } from './scripted-agent-script.ts';

/** What a fake agent can do: the steps that need no process, and ends that a program cannot bring about by itself. */
export type FakeStep = CommonStep | { readonly end: Partial<AgentOutcome> & Pick<AgentOutcome, 'how' | 'message'> };

/** When the attempt began and when it last printed, in milliseconds of a monotonic clock. */
interface Times {
  readonly begun: number;
  quietSince: number;
}

type FakeEnd = Pick<AgentOutcome, 'how' | 'message'> & Partial<AgentOutcome>;

const COMPLETED: FakeEnd = { how: 'completed', message: '' };
const CANCELLED: FakeEnd = { how: 'cancelled', message: 'The agent was stopped.' };

/**
 * An agent without a process, for tests and for users of the library: follows a script like the scripted agent, with the
 * same limits and the same ends. It counts starts for as long as it lives, and never writes a log.
 */
export function fakeAgent(script: AgentScript<FakeStep>, { name = 'fake' }: { readonly name?: string } = {}): Agent {
  const starts = new Map<string, number>();
  return {
    name,
    async work(brief: Brief): Promise<AgentOutcome> {
      const begun = performance.now();
      const part = { role: brief.role, taskId: brief.variables.SPECLOOP_TASK_ID ?? '' };
      const key = `${part.role}:${part.taskId}`;
      const nth = (starts.get(key) ?? 0) + 1;
      starts.set(key, nth);
      const printed: string[] = [];
      const ended = await perform(stepsFor(script, part, nth), brief, printed);
      return { answer: printed.join(''), usage: {}, ...ended, durationMs: Math.round(performance.now() - begun) };
    },
  };
}

async function perform(steps: readonly FakeStep[], brief: Brief, printed: string[]): Promise<FakeEnd> {
  const times = { begun: performance.now(), quietSince: performance.now() };
  for (const step of steps) {
    if (brief.signal.aborted) return CANCELLED;
    if ('end' in step) return step.end;
    if ('exit' in step) return exited(step.exit);
    if ('sleepMs' in step) {
      const ended = await sleep(step.sleepMs, brief, times);
      if (ended !== undefined) return ended;
    } else if ('print' in step || 'stderr' in step) {
      if ('print' in step) printed.push(step.print);
      times.quietSince = performance.now();
      brief.onEvent?.({ type: 'output' });
    } else changeFiles(step, brief.workspace);
  }
  return brief.signal.aborted ? CANCELLED : COMPLETED;
}

function exited(code: number): FakeEnd {
  return code === 0 ? COMPLETED : { how: 'failed', message: `The agent exited with code ${code}.` };
}

/** Sleeps as long as the limits allow; resolves with the end of the attempt if that comes first. */
function sleep(ms: number, { limits, signal }: Brief, times: Times): Promise<FakeEnd | undefined> {
  const now = performance.now();
  const stops: readonly { readonly inMs: number; readonly ended: FakeEnd | undefined }[] = [
    { inMs: ms, ended: undefined },
    {
      inMs: times.begun + limits.wallMs - now,
      ended: { how: 'timed-out', message: 'The agent was stopped at its time limit.' },
    },
    {
      inMs: times.quietSince + limits.idleMs - now,
      ended: { how: 'silent', message: 'The agent was stopped because it printed nothing.' },
    },
  ];
  const first = stops.reduce((soonest, stop) => (stop.inMs < soonest.inMs ? stop : soonest));
  return new Promise((resolve) => {
    const cancel = () => {
      clearTimeout(timer);
      resolve(CANCELLED);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel);
      resolve(first.ended);
    }, first.inMs);
    signal.addEventListener('abort', cancel, { once: true });
  });
}
