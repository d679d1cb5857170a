import type { AgentEvent } from '../../core/agent/agent-event.ts';
import type { Agent, AgentOutcome, Brief, McpServerEntry, Usage } from '../../ports/agent.ts';
import type { Ended, Launch, Processes, ProcessInput, StopStep } from '../../ports/process.ts';
import { type AgentVerdict, judge } from './ending.ts';
import { boundedAnswer } from './printed.ts';
import { tellEnd } from './tell-end.ts';

/** What is known of an agent's work from the lines read so far; each agent's reader keeps more of its own. */
export interface Transcript {
  /**
   * `opening`: it has not responded to the first words of a dialogue. `rest`: it has said that it is through, and should
   * leave. `over`: it would go on for ever, and has to be ended.
   */
  readonly at: 'opening' | 'work' | 'rest' | 'over';
  /** The final answer as far as it is known; empty while there is none. */
  readonly answer: string;
  /** What the model said last, helpers aside: what is left of an answer when the work is cut short. */
  readonly lastText: string;
  /** Tokens and cost of the whole attempt so far. */
  readonly usage: Usage;
  /** Tools that the agent wanted to use and was not allowed to, each once. */
  readonly denials: readonly string[];
  /** Sentences for people about the attempt. */
  readonly warnings?: readonly string[];
}

/** A transcript of an agent that has printed nothing yet. */
export const EMPTY_TRANSCRIPT: Transcript = { at: 'work', answer: '', lastText: '', usage: {}, denials: [] };

/** What one line comes to. A line that means nothing leaves the transcript the same object. */
export interface ReadLine<Own extends Transcript> {
  readonly transcript: Own;
  readonly events: readonly AgentEvent[];
  /** Lines for the stdin of an agent that is talked with. */
  readonly replies?: readonly string[];
}

/** How to talk with an agent whose stdin stays open. It is closed once the agent has said that it is through. */
export interface Dialogue<Own extends Transcript> {
  /** How long it may take to respond to the first words. */
  readonly openingMs: number;
  /** The transcript of an agent that has printed nothing yet, and what it is told first. */
  open(brief: Brief): ReadLine<Own>;
  /** What asks it to stop; no replies where it is not at work. */
  interrupt(transcript: Own): ReadLine<Own>;
}

/** How a program left, for the verdict on it. */
export interface AgentExit {
  readonly code: number;
  readonly stderr: string;
  /** The time of this machine, for a limit whose end is told in words. */
  readonly now: Date;
}

/** An agent that prints events: how it is called, and what it means by what it prints. */
export interface StreamedAgent<Own extends Transcript> {
  readonly name: string;
  readonly program: string;
  readonly processes: Processes;
  /** Its arguments for this brief; the prompt goes by stdin (R-DEL-3). */
  arguments(brief: Brief): readonly string[];
  /** The whole environment that it gets, the variables of the brief aside. */
  readonly env: Readonly<Record<string, string>>;
  /** What its environment needs besides, for one that learns of an MCP server by a variable (R-AGT-9). */
  toolVariables?(tools: McpServerEntry): Readonly<Record<string, string>>;
  /** Where it keeps its sign-in, settings and sessions: what it may write in a sandbox. */
  writable(): readonly string[];
  /** Default: that of every program. */
  readonly stopSteps?: readonly StopStep[];
  /** How long it may take to leave once it has said that it is through. Default 10 seconds. */
  readonly graceAtRestMs?: number;
  readonly empty: Own;
  /** How to talk with it, for one that does not read the prompt from stdin. */
  readonly dialogue?: Dialogue<Own>;
  /** Takes one line of stdout; pure. */
  read(transcript: Own, line: string): ReadLine<Own>;
  /** Judges a program that left by itself, or that stayed too long after it was through; pure. */
  judge(transcript: Own, exit: AgentExit): AgentVerdict;
}

const GRACE_AT_REST_MS = 10_000;
/** The part of the silence limit that a grace may take: what ends it has a better reason to give than silence. */
const GRACE_SHARE = 1 / 2;
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const TAIL_BYTES_MAX = 64 * 1024;

/** One process per attempt, without a terminal, its events read and passed on as they come (R-AGT-1, R-AGT-2). */
export function streamAgent<Own extends Transcript>(agent: StreamedAgent<Own>): Agent {
  return {
    name: agent.name,
    async work(brief: Brief): Promise<AgentOutcome> {
      const { ended, transcript } = await follow(agent, brief);
      const onExit = (code: number): AgentVerdict =>
        agent.judge(transcript, { code, stderr: ended.stderr.text, now: new Date() });
      const attempted = { program: agent.program, limits: brief.limits };
      const verdict = isEndOfGrace(ended, brief) ? onExit(0) : judge(ended, attempted, onExit);
      const answer = verdict.how === 'completed' ? transcript.answer : transcript.lastText;
      const outcome: AgentOutcome = {
        ...verdict,
        answer: boundedAnswer(answer, brief.keepLine),
        ...(transcript.denials.length > 0 && { denials: transcript.denials }),
        ...(transcript.warnings && { warnings: transcript.warnings }),
        usage: transcript.usage,
        durationMs: ended.durationMs,
      };
      tellEnd(outcome, brief.onEvent);
      return outcome;
    },
  };
}

