import type { Author } from '../../../core/pull-request/seen.ts';
import { ForgeFault } from '../../../ports/forge.ts';
import { type CommentFacts, permissionAnswer } from './answers.ts';
import type { Gh } from './gh.ts';

/** The name that GitHub shows for an account that was deleted. */
const DELETED = 'ghost';
const MAY_WRITE: ReadonlySet<string> = new Set(['admin', 'maintain', 'write']);
/** What an association says where the permissions may not be asked for. A member of the organisation may lack any. */
const WRITING_ASSOCIATIONS: ReadonlySet<string> = new Set(['OWNER', 'COLLABORATOR']);

/** Tells who wrote a comment. Each account is asked about once. */
export type Authors = (facts: CommentFacts) => Promise<Author>;

/** `repositoryPath` is `repos/OWNER/NAME`. */
export function authorsIn(gh: Gh, repositoryPath: string): Authors {
  const known = new Map<string, boolean>();
  const mayWrite = async (login: string, association: string): Promise<boolean> => {
    const answer =
      known.get(login) ??
      (await permissionOf(gh, `${repositoryPath}/collaborators/${encodeURIComponent(login)}/permission`));
    if (answer !== undefined) known.set(login, answer);
    return answer ?? WRITING_ASSOCIATIONS.has(association);
  };
  return async ({ author, authorAssociation, viewerDidAuthor: isSelf }) => {
    if (author === null) return { name: DELETED, isBot: false, isSelf, mayWrite: false };
    if (author.__typename === 'Bot') return { name: author.login, isBot: true, isSelf, mayWrite: false }; // GitHub has no permissions of bots.
    return { name: author.login, isBot: false, isSelf, mayWrite: await mayWrite(author.login, authorAssociation) };
  };
}

/** Whether an account may write; `undefined` if that may not be asked. */
async function permissionOf(gh: Gh, path: string): Promise<boolean | undefined> {
  try {
    const { permission } = await gh.rest({ path }, permissionAnswer);
    return MAY_WRITE.has(permission);
  } catch (fault) {
    if (!(fault instanceof ForgeFault)) throw fault;
    if (fault.trouble === 'gone') return false;
    if (fault.trouble === 'denied') return undefined;
    throw fault;
  }
}
