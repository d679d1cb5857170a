import { readArtifact } from './artifact-text.ts';
import { readRequirements } from './requirements.ts';

/** The ids whose text differs between two forms of the requirements, those that were added or removed included, in file order. */
export function changedIds(before: string, after: string): readonly string[] {
  const [old, now] = [before, after].map((text) => blocksOf(text));
  if (old === undefined || now === undefined) return [];
  const all = [...new Set([...now.keys(), ...old.keys()])];
  return all.filter((id) => old.get(id) !== now.get(id));
}

function blocksOf(text: string): ReadonlyMap<string, string> {
  const { defined } = readRequirements(readArtifact('requirements', '', text));
  return new Map([...defined.values()].map(({ id, block }) => [id, block.trimEnd()]));
}
