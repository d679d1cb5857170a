import { fields, type JsonFields, parseFields, string } from '../json-fields.ts';

/** A message of JSON-RPC 2.0 that an agent sent. */
export type AgentMessage =
  | { readonly is: 'request'; readonly id: string | number; readonly method: string; readonly params: JsonFields }
  | { readonly is: 'notification'; readonly method: string; readonly params: JsonFields }
  /** `error` is absent for a result. */
  | { readonly is: 'response'; readonly id: unknown; readonly result: JsonFields; readonly error?: JsonFields };

/** What a request is refused with whose method is not known. */
export const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };

/** The message in a line of stdout; `undefined` for a line that belongs to nothing, such as a warning. */
export function readMessage(line: string): AgentMessage | undefined {
  const { jsonrpc, id, method, params, result, error } = parseFields(line);
  if (jsonrpc !== '2.0') return undefined;
  const name = string(method);
  // An agent numbers its requests as it likes: by their method they are told from responses, never by their id.
  if (name === undefined)
    return { is: 'response', id, result: fields(result), ...(error !== undefined && { error: fields(error) }) };
  if (typeof id !== 'string' && typeof id !== 'number')
    return { is: 'notification', method: name, params: fields(params) };
  return { is: 'request', id, method: name, params: fields(params) };
}

/** A line that asks the agent something. */
export function request(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** A line that tells the agent something and expects no response. */
export function notification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** A line that answers a request of the agent's. */
export function response(
  id: string | number,
  answer: { readonly result: object } | { readonly error: object },
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...answer });
}
