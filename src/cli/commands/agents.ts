import { type AgentStatus, surveyAgents } from '../../app/agents/agent-survey.ts';
import { findPlace } from '../../app/place.ts';
import { visible } from '../../core/text/sanitise.ts';
import { type Command, jsonOption } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { printResult } from '../shared/print.ts';

/** Lists the agents that can be chosen, and starts none of them (R-AGT-1). */
export const agents: Command = {
  operands: [],
  options: [jsonOption],
  examples: [['agents', 'Lists the agents, whether they are installed and signed in, and what each can.']],
  details: 'Asks each program only for its version and its sign-in. No token is spent.',
  run: async (call) => {
    const host = hostOf(call);
    const found = await surveyAgents(host, await findPlace(host));
    printResult(call, found, () => linesOf(found).join(''));
    return 0;
  },
};

const SIGNED_IN = { yes: 'signed in', no: 'not signed in', unknown: 'sign-in unknown' } as const;

function linesOf(found: readonly AgentStatus[]): readonly string[] {
  const nameWidth = Math.max(...found.map(({ name }) => visible(name).length));
  const versionWidth = Math.max(...found.map(({ version }) => (version ?? '').length));
  return found.map((agent) => {
    const { name, version, signedIn, can, untested } = agent;
    const start = visible(name).padEnd(nameWidth);
    if (!agent.found) return `${start}  not found\n`;
    const told = [
      visible(version ?? '').padEnd(versionWidth),
      SIGNED_IN[signedIn].padEnd(SIGNED_IN.unknown.length),
      can.join(', '),
      ...(untested.length === 0 ? [] : [`untested: ${untested.join(', ')}`]),
    ];
    return `${[start, ...told].join('  ').trimEnd()}\n`;
  });
}
