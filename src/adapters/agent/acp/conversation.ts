import type { AgentEvent } from '../../../core/agent/agent-event.ts';
import { fields, type JsonFields, list, number, string } from '../json-fields.ts';
import { EMPTY_TRANSCRIPT, type ReadLine } from '../stream-agent.ts';
import { type AgentMessage, METHOD_NOT_FOUND, notification, readMessage, request, response } from './message.ts';
import { answerPermission } from './permission.ts';
import { type SessionOption, sessionOption, unattendedMode } from './session-options.ts';
import type { Conversation, ConversationStep, ConversationSubject, TurnEnd } from './state.ts';
import { readUpdate, usageIn } from './update.ts';

type Read = ReadLine<Conversation>;

const PROTOCOL_VERSION = 1;
const AUTHENTICATION_REQUIRED = -32000;
/** Far from the numbers that agents give their own requests. */
const FIRST_ID = 1_000_001;

/** The beginning of a conversation. Nothing is offered to the agent: it reads, writes and runs by itself. */
export function open(subject: ConversationSubject): Read {
  const begun: Conversation = {
    ...EMPTY_TRANSCRIPT,
    at: 'opening',
    subject,
    awaited: { id: FIRST_ID - 1, step: 'initialize' },
    session: '',
    signIns: [],
    offer: {},
    isCancelled: false,
    tools: new Set(),
    end: undefined,
  };
  return ask(begun, 'initialize', 'initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'specloop', title: 'specloop', version: '1' },
  });
}

/** Takes one line of the agent. Lines that belong to nothing, and what is not known, change nothing. */
export function receive(now: Conversation, line: string): Read {
  const message = readMessage(line);
  if (message === undefined) return unchanged(now);
  switch (message.is) {
    case 'request':
      return answered(now, message);
    case 'notification':
      // What comes before the prompt is no part of the answer to it.
      return message.method === 'session/update' && now.awaited.step === 'prompt'
        ? readUpdate(now, fields(message.params.update))
        : unchanged(now);
    case 'response':
      return message.id === now.awaited.id && now.end === undefined
        ? responded({ ...now, at: 'work' }, message)
        : unchanged(now);
  }
}

/** Asks the agent to stop (R-DEL-6); no replies where it is not at work. */
export function cancel(now: Conversation): Read {
  const cancelled = { ...now, isCancelled: true };
  const isAtWork = now.session !== '' && now.end === undefined;
  if (!isAtWork) return unchanged(cancelled);
  return { ...unchanged(cancelled), replies: [notification('session/cancel', { sessionId: now.session })] };
}

function unchanged(now: Conversation): Read {
  return { transcript: now, events: [] };
}

function ask(now: Conversation, step: ConversationStep, method: string, params: object): Read {
  const id = now.awaited.id + 1;
  return { transcript: { ...now, awaited: { id, step } }, events: [], replies: [request(id, method, params)] };
}

/** Answers a request of the agent's; what was not offered to it is refused. */
function answered(now: Conversation, { id, method, params }: Extract<AgentMessage, { is: 'request' }>): Read {
  if (method !== 'session/request_permission')
    return { ...unchanged(now), replies: [response(id, { error: METHOD_NOT_FOUND })] };
  const { toolCall, options } = params;
  const seen =
    now.awaited.step === 'prompt'
      ? readUpdate(now, { ...fields(toolCall), sessionUpdate: 'tool_call' })
      : unchanged(now);
  const { outcome, denied } = answerPermission(fields(toolCall), list(options), now.isCancelled);
  const events: readonly AgentEvent[] = denied === undefined ? [] : [{ type: 'denial', tool: denied }];
  return {
    transcript: seen.transcript,
    events: [...seen.events, ...events],
    replies: [response(id, { result: { outcome } })],
  };
}

