import type { AgentKind } from './agent-kind.ts';
import { CLAUDE_CODE } from './claude-code/claude-code.ts';
import { CODEX } from './codex/codex.ts';
import { GEMINI } from './gemini/gemini.ts';
import { OPENCODE } from './opencode/opencode.ts';

/** The agents that have an adapter of their own, in the order in which they are listed to people. */
export const AGENT_KINDS: readonly AgentKind[] = [CLAUDE_CODE, CODEX, GEMINI, OPENCODE];
