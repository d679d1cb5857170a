import { sectionItems } from './items.ts';

const PATH_CHARS_MAX = 300;
const BOUNDS = /^[*_]{0,2}bounds?[*_]{0,2}[ \t]*:[*_]{0,2}/i;
/** What follows one of these is outside. */
const EXCEPTION = /\b(?:not?|never|except|excluding|without|outside|beyond|but)\b/i;
const PATH = /^[\w@.*+-]+(?:\/[\w@.*+()[\]-]+)*\/?$/;

/**
 * The paths that the section Scope of a progress file allows the spec to change, as files, folders and globs; `undefined` where
 * it names none (R-SCOPE-1).
 */
export function scopeBounds(progress: string): readonly string[] | undefined {
  const items = sectionItems(progress, 'Scope');
  const words = items.flatMap((item) => {
    const name = BOUNDS.exec(item)?.[0];
    if (name === undefined) return [];
    const [allowed = ''] = item.slice(name.length).split(EXCEPTION);
    return allowed.split(/[\s,;`"']+/);
  });
  const paths = words.map((word) => word.replace(/^\.\//, '').replace(/[.:]$/, '')).filter(isPath);
  return paths.length === 0 ? undefined : [...new Set(paths)];
}

function isPath(word: string): boolean {
  return word.length < PATH_CHARS_MAX && PATH.test(word) && (/[/*]/.test(word) || /\w\.[a-z]\w{0,9}$/i.test(word));
}

/** Whether a file, relative to the repository, is one of these, or in one of these folders. */
export function isWithin(path: string, bounds: readonly string[]): boolean {
  return bounds.some((bound) => {
    const folder = bound.replace(/\/+(?:\*\*\/?)?$/, '');
    return path === folder || path.startsWith(`${folder}/`) || globOf(folder).test(path);
  });
}

function globOf(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/?|\*)/)
    .map((part) => (part === '*' ? '[^/]*' : part.startsWith('**') ? '(?:.*/)?' : part.replace(/[.+()[\]]/g, '\\$&')));
  return new RegExp(`^${source.join('')}(?:/.*)?$`);
}
