import type { Authors } from './authors.ts';
import type { Gh } from './gh.ts';

/** What the requests about one repository are made with. */
export interface Reader {
  readonly gh: Gh;
  readonly authors: Authors;
  /** Owner and name, as the queries take them. */
  readonly repository: { readonly owner: string; readonly name: string };
}

/** Where a repository is in the REST interface. */
export function pathOf({ repository: { owner, name } }: Pick<Reader, 'repository'>): string {
  return `repos/${owner}/${name}`;
}
