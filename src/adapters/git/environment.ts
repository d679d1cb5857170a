import { dirname } from 'node:path';

/** Variables of git's own that a person may set for good reasons: who commits, and which settings are read. */
const KEPT = /^GIT_(AUTHOR_|COMMITTER_|CONFIG_NOSYSTEM$|CONFIG_GLOBAL$|CONFIG_SYSTEM$)/;

/**
 * Settings that hold for every call of ours, whatever a repository's config says (R-SEC-1): no program is started to
 * watch files, nothing is cleaned up automatically, what was committed outlasts a power cut.
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

/** `off` for all but commits: a hook of the repository has no business in our bookkeeping. */
export type Hooks = 'run' | 'off';

/**
 * Environment of every git call, made from the one we were started with. Where hooks run it is the user's own, as are
 * filters and signing then (R-ADV-5). Everywhere else the settings above hold, variables that would lead git elsewhere
 * are gone, and it asks no one. It speaks English either way, as its words are read.
 */
export function gitEnvironment(inherited: NodeJS.ProcessEnv, hooks: Hooks): Readonly<Record<string, string>> {
  return hooks === 'run' ? environmentOfUser(inherited) : environmentOfOurs(inherited);
}

/**
 * What a person who types `git commit` has. Gone is only what names another repository, and what is meant for us; but
 * not the mark, by which a hook that a killed run left is found and ended (R-DEL-6). Nothing has to keep git from asking:
 * it has no terminal.
 */
function environmentOfUser(inherited: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const isKept = (name: string) => !LEADS_ELSEWHERE.has(name) && (!name.startsWith('SPECLOOP_') || name === RUN_MARK);
  return inEnglish(Object.fromEntries(set(inherited).filter(([name]) => isKept(name))));
}

/** What git itself takes out before it starts a git for another repository, settings of the user's own aside. */
const LEADS_ELSEWHERE: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GLOB_PATHSPECS',
  'GIT_GRAFT_FILE',
  'GIT_ICASE_PATHSPECS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INDEX_VERSION',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

const RUN_MARK = 'SPECLOOP_RUN_MARK';

function environmentOfOurs(inherited: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const own = set(inherited).filter(([name]) => !name.startsWith('GIT_') || KEPT.test(name));
  return {
    ...inEnglish(Object.fromEntries(own)),
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    // What a commit holds is never what an agent says in its place (R-VER-14).
    GIT_NO_REPLACE_OBJECTS: '1',
    ...settings({ ...SETTINGS, 'core.hooksPath': '/dev/null' }),
  };
}

function set(inherited: NodeJS.ProcessEnv): readonly (readonly [string, string])[] {
  return Object.entries(inherited).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

const CATEGORIES = ['CTYPE', 'COLLATE', 'NUMERIC', 'TIME', 'MONETARY'] as const;

/** The same environment, where only messages are in English. Untouched where they are that already. */
function inEnglish(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { LC_ALL, LANGUAGE, ...rest } = env;
  const locale = LC_ALL || env.LC_MESSAGES || env.LANG || 'C';
  if (/^(C|POSIX|en)([_.@-]|$)/.test(locale) && (LANGUAGE ?? '') === '') return env;
  const others = LC_ALL ? Object.fromEntries(CATEGORIES.map((name) => [`LC_${name}`, LC_ALL])) : {};
  return { ...rest, ...others, LC_MESSAGES: 'C' };
}

/**
 * Has git work in this tree and in no other: not in a repository further up, should its own `.git` be gone, nor where
 * `core.worktree` may lead (R-VER-14).
 */
export function onlyIn(dir: string): Readonly<Record<string, string>> {
  return { GIT_CEILING_DIRECTORIES: dirname(dir), GIT_WORK_TREE: dir };
}

function settings(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const pairs = Object.entries(values);
  const named = pairs.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(named) };
}
