import { resolve } from 'node:path';
import { findSpec } from '../../app/find-spec.ts';
import { documentToReject, hasAuthor, readFeedback, reject as rejectDocument } from '../../app/planning/reject.ts';
import { commandOf, DOCUMENTS, FILE_OF } from '../../core/planning/steps.ts';
import { UserError } from '../../core/user-error.ts';
import { draftOptions, specAndDocument } from '../planning/options.ts';
import { runPhase } from '../planning/run-phase.ts';
import { type Call, type Command, isSet, optionText } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { laterSpecOperand, sessionOf } from '../shared/options.ts';
import { flagsOf } from '../shared/setting-options.ts';

/** Sends a document back to its author with what a person wants changed (R-GATE-3). */
export const reject: Command = {
  operands: [
    laterSpecOperand,
    { name: 'PHASE', summary: `Document: ${DOCUMENTS.join(', ')}. Default: the newest one.` },
  ],
  options: [
    { flag: '--feedback', placeholder: 'TEXT', summary: 'What has to change.' },
    { flag: '--feedback-file', placeholder: 'FILE', summary: 'The same from a file.' },
    ...draftOptions,
  ],
  examples: [['reject login --feedback "No OAuth."', 'Has the newest document of "login" changed.']],
  details:
    'Your words are kept in the progress file, and the agent that drafts the document gets them and the draft. It starts at once where an agent is set, else with the next command. Approvals of this document and of later ones are taken back.',
  run: async (call) => {
    const host = hostOf(call);
    const operands = specAndDocument(call.operands);
    const feedback = feedbackOf(call);
    const place = await findSpec(host, operands.spec, flagsOf(call));
    const artifact = await documentToReject(place, host, operands.artifact);
    if (!isSet(call, '--dry-run')) await rejectDocument(place, host, { artifact, feedback });
    if (hasAuthor(place, artifact) || sessionOf(call) !== undefined) return await runPhase(call, place, { artifact });
    host.notify(
      `Rejected ${FILE_OF[artifact]}. To have it changed: specloop ${commandOf(artifact)} ${place.spec.name}`,
    );
    return EXIT.ok;
  },
};

function feedbackOf(call: Call): string {
  const file = optionText(call, '--feedback-file');
  const text = optionText(call, '--feedback') ?? (file === undefined ? '' : readFeedback(resolve(call.cwd, file)));
  if (text.trim() !== '') return text.trim();
  throw new UserError('Nothing says what has to change.', 'Pass --feedback "TEXT" or --feedback-file FILE.');
}
