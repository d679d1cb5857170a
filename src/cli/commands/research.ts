import { phaseCommand } from '../planning/phase-command.ts';

/** Drafts `research.md` of a spec (R-PLAN-1). */
export const research = phaseCommand('research');
