import { dirname } from 'node:path';

/** Variables of git's own that a person may set for good reasons: who commits, and which settings are read. */
const KEPT = /^GIT_(AUTHOR_|COMMITTER_|CONFIG_NOSYSTEM$|CONFIG_GLOBAL$|CONFIG_SYSTEM$)/;

/**
 * Settings that hold for every call of ours, whatever a repository's config says (R-SEC-1): no program is started to
 * watch files, nothing is cleaned up behind our back, what was committed outlasts a power cut.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.fsync': 'committed,index',
  'core.quotePath': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.ext.allow': 'never',
  'safe.bareRepository': 'explicit',
  'submodule.recurse': 'false',
  'rerere.enabled': 'false',
  'merge.directoryRenames': 'false',
  'add.ignoreErrors': 'false',
  'diff.relative': 'false',
  'color.ui': 'false',
  'i18n.commitEncoding': 'UTF-8',
  'i18n.logOutputEncoding': 'UTF-8',
  'advice.addIgnoredFile': 'false',
  'advice.addEmbeddedRepo': 'false',
};

/** `off` for all but the commits of a task: a hook of the repository has no business in our bookkeeping. */
export type Hooks = 'run' | 'off';

/**
 * Environment of every git call, made from the one we were started with: variables that would lead git elsewhere are
 * gone, it asks nobody, and it speaks English (its words are read; the character set stays the user's, for his hooks).
 */
export function gitEnvironment(inherited: NodeJS.ProcessEnv, hooks: Hooks): Readonly<Record<string, string>> {
  const { LC_ALL, LANGUAGE: _, ...rest } = inherited;
  const own = Object.entries(rest).filter(([name]) => !name.startsWith('GIT_') || KEPT.test(name));
  const characters = LC_ALL || inherited.LC_CTYPE || inherited.LANG;
  return {
    ...Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    ...(characters ? { LC_CTYPE: characters } : {}),
    LC_MESSAGES: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    // What a commit holds is never what an agent says in its place (R-VER-14).
    ...(hooks === 'off' ? { GIT_NO_REPLACE_OBJECTS: '1' } : {}),
    ...settings(hooks === 'off' ? { ...SETTINGS, 'core.hooksPath': '/dev/null' } : SETTINGS),
  };
}

/** Keeps git from taking a repository further up for this tree, should its own `.git` be gone. */
export function onlyIn(dir: string): Readonly<Record<string, string>> {
  return { GIT_CEILING_DIRECTORIES: dirname(dir) };
}

function settings(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const pairs = Object.entries(values);
  const named = pairs.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(named) };
}
