import { fields, type JsonFields, list, string } from '../json-fields.ts';

/** Something that an agent lets its client choose for a session: the values that it offers, and the request that chooses one. */
export interface SessionOption {
  readonly offered: readonly string[];
  readonly current: string | undefined;
  readonly method: string;
  /** What the request says apart from the session. */
  readonly choose: (value: string) => object;
}

/** Modes in which agents ask for no permission, in the words of those that have one. */
const UNATTENDED = ['bypassPermissions', 'yolo', 'full-access'];

/** The mode that works unattended, if the agent offers one. */
export function unattendedMode({ offered }: SessionOption): string | undefined {
  return UNATTENDED.find((mode) => offered.includes(mode));
}

/** What the agent offers for its mode or its model in the result of `session/new`; `undefined` if nothing. */
export function sessionOption(what: 'mode' | 'model', result: JsonFields): SessionOption | undefined {
  return what === 'mode'
    ? (listed(result.modes, 'availableModes', 'currentModeId', {
        method: 'session/set_mode',
        id: 'modeId',
        of: 'id',
      }) ?? configured(what, result))
    : (listed(result.models, 'availableModels', 'currentModelId', {
        method: 'session/set_model',
        id: 'modelId',
        of: 'modelId',
      }) ?? configured(what, result));
}

/** A list of its own in the result. */
function listed(
  group: unknown,
  all: string,
  current: string,
  { method, id, of }: { readonly method: string; readonly id: string; readonly of: string },
): SessionOption | undefined {
  const offered = list(fields(group)[all]).flatMap((each) => string(fields(each)[of]) ?? []);
  if (offered.length === 0) return undefined;
  return { offered, current: string(fields(group)[current]), method, choose: (value) => ({ [id]: value }) };
}

/** One of the configuration options, which newer agents have in place of the lists. Their values may be in groups. */
function configured(what: 'mode' | 'model', { configOptions }: JsonFields): SessionOption | undefined {
  const option = list(configOptions)
    .map(fields)
    .find(({ category, id }) => category === what && string(id) !== undefined);
  if (option === undefined) return undefined;
  const values = list(option.options).flatMap((each) => [each, ...list(fields(each).options)]);
  return {
    offered: values.flatMap((each) => string(fields(each).value) ?? []),
    current: string(option.currentValue),
    method: 'session/set_config_option',
    choose: (value) => ({ configId: option.id, value }),
  };
}
