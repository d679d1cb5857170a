import { ForgeFault } from '../../../ports/forge.ts';
import type { ListPage } from './answers.ts';

/** How many pages of one list are read. A list that goes on is an error: what is not seen cannot be taken for settled. */
const PAGES_MAX = 200;

/** All that is on this page of a list and on those after it. Throws `ForgeFault`. */
export async function everyPage<Node>(
  first: ListPage<Node> | null | undefined,
  next: (after: string) => Promise<ListPage<Node> | null | undefined>,
): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  let page = first;
  for (let pages = 1; ; pages += 1) {
    if (!page) throw new ForgeFault('not-understood', 'GitHub left a list out of its answer.');
    nodes.push(...page.nodes);
    const { hasNextPage, endCursor } = page.pageInfo;
    if (!hasNextPage) return nodes;
    if (!endCursor || pages === PAGES_MAX)
      throw new ForgeFault(
        'not-understood',
        `GitHub has more than ${pages} pages of a list, which are too many to read.`,
      );
    page = await next(endCursor);
  }
}
