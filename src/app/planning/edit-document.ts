import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Drafted } from '../../core/plan/data/step.ts';
import { FILE_OF } from '../../core/planning/steps.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

/** Opens a document in the editor that VISUAL or EDITOR names, as git does, and waits for it; what keeps it from that is a notice. */
export async function editDocument({ spec }: SpecPlace, { env, notify }: Host, artifact: Drafted): Promise<void> {
  const editor = env.VISUAL || env.EDITOR || '';
  const path = join(spec.dir, FILE_OF[artifact]);
  if (editor === '') {
    notify(`Neither VISUAL nor EDITOR is set. Edit ${path} yourself, then answer.`);
    return;
  }
  const { status, error } = spawnSync('sh', ['-c', `${editor} "$@"`, editor, path], { stdio: 'inherit', env });
  if (error !== undefined || status !== 0)
    notify(`The editor "${editor}" ended with ${error === undefined ? `exit code ${status}` : error.message}.`);
}
