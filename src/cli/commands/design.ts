import { phaseCommand } from '../planning/phase-command.ts';

/** Drafts `design.md` of a spec (R-PLAN-1). */
export const design = phaseCommand('design');
