import { agentSources } from '../agents/agent-choice.ts';
import { chosenAgents } from '../agents/agents.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { planOf } from '../spec/plan-file.ts';
import { homeOf, notifyElsewhere } from '../worktree/home.ts';
import { executablesOf } from './executables.ts';
import { changedSettings, requirePerson, requireReadable, settingsToTrust, trustOf } from './trust.ts';

/** A command that a run would execute. */
export interface ReviewedCommand {
  readonly command: string;
  /** Where it is written, as `specs/demo/tasks.md:3`. */
  readonly from: string;
  readonly trusted: boolean;
}

/** What a run would execute, and which of it is trusted in this workspace (R-SEC-1). */
export interface TrustReview {
  readonly commands: readonly ReviewedCommand[];
  /** Settings of the repository that changed since they were trusted, one text each. */
  readonly changed: readonly string[];
  /** Trusts all of it, until something of it changes. Throws `UserError` for what is not readable, and below a run. */
  readonly trust: () => Promise<void>;
}

/** Finds out what a run of a spec would execute. Changes nothing. Throws `UserError`. */
export async function reviewTrust(place: SpecPlace, host: Pick<Host, 'env' | 'notify'>): Promise<TrustReview> {
  const { repository } = place;
  const home = await homeOf(place, host);
  notifyElsewhere(home, host);
  const { plan } = await planOf(home.place.spec);
  const executables = executablesOf(plan, home.place, chosenAgents(agentSources(place)));
  const commands = executables.map(({ command }) => command);
  const store = trustOf(host.env);
  const settings = settingsToTrust(place.loaded);
  const missing = new Set(await store.missingTrust(repository, commands));
  const found = await store.changedSettings(repository, settings);
  return {
    commands: executables.map(({ command, from }) => ({ command, from, trusted: !missing.has(command) })),
    changed: found === 'unknown' ? [] : changedSettings(found, place.loaded),
    async trust() {
      requireReadable(executables);
      requirePerson(host.env);
      await store.addTrust(repository, { commands, settings });
    },
  };
}
