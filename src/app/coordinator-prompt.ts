import { join, relative } from 'node:path';
import { writeAtomically } from '../adapters/store/atomic-write.ts';
import { loopIterations } from '../core/plan/loop-iterations.ts';
import { coordinatorFileOf } from '../core/spec-files.ts';
import { UserError } from '../core/user-error.ts';
import { findSpec } from './find-spec.ts';
import type { Host } from './host.ts';
import { ignorePrivateFiles } from './ignore-private-files.ts';
import { enabledPlugins } from './plugin/enabled-plugins.ts';
import { coordinatorPage } from './plugin/shipped.ts';
import { noTask, planOf } from './spec/plan-file.ts';

/** The names under which the Ralph Loop plugin is known, and its command. */
const LOOP_PLUGIN = /^(ralph-loop|ralph-wiggum)@/;
const LOOP_COMMAND = 'ralph-loop';

/**
 * Writes the page for a session that the Ralph Loop plugin drives, and resolves with the call of that plugin (R-START-9, R-SES-9).
 * Throws `UserError` if the plugin is not enabled; then nothing is written.
 */
export async function writeCoordinatorPrompt(host: Host, name?: string): Promise<string> {
  const place = await findSpec(host, name);
  const { repository, spec } = place;
  const plugin = enabledPlugins(host.env, repository.root).find((one) => LOOP_PLUGIN.test(one));
  if (plugin === undefined)
    throw new UserError(
      'The Ralph Loop plugin is not enabled in the settings of Claude Code.',
      'Install it in Claude Code with "/plugin install ralph-loop@claude-plugins-official", or use "specloop plugin install --claude", which needs no other plugin.',
    );
  const file = await planOf(spec);
  if (file.plan.tasks.length === 0) throw noTask(file);
  await ignorePrivateFiles(place, host.env);
  const page = join(spec.dir, coordinatorFileOf(spec));
  writeAtomically(page, coordinatorPage().replaceAll('{{spec}}', spec.operand));
  const path = relative(host.cwd, page);
  host.notify(`Wrote ${path}. Enter this line in Claude Code:`);
  const order = `Read ./${path} and follow it exactly. Output ALL_TASKS_COMPLETE when it says so.`;
  const limits = `--max-iterations ${loopIterations(file.plan.tasks.length)} --completion-promise ALL_TASKS_COMPLETE`;
  return `/${plugin.slice(0, plugin.indexOf('@'))}:${LOOP_COMMAND} "${order}" ${limits}`;
}
