import type { ModelRequest, ToolUse, Turn } from './model-server.ts';

/** An item of a conversation in the Responses protocol, as far as it is looked at. */
interface Item {
  readonly type: string;
  readonly role?: string;
  readonly name?: string;
  readonly content?: unknown;
  readonly output?: unknown;
}

/** What the user, or the coordinator of a helper, said first. */
function words(request: ModelRequest): readonly string[] {
  return itemsOf(request)
    .filter(({ type, role }) => type === 'message' && role === 'user')
    .map(({ content }) => textOf(content));
}

function itemsOf(request: ModelRequest): readonly Item[] {
  return (request as { readonly input?: readonly Item[] }).input ?? [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? '');
  return content.map((part) => (typeof part?.text === 'string' ? part.text : JSON.stringify(part))).join('\n');
}

/** Whether a helper asks, which the coordinator started with the prompt of a delegation. */
export function isHelper(request: ModelRequest): boolean {
  return words(request).some((said) => said.startsWith('Work in the folder '));
}

/** The task of a helper and where it works. */
export function helperTask(request: ModelRequest): { readonly id: string; readonly folder: string } {
  const prompt = words(request).find((said) => said.startsWith('Work in the folder ')) ?? '';
  const index = Number(/task (\d+) for spec/.exec(prompt)?.[1] ?? 0);
  return { id: `1.${index + 1}`, folder: /^Work in the folder (.+)\.$/m.exec(prompt)?.[1] ?? '' };
}

/** What the calls of the last turn gave. */
export function lastOutputs(request: ModelRequest): readonly string[] {
  const items = itemsOf(request);
  const from = items.findLastIndex(({ type }) => type === 'function_call');
  return items.slice(from + 1).flatMap(({ type, output }) => (type === 'function_call_output' ? [textOf(output)] : []));
}

interface Delegation {
  readonly token: string;
  readonly workspace: string;
  readonly prompt: string;
}

/** A model that does what the skills `specloop-implement` and `specloop-plan` say, and nothing of its own. */
export class CodexCoordinator {
  readonly #spec: string;
  readonly #begins: string;
  /** The agents at work, with the tokens of their delegations. */
  readonly #working = new Map<string, string>();
  #given: readonly Delegation[] = [];
  /** What a command printed that is still running. */
  #soFar: readonly string[] = [];
  #did: 'nothing' | 'next' | 'delegate' | 'wait' | 'submit' = 'nothing';

  /** `begins` is the command that it gives first, without the session; by default the next piece of work is asked for. */
  constructor(spec: string, begins = `next ${spec}`) {
    this.#spec = spec;
    this.#begins = begins;
  }

  turn(request: ModelRequest): Turn {
    const outputs = [...this.#soFar, ...lastOutputs(request)];
    const running = /running with session ID (\d+)/.exec(outputs.at(-1) ?? '')?.[1];
    this.#soFar = running === undefined ? [] : outputs;
    if (running !== undefined) return { uses: [{ tool: 'write_stdin', input: { session_id: Number(running) } }] };
    switch (this.#did) {
      case 'nothing':
        return this.#asks(this.#begins);
      case 'submit':
        return this.#working.size > 0 ? this.#wait() : this.#next();
      case 'next':
        return this.#delegate(outputs.join('\n'));
      case 'delegate':
        for (const [at, output] of outputs.entries())
          this.#working.set(String(jsonIn(output).agent_id), this.#given[at]?.token ?? '');
        return this.#wait();
      case 'wait':
        return this.#submit(outputs.join('\n'));
    }
  }

  #next(): Turn {
    return this.#asks(`next ${this.#spec}`);
  }

  #asks(command: string): Turn {
    this.#did = 'next';
    return { uses: [runs(`specloop ${command} --session "$CODEX_THREAD_ID" --json`)] };
  }

  #delegate(output: string): Turn {
    const decision = jsonIn(output);
    if (decision.do !== 'delegate')
      return { text: decision.do === 'complete' ? 'ALL_TASKS_COMPLETE' : `It says: ${output}` };
    this.#did = 'delegate';
    this.#given = decision.delegations as readonly Delegation[];
    return {
      uses: this.#given.map(({ workspace, prompt }) => ({
        ...{ namespace: 'multi_agent_v1', tool: 'spawn_agent' },
        input: { message: `Work in the folder ${workspace}.\n\n${prompt}` },
      })),
    };
  }

  #wait(): Turn {
    this.#did = 'wait';
    const input = { targets: [...this.#working.keys()], timeout_ms: 120_000 };
    return { uses: [{ namespace: 'multi_agent_v1', tool: 'wait_agent', input }] };
  }

  /** Submits the report of each agent that has ended; those that have not are waited for afterwards. */
  #submit(output: string): Turn {
    const { status = {} } = jsonIn(output) as {
      readonly status?: Readonly<Record<string, { readonly completed?: string }>>;
    };
    const ended = Object.entries(status).filter(([id, { completed }]) => completed && this.#working.has(id));
    if (ended.length === 0) return this.#wait();
    const uses = ended.map(([id, { completed }]) => {
      const token = this.#working.get(id);
      this.#working.delete(id);
      return runs(`specloop submit --token ${token} <<'END_OF_REPORT'\n${completed}\nEND_OF_REPORT`);
    });
    this.#did = 'submit';
    return { uses };
  }
}

function runs(cmd: string): ToolUse {
  return { tool: 'exec_command', input: { cmd, yield_time_ms: 30_000, max_output_tokens: 20_000 } };
}

/** The JSON object in what a tool gave. */
function jsonIn(output: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return {};
  }
}
