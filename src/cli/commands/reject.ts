import { resolve } from 'node:path';
import { UserError } from '../../core/user-error.ts';
import { draftOptions } from '../planning/options.ts';
import { type Call, type Command, optionText, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf } from '../shared/setting-options.ts';

/** Sends a document that waits for approval back to its author with what a person wants changed (R-GATE-3). */
export const reject: Command = {
  operands: [specOperand],
  options: [
    { flag: '--feedback', placeholder: 'TEXT', summary: 'What has to change.' },
    { flag: '--feedback-file', placeholder: 'FILE', summary: 'The same from a file.' },
    { flag: '--phase', placeholder: 'PHASE', summary: 'Document to have changed. Default: the newest one.' },
    ...draftOptions,
  ],
  examples: [['reject login --feedback "No OAuth."', 'Has the newest document of "login" changed.']],
  details:
    'The agent that drafts the document gets your words and the draft. Approvals of this document and of later ones are taken back.',
  run: async (call) => {
    const { findSpec } = await import('../../app/place.ts');
    const { documentToReject } = await import('../../app/planning/reject.ts');
    const { runPhase } = await import('../planning/run-phase.ts');
    const feedback = await feedbackOf(call);
    const place = await findSpec(hostOf(call), call.operands[0], flagsOf(call));
    const artifact = await documentToReject(place, hostOf(call), optionText(call, '--phase'));
    return await runPhase(call, place, { artifact, feedback });
  },
};

async function feedbackOf(call: Call): Promise<string> {
  const file = optionText(call, '--feedback-file');
  const { readFeedback } = await import('../../app/planning/reject.ts');
  const text = optionText(call, '--feedback') ?? (file === undefined ? '' : readFeedback(resolve(call.cwd, file)));
  if (text.trim() !== '') return text.trim();
  throw new UserError('Nothing says what has to change.', 'Pass --feedback "TEXT" or --feedback-file FILE.');
}
