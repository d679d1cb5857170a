import { type Forge, type ForgeAnswer, ForgeFault } from '../../src/ports/forge.ts';
import type { MemoryForgeSite } from './forge-site.ts';

/** One request to the forge. `comment`, `resolve` and `ask-for-review` are the parts of an answer. */
export type ForgeRequest =
  | Exclude<keyof Forge, 'name' | 'answerThread' | 'answerReview'>
  | 'comment'
  | 'resolve'
  | 'ask-for-review';

/**
 * Called before and after each request: people and CI may act in it, and what it throws is what the request ends with.
 * Thrown `after`, the forge has done what it was asked, and its answer is lost.
 */
export type ForgeHook = (request: ForgeRequest, moment: 'before' | 'after') => void | Promise<void>;

export interface MemoryForge extends Forge {
  /** How often each was requested. */
  readonly requests: ReadonlyMap<ForgeRequest, number>;
}

/** Reaches a forge in memory as an adapter would. */
export function memoryForge(site: MemoryForgeSite, hook: ForgeHook = () => {}): MemoryForge {
  const requests = new Map<ForgeRequest, number>();
  const request = async <Answer>(kind: ForgeRequest, act: () => Answer): Promise<Answer> => {
    requests.set(kind, (requests.get(kind) ?? 0) + 1);
    await hook(kind, 'before');
    const answer = act();
    await hook(kind, 'after');
    return answer;
  };
  const write = <Answer>(kind: ForgeRequest, act: () => Answer): Promise<Answer> =>
    request(kind, () => {
      if (!site.mayWrite) throw new ForgeFault('denied', `${site.options.user} may not write to the repository.`);
      return act();
    });
  const comment = async (of: string, text: string): Promise<void> => {
    if (!site.isAnswered(of, text)) await write('comment', () => site.write(of, site.options.user, text));
  };
  return {
    requests,
    name: 'Memory',
    async access() {
      const { repository, defaultBranch, user } = site.options;
      return request('access', () => ({
        repository,
        host: 'forge.test',
        defaultBranch,
        mayWrite: site.mayWrite,
        user,
      }));
    },
    async find(branch) {
      return request('find', () => site.find(branch));
    },
    async open(wanted) {
      const found = site.find(wanted.branch);
      return found?.state === 'open' ? found : write('open', () => site.open(wanted));
    },
    async look(number) {
      return request('look', () => site.look(number));
    },
    async logOf(job, { charsMax }) {
      return request('logOf', () => site.logOf(job)?.slice(-charsMax));
    },
    async rerun(job) {
      return write('rerun', () => site.rerun(job));
    },
    async answerThread(number, thread, { text, resolves }: ForgeAnswer) {
      if (site.commentsOf(thread).length === 0)
        throw new ForgeFault('gone', `There is no thread ${thread} in ${number}.`);
      await comment(thread, text);
      if (resolves && !site.isResolved(thread)) await write('resolve', () => site.resolve(thread));
    },
    async answerReview(number, { author }, text) {
      await comment(String(number), text);
      await write('ask-for-review', () => site.askForReview(number, author));
    },
    async describe(number, text) {
      await write('describe', () => site.change(number, text));
    },
    async template() {
      return request('template', () => site.template);
    },
  };
}
