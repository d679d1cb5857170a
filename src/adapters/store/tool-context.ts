import { lstatSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { PlanFormat } from '../../core/plan/format.ts';
import { RESEARCH_FILE, type SpecLayout } from '../../core/spec-files.ts';
import { codeOf } from './disk.ts';

const PATHS_MAX = 40;
const DEPTH_MAX = 4;

/**
 * The documents of the tool that owns a plan which are there, relative to the repository's root: those in the spec's folder,
 * save the two that reviewers get whole, and those that hold for all specs (R-DIA-5).
 */
export function toolContext(
  repository: string,
  { dir, isSingleFile, format: { documents } }: SpecLayout & { readonly dir: string; readonly format: PlanFormat },
): readonly string[] {
  const inFolder = isSingleFile ? [] : documents.more.filter((name) => name !== RESEARCH_FILE);
  const places = [
    ...inFolder.map((name) => join(dir, name)),
    ...documents.shared.map((path) => join(repository, path)),
  ];
  const found = places.flatMap((path) => filesAt(path, DEPTH_MAX));
  return found.slice(0, PATHS_MAX).map((path) => relative(repository, path).split(sep).join('/'));
}

/** A file, or the files in a folder; links are not followed. */
function filesAt(path: string, depth: number): readonly string[] {
  try {
    if (!lstatSync(path).isDirectory()) return [path];
    const entries = readdirSync(path, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
    return entries.flatMap((entry) => {
      if (entry.isFile()) return [join(path, entry.name)];
      return entry.isDirectory() && depth > 0 ? filesAt(join(path, entry.name), depth - 1) : [];
    });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(codeOf(error) ?? '')) return [];
    throw error;
  }
}
