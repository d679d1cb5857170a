import type { ModelRequest, ToolUse, Turn } from './model-server.ts';

/** The prompt that a session or one of its helpers began with. */
export function promptOf({ messages = [] }: ModelRequest): string {
  return textOf(messages.find(({ role }) => role === 'user')?.content);
}

/** What the model was sent last: a message, or the results of its tools, which begin with `tool_result`. */
export function lastText({ messages = [] }: ModelRequest): string {
  return textOf(messages.findLast(({ role }) => role === 'user')?.content);
}

/** Whether a helper asks, which the coordinator started with the prompt of a delegation. */
export function isHelper(request: ModelRequest): boolean {
  return !promptOf(request).includes('<command-name>') && promptOf(request).includes('Work in the folder ');
}

/** A model that does what the page of `/specloop:implement` says, and nothing of its own. */
export function coordinator(request: ModelRequest): Turn {
  return coordinate(request, { spec: 'demo', first: 'next demo' });
}

/** The same for a page that begins with another command on a spec. */
export function coordinate(
  request: ModelRequest,
  { spec, first }: { readonly spec: string; readonly first: string },
): Turn {
  const [, session = ''] = /--session ([0-9a-f-]{36})/.exec(promptOf(request)) ?? [];
  const ask = (command: string) => ({ uses: [bash(`specloop ${command} --session ${session} --json`)] });
  const [called] = lastText(request).includes('tool_result') ? lastUses(request) : [];
  if (called === undefined) return ask(first);
  if (called.name === 'Agent') return { uses: reports(request) };
  if (called.input?.command?.startsWith('specloop submit') === true) return ask(`next ${spec}`);
  const decision = jsonIn(lastText(request));
  if (decision.do === 'delegate') return { uses: (decision.delegations as readonly Delegation[]).map(agent) };
  return { text: decision.do === 'complete' ? 'ALL_TASKS_COMPLETE' : `It says: ${lastText(request)}` };
}

interface Delegation {
  readonly role: string;
  readonly token: string;
  readonly workspace: string;
  readonly prompt: string;
}

function agent({ role, token, workspace, prompt }: Delegation): ToolUse {
  const input = {
    description: `token ${token}`,
    subagent_type: `specloop:${role}`,
    run_in_background: false,
    prompt: `Work in the folder ${workspace}.\n\n${prompt}`,
  };
  return { tool: 'Agent', input };
}

/** Submits the report of each helper that the last message brings, without what the host puts around it. */
function reports(request: ModelRequest): readonly ToolUse[] {
  const { messages = [] } = request;
  const uses = lastUses(request);
  const results = blocksOf(messages.findLast(({ role }) => role === 'user')?.content);
  return results
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id, content }) => {
      const use = uses.find(({ id }) => id === tool_use_id);
      const token = String(use?.input?.description).replace('token ', '');
      const report = textOf(content).split('The report follows:\n').at(-1)?.split('\nagentId:')[0] ?? '';
      return bash(
        `specloop submit --token ${token} <<'END_OF_REPORT'\n${report.replace(/^ {2}/gm, '')}\nEND_OF_REPORT`,
      );
    });
}

/** The calls of tools in the last words of the model. */
function lastUses({ messages = [] }: ModelRequest): readonly Block[] {
  const said = blocksOf(messages.findLast(({ role }) => role === 'assistant')?.content);
  return said.filter(({ type }) => type === 'tool_use');
}

interface Block {
  readonly type?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly input?: { readonly description?: string; readonly command?: string };
}

function blocksOf(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return blocksOf(content)
    .map(({ type, text, content: inner }) => (type === 'tool_result' ? `tool_result ${textOf(inner)}` : (text ?? '')))
    .join('\n');
}

/** The JSON object that a command of specloop printed. */
function jsonIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return {};
  }
}

function bash(command: string): ToolUse {
  return { tool: 'Bash', input: { command, description: 'Calls specloop', timeout: 120_000 } };
}
