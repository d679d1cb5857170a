import { findSpec } from '../../app/find-spec.ts';
import { approve as approveDocuments } from '../../app/planning/approve.ts';
import { approvedText } from '../../core/planning/document-text.ts';
import { DOCUMENTS } from '../../core/planning/steps.ts';
import { asIsOption, specAndDocument } from '../planning/options.ts';
import { type Command, isSet, jsonOption } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { laterSpecOperand } from '../shared/options.ts';
import { printJson } from '../shared/print.ts';

/** Approves documents of a spec by their content (R-GATE-2, R-GATE-3). */
export const approve: Command = {
  operands: [
    laterSpecOperand,
    { name: 'PHASE', summary: `Document: ${DOCUMENTS.join(', ')}. Default: all that wait for approval.` },
  ],
  options: [asIsOption, jsonOption],
  examples: [
    ['approve', 'Approves what waits for approval in the active spec.'],
    ['approve login requirements', 'Approves the requirements of the spec "login".'],
  ],
  details:
    'An approval belongs to the content of a document: it is written to the progress file and committed, and is void once the document changes.',
  run: async (call) => {
    const { spec, artifact } = specAndDocument(call.operands);
    const place = await findSpec(hostOf(call), spec);
    const approved = await approveDocuments(place, hostOf(call), { artifact, asIs: isSet(call, '--as-is') });
    if (isSet(call, '--json')) printJson(call.stdout, approved);
    else for (const one of approved) call.stderr.write(`${approvedText(one)}\n`);
    return 0;
  },
};
