import { oneLine } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import { type Call, optionText } from '../shared/command.ts';

const ID_CHARS_MAX = 200;

/** The id of the session that a call is for; `undefined` if it names none. Throws `UserError`. */
export function sessionOf(call: Call): string | undefined {
  const id = optionText(call, '--session');
  if (id === undefined || (id.trim() === id && id !== '' && oneLine(id, ID_CHARS_MAX) === id)) return id;
  throw new UserError(
    `--session takes the id of a session: one line of at most ${ID_CHARS_MAX} characters.`,
    'Give the id as the session knows it, or leave it out.',
  );
}
