import type { World } from '../lane/world.ts';

/** The ref of this name, or, where there is one, the name with the next free number: what is kept is never overwritten. */
export async function unusedRef({ git }: Pick<World, 'git'>, name: string): Promise<string> {
  let ref = name;
  for (let n = 2; (await git.readRef(ref)) !== undefined; n++) ref = `${name}-${n}`;
  return ref;
}
