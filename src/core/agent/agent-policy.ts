import type { Role } from './role.ts';

/** The agents that may work in a role, by name: its own, and those that go on when it is at a usage limit (R-AGT-3). */
export interface AgentPolicy {
  /** Of the roles that the run needs. */
  readonly roles: Readonly<Partial<Record<Role, string>>>;
  readonly fallback: readonly string[];
}
