import { fields, type JsonFields, string } from '../json-fields.ts';
import { toolOf } from './tool.ts';

/** The answer to a request for permission, and the tool that it denies, if it does. */
export interface Permission {
  readonly outcome: { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' };
  readonly denied?: string;
}

/** Allows what can be allowed: an unattended agent has no one to ask (R-AGT-1). After a cancel, as the protocol wants it, nothing. */
export function answerPermission(toolCall: JsonFields, options: readonly unknown[], isCancelled: boolean): Permission {
  if (isCancelled) return { outcome: { outcome: 'cancelled' } };
  const offered = options.map(fields);
  const ids = ['allow_once', 'allow_always'].map((kind) =>
    string(offered.find((each) => each.kind === kind)?.optionId),
  );
  const optionId = ids.find((id) => id !== undefined);
  return optionId === undefined
    ? { outcome: { outcome: 'cancelled' }, denied: toolOf(toolCall) }
    : { outcome: { outcome: 'selected', optionId } };
}
