import type { Comment } from './seen.ts';

const MARK = /<!-- specloop: answers (\S{1,200}) -->/;

/** The invisible line by which an answer of ours names what it answers, so that nothing is answered twice (R-PR-12). */
export function markOf(id: string): string {
  return `<!-- specloop: answers ${id} -->`;
}

/** What a comment answers, if it carries our mark and our own account wrote it. */
export function answeredBy({ author, body }: Pick<Comment, 'author' | 'body'>): string | undefined {
  return author.isSelf ? MARK.exec(body)?.[1] : undefined;
}
