import { ACP } from './acp/acp.ts';
import type { AgentKind } from './agent-kind.ts';
import { COMMAND } from './command.ts';

/** A program that is called as a command, or by the Agent Client Protocol, with these arguments. */
export interface AgentPreset {
  readonly kind: AgentKind;
  readonly args: readonly string[];
}

interface Row {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly by: 'command' | 'acp';
  /** Variables of its own, which it gets without being told. */
  readonly passed: readonly string[];
  /** What it may read in addition, and gets only where a person says so. */
  readonly missed?: readonly string[];
}

/** Written from the documentation of each; none was ever run. */
const ROWS: readonly Row[] = [
  {
    name: 'copilot',
    program: 'copilot',
    args: ['--acp', '--stdio'],
    by: 'acp',
    passed: ['COPILOT_*'],
    missed: ['GH_TOKEN', 'GITHUB_TOKEN'],
  },
  { name: 'cursor', program: 'cursor-agent', args: ['acp'], by: 'acp', passed: ['CURSOR_*'] },
  {
    name: 'qwen',
    program: 'qwen',
    args: ['--acp'],
    by: 'acp',
    passed: ['QWEN_*', 'DASHSCOPE_*'],
    missed: ['OPENAI_*'],
  },
  { name: 'goose', program: 'goose', args: ['acp'], by: 'acp', passed: ['GOOSE_*'], missed: ['*_API_KEY'] },
  { name: 'kimi', program: 'kimi', args: ['acp'], by: 'acp', passed: ['KIMI_*', 'MOONSHOT_*'] },
  { name: 'amp', program: 'amp', args: ['-x', '--dangerously-allow-all'], by: 'command', passed: ['AMP_*'] },
  { name: 'droid', program: 'droid', args: ['exec', '--auto', 'high'], by: 'command', passed: ['FACTORY_*'] },
  {
    name: 'aider',
    program: 'aider',
    args: ['--message-file', '/dev/stdin', '--yes-always', '--no-auto-commits', '--no-gitignore', '--no-pretty'],
    by: 'command',
    passed: ['AIDER_*'],
    missed: ['*_API_KEY'],
  },
];

/** Agents that have no adapter of their own and are known by what to call (R-AGT-1), in the order in which they are listed. */
export const PRESETS: readonly AgentPreset[] = ROWS.map(({ name, program, args, by, passed, missed = [] }) => {
  const base = by === 'acp' ? ACP : COMMAND;
  const about = { ...base.about, untested: ['all'] as const };
  return { kind: { ...base, name, program, about, variables: () => ({ passed, missed }) }, args };
});
