const MARK = /<!--\s*specloop:\s*([^<>]*?)\s*-->/g;

/** What our marks in a text say, in order: `answers 123` for `<!-- specloop: answers 123 -->` (R-PR-12). */
function marksIn(text: string): readonly string[] {
  return [...text.matchAll(MARK)].flatMap(([, words]) => (words ? [words] : []));
}

/** Whether a text that we wrote answers what this id names: one of its marks has the id as a word (R-PR-12). */
export function answers(text: string, id: string): boolean {
  return marksIn(text).some((words) => words.split(/\s+/).includes(id));
}

/** Whether two texts of ours are the same answer: they have a mark in common, or, without marks, say the same (R-PR-12). */
export function isSameAnswer(left: string, right: string): boolean {
  const marks = marksIn(left);
  if (marks.length === 0) return left.trim() === right.trim();
  return marksIn(right).some((mark) => marks.includes(mark));
}
