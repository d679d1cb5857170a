import { DESIGN_FILE, REQUIREMENTS_FILE, SPEC_KIT_NEIGHBOURS } from '../../spec-files.ts';
import type { Dialect } from '../data/dialect.ts';
import { type Entry, readEvidence } from './evidence.ts';

/** The dialect of a file, or those that fit equally well (R-DIA-3). */
export type Detected =
  | { readonly ok: true; readonly dialect: Dialect }
  | { readonly ok: false; readonly dialects: readonly Dialect[] };

/** More of a text adds nothing to the guess. */
const READ_CHARS_MAX = 64 * 1024;

const PLACES: readonly (readonly [RegExp, Dialect])[] = [
  [/(?:^|\/)\.kiro\/specs\//, 'kiro'],
  [/(?:^|\/)openspec\/changes\//, 'openspec'],
  [/(?:^|\/)\.specify\/specs\//, 'spec-kit'],
];

/** The dialect that the place of a file or folder decides, whatever is in it; the path is relative, with `/`. */
export function dialectOfPlace(path: string): Dialect | undefined {
  return PLACES.find(([place]) => place.test(path))?.[1];
}

/** The dialect of the plan of a folder in a root that several tools use: its neighbours decide, else what it says. */
export function detectInRoot(has: (file: string) => boolean, read: () => string): Detected {
  const isSpecKit = SPEC_KIT_NEIGHBOURS.some(has);
  const isOwn = [REQUIREMENTS_FILE, DESIGN_FILE].some(has);
  if (isSpecKit !== isOwn) return known(isSpecKit ? 'spec-kit' : 'ralph-specum');
  const entries = readEvidence(beginningOf(read()));
  const numbered = entries.filter(({ id }) => id === 'T').length;
  const others = entries.filter(({ id }) => id !== undefined && id !== 'T').length;
  if (2 * numbered > entries.length) return known('spec-kit');
  if (numbered > 0 && numbered === others) return { ok: false, dialects: ['spec-kit', 'ralph-specum'] };
  const isPlain = entries.length > 0 && entries.every(({ id, fields }) => id === undefined && fields === 0);
  return known(isPlain ? 'checklist' : 'ralph-specum');
}

/** The dialect of a file in a place that says nothing. */
export function detectByText(text: string): Detected {
  const entries = readEvidence(beginningOf(text));
  const isOwn = fitsOwn(entries);
  const fitting: readonly (readonly [Dialect, boolean])[] = [
    ['spec-kit', share(entries, ({ id }) => id === 'T') > 1 / 2],
    ['ralph-specum', isOwn],
    ['kiro', !isOwn && fitsKiro(entries)],
    ['openspec', !isOwn && share(entries, ({ isOfSection }) => isOfSection) > 1 / 2],
  ];
  const dialects = fitting.flatMap(([dialect, fits]) => (fits ? [dialect] : []));
  const [only, other] = dialects;
  if (only !== undefined) return other === undefined ? known(only) : { ok: false, dialects };
  const isPlain = share(entries, ({ id }) => id !== undefined) <= 1 / 2 && entries.every(({ fields }) => fields === 0);
  return known(isPlain && entries.length > 0 ? 'checklist' : 'ralph-specum');
}

/** The whole lines at the beginning of a long text: what thousands of tasks look like is as plain from the first of them. */
function beginningOf(text: string): string {
  if (text.length <= READ_CHARS_MAX) return text;
  return text.slice(0, text.lastIndexOf('\n', READ_CHARS_MAX) + 1);
}

function fitsOwn(entries: readonly Entry[]): boolean {
  if (share(entries, ({ id }) => id !== undefined && id !== 'T') <= 1 / 2) return false;
  return share(entries, ({ fields }) => fields >= 2) >= 1 / 3 || entries.some(({ hasOwnMarker }) => hasOwnMarker);
}

function fitsKiro(entries: readonly Entry[]): boolean {
  if (share(entries, ({ id }) => id === 'number') <= 1 / 2) return false;
  return (
    share(entries, ({ hasRequirements }) => hasRequirements) >= 1 / 3 ||
    entries.some(({ looksLikeKiro }) => looksLikeKiro)
  );
}

function share(entries: readonly Entry[], test: (entry: Entry) => boolean): number {
  return entries.filter(test).length / Math.max(1, entries.length);
}

function known(dialect: Dialect): Detected {
  return { ok: true, dialect };
}
