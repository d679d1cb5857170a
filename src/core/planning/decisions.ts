import { itemKey, sectionItems } from '../progress/items.ts';
import { addNote } from '../progress/notes.ts';

/** What persons decided while the spec was planned, as its progress file tells it, a line each. */
export function decisionsIn(progress: string): readonly string[] {
  return sectionItems(progress, 'Interview Responses').map(itemKey);
}

/** The progress file with what a person answered to a question; done again it changes nothing (R-AGT-6). */
export function withDecision(
  progress: string,
  { question, answer }: { readonly question: string; readonly answer: string },
): string {
  return addNote(progress, 'Interview Responses', `${question} ${answer}`);
}
