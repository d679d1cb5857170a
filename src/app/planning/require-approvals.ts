import { approvedText, rejectedText, staleText } from '../../core/planning/document-text.ts';
import { commandOf, FILE_OF } from '../../core/planning/steps.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { WaitingError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { approveHere, requireSound } from './approve.ts';
import { documentsIn, type SpecDocument } from './documents.ts';

/**
 * What approvals say of a spec whose tasks are to be run (R-GATE-6): tasks that were rejected keep the run from starting, and
 * where approvals are required a document that is stale or not approved; else it is named in a notice. Resolves with what approves the plan, which the start does (R-START-3).
 * Throws `WaitingError`.
 */
export async function requireApprovals(
  place: SpecPlace,
  host: Host,
  { afterQuick = false }: { readonly afterQuick?: boolean } = {},
): Promise<((on: { readonly newBranch: boolean }) => Promise<void>) | undefined> {
  const { documents, needed, isPlanned, choices } = await documentsIn(place, host);
  const open = documents.filter(({ artifact, state }) => needed.includes(artifact) && state !== 'approved');
  if (!isPlanned || open.length === 0) return undefined;
  const lines = open.map(whyOpen);
  const name = commandLine(place.spec.operand);
  const rejected = open.find(({ artifact, rejection }) => artifact === 'tasks' && rejection !== undefined);
  if (rejected !== undefined)
    throw new WaitingError(
      whyOpen(rejected),
      `Make it again: specloop ${commandOf('tasks')} ${name}. Or approve it all the same: specloop approve ${name} tasks`,
    );
  if (place.loaded.settings.approvals === 'required')
    throw new WaitingError(
      lines.join('\n'),
      `Read what is open, then approve it: specloop approve ${name}${open.some(({ state }) => state === 'stale') ? ' --as-is' : ''}. "specloop status ${name}" shows all.`,
    );
  if (afterQuick) return undefined;
  const plan = open.find(({ artifact, state }) => artifact === 'tasks' && state === 'draft');
  for (const document of open) if (document !== plan) host.notify(`Warning: ${whyOpen(document)}`);
  if (plan === undefined) return undefined;
  await requireSound(place, host, { document: plan, choices });
  return async ({ newBranch }) => {
    const [approved] = await approveHere(place, host, { artifact: 'tasks', asIs: true, commits: !newBranch });
    if (approved) host.notify(approvedText(approved));
  };
}

function whyOpen(document: SpecDocument): string {
  const file = FILE_OF[document.artifact];
  if (document.rejection !== undefined) return rejectedText(document.rejection);
  switch (document.state) {
    case 'missing':
      return `${file} is missing.`;
    case 'stale':
      return staleText(document);
    default:
      return `${file} is not approved.`;
  }
}
