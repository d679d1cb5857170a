import { phaseCommand } from '../planning/phase-command.ts';

/** Drafts `requirements.md` of a spec (R-PLAN-1). */
export const requirements = phaseCommand('requirements');
