import type { Drafted } from '../plan/data/step.ts';

const FRONT_MATTER = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?\r?\n)(---[ \t]*(?:\r?\n|$))/;
const FIELD = /^approved_through:[^\r\n]*/m;

/** The last document up to which all that the spec needs are approved; `undefined` while the first one is not. */
export function approvedThrough(needed: readonly Drafted[], approved: readonly Drafted[]): Drafted | undefined {
  const firstOpen = needed.findIndex((artifact) => !approved.includes(artifact));
  return firstOpen === -1 ? needed.at(-1) : needed[firstOpen - 1];
}

/** The progress file with `approved_through` in its front matter (R-GATE-4); one without front matter stays as it is. */
export function withApprovedThrough(progress: string, through: Drafted | undefined): string {
  const [whole, opening, fields, closing] = FRONT_MATTER.exec(progress) ?? [];
  if (whole === undefined || opening === undefined || fields === undefined || closing === undefined) return progress;
  const line = `approved_through: ${through ?? 'none'}`;
  const eol = opening.endsWith('\r\n') ? '\r\n' : '\n';
  const written = FIELD.test(fields) ? fields.replace(FIELD, line) : `${fields}${line}${eol}`;
  return `${opening}${written}${closing}${progress.slice(whole.length)}`;
}