/** Goes on with the next request, or ends. */
function responded(now: Conversation, { result, error }: Extract<AgentMessage, { is: 'response' }>): Read {
  if (error !== undefined) return failed(now, error);
  switch (now.awaited.step) {
    case 'initialize':
      return initialized(now, result);
    case 'authenticate':
      return newSession(now);
    case 'session':
      return setMode({ ...now, session: string(result.sessionId) ?? '', offer: result });
    case 'mode':
      return setModel(now);
    case 'model':
      return prompt(now);
    case 'prompt':
      return turnEnded(now, result);
  }
}

function initialized(now: Conversation, result: JsonFields): Read {
  const version = number(result.protocolVersion);
  if (version !== PROTOCOL_VERSION)
    return ended(now, {
      obstacle: `The agent speaks version ${version} of the Agent Client Protocol, and specloop version ${PROTOCOL_VERSION}.`,
    });
  const signIns = list(result.authMethods).flatMap((each) => string(fields(each).id) ?? []);
  return newSession({ ...now, signIns });
}

function newSession(now: Conversation): Read {
  return ask(now, 'session', 'session/new', { cwd: now.subject.cwd, mcpServers: serversOf(now.subject) });
}

function serversOf({ tools }: ConversationSubject): readonly object[] {
  if (tools === undefined) return [];
  const { command, args, env } = tools;
  return [{ name: 'specloop', command, args, env: Object.entries(env).map(([name, value]) => ({ name, value })) }];
}

function failed(now: Conversation, error: JsonFields): Read {
  const { step } = now.awaited;
  const signIn = step === 'session' && error.code === AUTHENTICATION_REQUIRED ? signInByKey(now) : undefined;
  if (signIn !== undefined) return ask({ ...now, signIns: [] }, 'authenticate', 'authenticate', { methodId: signIn });
  if (step !== 'mode') return ended(now, { error, during: step });
  const why = string(error.message) ?? 'no reason given';
  const warning = `The agent did not change to the mode that works unattended: ${why}.`;
  return setModel({ ...now, warnings: [warning] });
}

/** The way to sign in that needs no person: by a key that the agent has, in a variable of the same name. Tried once. */
function signInByKey({ signIns, subject }: Conversation): string | undefined {
  return signIns.find((id) => /key/i.test(id) && subject.variables.has(id.toUpperCase().replaceAll('-', '_')));
}

/** Chooses the mode that works unattended, where there is one and it is not in it. */
function setMode(now: Conversation): Read {
  if (now.session === '') return ended(now, { obstacle: 'The agent opened a session without an id.' });
  const option = sessionOption('mode', now.offer);
  const mode = option && unattendedMode(option);
  return option === undefined || mode === undefined || mode === option.current
    ? setModel(now)
    : choose(now, 'mode', option, mode);
}

function setModel(now: Conversation): Read {
  const { model } = now.subject;
  if (model === undefined) return prompt(now);
  const option = sessionOption('model', now.offer);
  if (option === undefined)
    return ended(now, {
      obstacle: `The agent offers no choice of models, so it cannot use "${model}". Name the model in its command.`,
    });
  return model === option.current ? prompt(now) : choose(now, 'model', option, model);
}

function choose(now: Conversation, step: ConversationStep, option: SessionOption, value: string): Read {
  return ask(now, step, option.method, { sessionId: now.session, ...option.choose(value) });
}

function prompt(now: Conversation): Read {
  const { prompt: text } = now.subject;
  return ask(now, 'prompt', 'session/prompt', { sessionId: now.session, prompt: [{ type: 'text', text }] });
}

function turnEnded(now: Conversation, result: JsonFields): Read {
  const usage = { ...now.usage, ...usageIn(result) };
  const events: readonly AgentEvent[] = now.answer === '' ? [] : [{ type: 'text', text: now.answer }];
  return { ...ended({ ...now, usage }, { stopReason: string(result.stopReason) ?? '' }), events };
}

function ended(now: Conversation, end: TurnEnd): Read {
  return unchanged({ ...now, at: 'rest', end });
}
