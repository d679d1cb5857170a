import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readHookMemory } from '../../adapters/store/hook-memory.ts';
import { segmentOf, specPrivateFolder } from '../../adapters/store/private-folder.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { userStateFolder } from '../../adapters/store/user-state-folder.ts';
import type { HookInput } from '../../core/session/hook-input.ts';
import type { HookSpec } from '../../core/session/hook-spec.ts';
import { isSwitchedOff } from '../../core/session/is-switched-off.ts';
import { objectIn } from '../../core/session/object-in.ts';
import type { SessionRun } from '../../core/session/session-run.ts';
import type { StopFacts } from '../../core/session/stop.ts';
import { pathInFolder, planPathOf, specKey, stateFileOf } from '../../core/spec-files.ts';
import { parseStateFile } from '../../core/state-file/parse.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import { homeFolder } from '../home-folder.ts';
import type { Environment } from '../host.ts';
import { enabledPlugins, isOlderPlugin } from '../plugin/enabled-plugins.ts';
import { planOf } from '../spec/plan-file.ts';
import { type ActiveSpec, findActiveSpec } from './find-spec.ts';

/** All that was found of the active spec. */
export interface Found {
  readonly facts: StopFacts;
  /** Where the hooks remember what they told of the spec. */
  readonly privateDir: string;
}

/** Without a state file a spec is in no phase, so no session is kept from ending for it. */
const NO_STATE: StopFacts['state'] = { ok: true, state: {} };
const STATE_BYTES_MAX = 4 * 1024 * 1024;
const SETTINGS_BYTES_MAX = 1024 * 1024;
const SETTINGS = ['.claude/specloop.local.md', '.claude/ralph-specum.local.md'];

/**
 * Gathers what the hooks of a session decide from; `undefined` where there is no active spec, where the plugin's settings
 * switch the hooks off, and in an agent that a run started. Reads only, and starts no program (R-SES-5). Throws what reading throws.
 */
export async function findFacts(input: HookInput, env: Environment): Promise<Found | undefined> {
  if (env.SPECLOOP_TASK_ID !== undefined) return undefined; // An agent of a run: it has its task, and is no one's session.
  const active = input.cwd === undefined ? undefined : await findActiveSpec(input.cwd, env);
  if (active === undefined || isOff(active)) return undefined;
  const { root, spec } = active;
  const text = readText(join(spec.dir, stateFileOf(spec)), STATE_BYTES_MAX);
  const privateDir = privateDirOf(active, env);
  const run = await newestRun(privateDir, spec.name);
  const { owner, sessions } = readHookMemory(privateDir);
  const facts: StopFacts = {
    input,
    spec: hookSpec(active, input),
    state: text === undefined ? NO_STATE : parseStateFile(text),
    isQuick: objectIn(text ?? '')?.quickMode === true,
    plan: await planOrProblem(active),
    ...(run && { run }),
    isOlderPluginEnabled: enabledPlugins(env, root).some(isOlderPlugin),
    memory: { ...sessions[input.sessionId ?? ''], ...(owner && { owner }) },
  };
  return { facts, privateDir };
}

/** With the runs, or with the user where there is no repository: never in the tree. */
function privateDirOf({ commonDir, spec }: ActiveSpec, env: Environment): string {
  if (commonDir !== undefined) return specPrivateFolder(commonDir, specKey(spec));
  return join(
    userStateFolder(env, homeFolder(env) ?? '/'),
    'hooks',
    segmentOf(spec.isSingleFile ? join(spec.dir, spec.format.file) : spec.dir),
  );
}

/** Whether the settings of the plugin switch the hooks off where a spec is. */
export function isOff({ dir, root }: Pick<ActiveSpec, 'dir' | 'root'>): boolean {
  const files = new Set([dir, root].flatMap((folder) => SETTINGS.map((name) => join(folder, name))));
  return [...files].some((file) => isSwitchedOff(settingsIn(file)));
}

/** Settings that cannot be read switch nothing off. */
function settingsIn(file: string): string {
  try {
    return readText(file, SETTINGS_BYTES_MAX) ?? '';
  } catch {
    return '';
  }
}

function hookSpec({ spec, dir, commonDir }: ActiveSpec, { sessionId, cwd }: HookInput): HookSpec {
  const at = cwd === dir ? [] : ['--cwd', dir];
  const session = sessionId === undefined ? [] : ['--session', sessionId];
  return {
    name: spec.name,
    hasRepository: commonDir !== undefined,
    stateFile: pathInFolder(spec.path, stateFileOf(spec)),
    planFile: planPathOf(spec),
    calls: {
      next: commandLine('specloop', 'next', spec.operand, ...session, '--json', ...at),
      resetState: commandLine('specloop', 'implement', spec.operand, '--reset-state', ...at),
    },
  };
}

/** What reads a journal is loaded only where there is one. */
async function newestRun(privateDir: string, spec: string): Promise<SessionRun | undefined> {
  if (!existsSync(join(privateDir, 'runs'))) return undefined;
  const { readSessionRun } = await import('./read-session-run.ts');
  return await readSessionRun(privateDir, spec);
}

async function planOrProblem({ spec }: ActiveSpec): Promise<StopFacts['plan']> {
  try {
    const { plan, path } = await planOf(spec);
    if (plan.tasks.length > 0) return plan;
    return { problem: `${path} ${plan.text.trim() === '' ? 'is empty' : 'holds no task'}.` };
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}
