import type { Agent, AgentOutcome, Brief } from '../../ports/agent.ts';
import { closeChannel, FOLDER_VARIABLE, openChannel, TOKEN_VARIABLE, type ToldByTools } from './channel.ts';

/** How the tools of an attempt are made. */
export interface ToolsOffer {
  /** The program that starts the server, and its arguments. */
  readonly command: string;
  readonly args: readonly string[];
  /** Makes an empty folder outside of the tree, that only this user can read. */
  readonly makeFolder: () => string;
  /** Makes a text that no one can guess, another one at each call. */
  readonly newToken: () => string;
}

/**
 * An agent that can say more than its answer, by the tools of an MCP server that is bound to its attempt (R-AGT-9): it is
 * given one where its brief says what the tools may show. Where there is no room for the channel, it works without.
 */
export function offerTools(agent: Agent, offer: ToolsOffer): Agent {
  return {
    ...agent,
    takesTools: true,
    async work(brief) {
      const folder = brief.shown && roomFor(offer);
      if (brief.shown === undefined || folder === undefined) return await agent.work(brief);
      const token = offer.newToken();
      openChannel(folder, token, brief.shown);
      try {
        return withTold(await agent.work({ ...brief, tools: toolsOf(offer, folder, token) }), closeChannel(folder));
      } catch (error) {
        closeChannel(folder);
        throw error;
      }
    },
  };
}

function roomFor({ makeFolder }: ToolsOffer): string | undefined {
  try {
    return makeFolder();
  } catch {
    return undefined;
  }
}

function toolsOf({ command, args }: ToolsOffer, folder: string, token: string): NonNullable<Brief['tools']> {
  return { command, args, env: { [FOLDER_VARIABLE]: folder, [TOKEN_VARIABLE]: token }, folder };
}

function withTold(outcome: AgentOutcome, { told, warnings }: ToldByTools): AgentOutcome {
  const claims = told.flatMap((one) => ('claim' in one ? [one.claim] : []));
  const learnings = told.flatMap((one) => ('learning' in one ? [one.learning] : []));
  return {
    ...outcome,
    ...(claims.length > 0 && { claims: [...(outcome.claims ?? []), ...claims] }),
    ...(learnings.length > 0 && { learnings }),
    ...(warnings.length > 0 && { warnings: [...(outcome.warnings ?? []), ...warnings] }),
  };
}
