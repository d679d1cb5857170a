import { itemKey, sectionItems } from '../progress/items.ts';

/** What persons decided while the spec was planned, as its progress file tells it, a line each. */
export function decisionsIn(progress: string): readonly string[] {
  return sectionItems(progress, 'Interview Responses').map(itemKey);
}