/**
 * Runs the program to its end. Agents are known to stay after they are through, so a timer ends one then; what it prints
 * on being ended is no longer read.
 */
async function follow<Own extends Transcript>(
  agent: StreamedAgent<Own>,
  brief: Brief,
): Promise<{ readonly ended: Ended; readonly transcript: Own }> {
  const longest = brief.limits.idleMs * GRACE_SHARE;
  const grace = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let transcript = agent.empty;
  let input: ProcessInput | undefined;
  const take = (read: ReadLine<Own>): void => {
    for (const event of read.events) brief.onEvent?.(event);
    for (const reply of read.replies ?? []) void input?.write(`${reply}\n`);
    if (read.transcript === transcript) return;
    transcript = read.transcript;
    clearTimeout(timer);
    const limit = graceOf(agent, transcript.at);
    if (limit !== undefined) timer = setTimeout(() => grace.abort(), Math.min(limit, longest));
    if (transcript.at === 'rest' || transcript.at === 'over') input?.end();
  };
  const onLine = (line: string): void => {
    if (!grace.signal.aborted) take(agent.read(transcript, line));
  };
  const talk = agent.dialogue && talkOf(agent.dialogue, brief, { take, transcript: () => transcript });
  const onInput = (given: ProcessInput): void => {
    input = given;
    talk?.open();
  };
  try {
    const signal = AbortSignal.any([brief.signal, grace.signal]);
    const ended = await agent.processes.run({
      ...launchOf(agent, brief),
      ...(talk ? { onInput, stopSteps: talk.stopSteps } : { stdin: brief.prompt }),
      onLine,
      signal,
    });
    return { ended, transcript };
  } finally {
    clearTimeout(timer);
  }
}

/** How long an agent may stay at a point of its work that it should leave soon; `undefined` while it works. */
function graceOf<Own extends Transcript>(
  { dialogue, graceAtRestMs = GRACE_AT_REST_MS }: StreamedAgent<Own>,
  at: Transcript['at'],
): number | undefined {
  switch (at) {
    case 'opening':
      return dialogue?.openingMs;
    case 'work':
      return undefined;
    case 'rest':
      return graceAtRestMs;
    case 'over':
      return 0;
  }
}

/** What talking with an agent adds to its launch: the first words, and the first rung of the ladder to stop it. */
function talkOf<Own extends Transcript>(
  dialogue: Dialogue<Own>,
  brief: Brief,
  { take, transcript }: { readonly take: (read: ReadLine<Own>) => void; readonly transcript: () => Own },
): { readonly open: () => void; readonly stopSteps: readonly StopStep[] } {
  const ask = (): boolean => {
    const asking = dialogue.interrupt(transcript());
    take(asking);
    return (asking.replies ?? []).length > 0;
  };
  return {
    open: () => take(dialogue.open(brief)),
    stopSteps: [
      { ask, graceMs: 3000 },
      { signal: 'SIGTERM', graceMs: 2500 },
    ],
  };
}

/** Whether we ended it only because it stayed where it should have gone on or left: then what it said counts. */
function isEndOfGrace(ended: Ended, { signal }: Brief): boolean {
  return ended.how === 'killed' && ended.by === 'cancel' && !signal.aborted;
}

function launchOf<Own extends Transcript>(agent: StreamedAgent<Own>, brief: Brief): Launch {
  return {
    argv: [agent.program, ...agent.arguments(brief)],
    cwd: brief.workspace,
    ...(brief.tree !== undefined && { tree: brief.tree }),
    env: { ...agent.env, ...(brief.tools && agent.toolVariables?.(brief.tools)), ...brief.variables },
    limits: { wallMs: brief.limits.wallMs, idleMs: brief.limits.idleMs },
    ...(agent.stopSteps && { stopSteps: agent.stopSteps }),
    tailBytesMax: TAIL_BYTES_MAX,
    lineBytesMax: LINE_BYTES_MAX,
    logFile: brief.logFile,
    writable: [...agent.writable(), ...(brief.tools ? [brief.tools.folder] : [])],
    ...(brief.onEvent && { onActivity: () => brief.onEvent?.({ type: 'output' }) }),
  };
}
