import { resolve } from 'node:path';
import { findSpec } from '../../app/find-spec.ts';
import { documentToReject, readFeedback } from '../../app/planning/reject.ts';
import { UserError } from '../../core/user-error.ts';
import { draftOptions } from '../planning/options.ts';
import { runPhase } from '../planning/run-phase.ts';
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
    const feedback = feedbackOf(call);
    const place = await findSpec(hostOf(call), call.operands[0], flagsOf(call));
    const artifact = await documentToReject(place, hostOf(call), optionText(call, '--phase'));
    return await runPhase(call, place, { artifact, feedback });
  },
};

function feedbackOf(call: Call): string {
  const file = optionText(call, '--feedback-file');
  const text = optionText(call, '--feedback') ?? (file === undefined ? '' : readFeedback(resolve(call.cwd, file)));
  if (text.trim() !== '') return text.trim();
  throw new UserError('Nothing says what has to change.', 'Pass --feedback "TEXT" or --feedback-file FILE.');
}
