import { basename } from 'node:path';
import { READ_BY_AGENTS } from '../../../core/verify/not-passed.ts';
import type { Agent, Brief } from '../../../ports/agent.ts';
import type { AgentKind, AgentOrder } from '../agent-kind.ts';
import { streamAgent } from '../stream-agent.ts';
import { cancel, open, receive } from './conversation.ts';
import type { Conversation } from './state.ts';
import { judgeTurn } from './verdict.ts';

/** Programs that speak the Agent Client Protocol. Which variables they read, only they know. */
export const ACP: AgentKind = {
  name: 'acp',
  program: '',
  tellsLimits: true,
  about: { can: ['model', 'tokens', 'cost', 'limits', 'tools'], untested: ['all'] },
  readers: READ_BY_AGENTS,
  variables: () => ({ passed: [], missed: [] }),
  make: acpAgent,
};

/** Some do not leave when their stdin is closed. */
const GRACE_AT_REST_MS = 2000;
/** Some are fetched from a registry when they are started. */
const OPENING_MS = 120_000;

/**
 * Any program that speaks the Agent Client Protocol, version 1, over stdin and stdout as an agent (R-AGT-1): one process
 * and one session per attempt. To stop it, its turn is cancelled first (R-DEL-6).
 */
export function acpAgent({ program, args = [], processes, env, model }: AgentOrder): Agent {
  const begin = (brief: Pick<Brief, 'workspace' | 'prompt' | 'keepLine' | 'tools'>) =>
    open({
      cwd: brief.workspace,
      prompt: brief.prompt,
      variables: new Set(Object.keys(env)),
      ...(brief.tools && { tools: brief.tools }),
      ...(brief.keepLine && { keepLine: brief.keepLine }),
      ...(model !== undefined && { model }),
    });
  return streamAgent<Conversation>({
    name: basename(program),
    program,
    processes,
    arguments: () => args,
    env,
    writable: () => [],
    graceAtRestMs: GRACE_AT_REST_MS,
    empty: begin({ workspace: '', prompt: '' }).transcript,
    dialogue: { openingMs: OPENING_MS, open: begin, interrupt: cancel },
    read: receive,
    judge: judgeTurn,
  });
}
