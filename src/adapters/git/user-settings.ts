import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';

/** Settings of the user's that a commit depends on. */
export interface CommitSettings {
  readonly signs: boolean;
  /** Settings of ours, which hooks see; only where the user's own would have git lie about the message, or leave a program running. */
  readonly flags: readonly string[];
}

const known = new WeakMap<GitCalls, Promise<CommitSettings>>();

/** Asked once for all commits of a run: what an agent changes there is put back (R-VER-14). */
export function settingsOf(calls: GitCalls, tree: Tree): Promise<CommitSettings> {
  const settings = known.get(calls) ?? readSettings(calls, tree);
  known.set(calls, settings);
  settings.catch(() => known.delete(calls));
  return settings;
}

async function readSettings(calls: GitCalls, tree: Tree): Promise<CommitSettings> {
  const args = ['config', '--null', '--get-regexp', '^(commit\\.gpgsign|core\\.fsmonitor|i18n\\.commitencoding)$'];
  const answer = await calls.run(tree, args, { hooks: 'run' });
  // A key without a value is on.
  const entries = answer.stdout
    .toString()
    .split('\0')
    .filter((entry) => entry !== '');
  const values = new Map(
    entries.map((entry) => {
      const at = entry.indexOf('\n');
      return at === -1 ? ([entry, 'true'] as const) : ([entry.slice(0, at), entry.slice(at + 1)] as const);
    }),
  );
  const isOn = (key: string) => !/^(false|no|off|0|)$/i.test(values.get(key) ?? '');
  const encoding = values.get('i18n.commitencoding');
  return {
    signs: isOn('commit.gpgsign'),
    flags: [
      ...(isOn('core.fsmonitor') ? ['-c', 'core.fsmonitor=false'] : []),
      ...(encoding !== undefined && !/^utf-?8$/i.test(encoding) ? ['-c', 'i18n.commitEncoding=UTF-8'] : []),
    ],
  };
}

/** The same calls, where those that run hooks have the flags. */
export function withFlags(calls: GitCalls, { flags }: Pick<CommitSettings, 'flags'>): GitCalls {
  const flagged = (args: readonly string[], hooks?: 'run' | 'off') => (hooks === 'run' ? [...flags, ...args] : args);
  return {
    ...calls,
    run: (tree, args, options) => calls.run(tree, flagged(args, options?.hooks), options),
    ask: (tree, args, options) => calls.ask(tree, flagged(args, options?.hooks), options),
  };
}
