import { type ForgeAnswer, ForgeFault } from '../../../ports/forge.ts';
import { isSameAnswer } from '../marks.ts';
import { anyAnswer, type CommentFacts } from './answers.ts';
import { commentsBelow, threadAt } from './look.ts';
import { askForReview } from './open.ts';
import { REPLY, RESOLVE } from './queries.ts';
import { pathOf, type Reader } from './reader.ts';

/** Answers in a thread unless that is done, and resolves it (R-PR-12). */
export async function answerThread(reader: Reader, thread: string, { text, resolves }: ForgeAnswer): Promise<void> {
  const { isResolved, hasUnsubmittedReview, comments } = await threadAt(reader, thread);
  if (!isAnswered(comments, text)) {
    if (hasUnsubmittedReview)
      throw new ForgeFault(
        'refused',
        'The account has a review of the pull request that is not submitted, and an answer would become part of it. Submit or discard it.',
      );
    await reader.gh.graphQl(REPLY, { thread, text }, anyAnswer);
  }
  if (resolves && !isResolved) await reader.gh.graphQl(RESOLVE, { thread }, anyAnswer);
}

/** Answers a review by a comment unless that is done, and asks its author to look again (R-PR-3, R-PR-12). */
export async function answerReview(reader: Reader, number: number, author: string, text: string): Promise<void> {
  if (!isAnswered(await commentsBelow(reader, number), text)) {
    const path = `${pathOf(reader)}/issues/${number}/comments`;
    await reader.gh.rest({ method: 'POST', path, body: { body: text } }, anyAnswer);
  }
  await askForReview(reader, number, author);
}

function isAnswered(comments: readonly CommentFacts[], text: string): boolean {
  return comments.some(({ viewerDidAuthor, body }) => viewerDidAuthor && isSameAnswer(body, text));
}
