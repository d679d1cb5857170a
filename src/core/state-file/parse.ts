import type { JsonValue } from '../json.ts';
import { JsonProblem, readJsonText } from './json-text.ts';

/** The fix tasks made for one task (R-REC-5). */
export interface FixTaskEntry {
  readonly attempts?: number;
  readonly fixTaskIds?: readonly string[];
  readonly lastError?: string;
}

/** The modification requests granted for one task (R-MOD-4). */
export interface ModificationEntry {
  readonly count?: number;
  readonly modifications?: readonly JsonValue[];
}

/** The batch that is under way (R-PAR-2). */
export interface ParallelGroup {
  readonly startIndex?: number;
  readonly endIndex?: number;
  readonly taskIndices?: readonly number[];
  readonly isParallel?: boolean;
}

/** The status of one task of a batch: `status` is `pending`, `success` or `failed`, or what another tool wrote. */
export interface TaskResult {
  readonly status?: string;
  readonly error?: string;
}

/**
 * The fields of `.ralph-state.json` that have a meaning here (R-START-4, R-PAR-2). All may be missing, and `null` counts
 * as missing. Maps go by task id, `taskResults` by task index.
 */
export interface StateFileFields {
  readonly phase?: string;
  readonly taskIndex?: number;
  readonly totalTasks?: number;
  readonly taskIteration?: number;
  readonly maxTaskIterations?: number;
  readonly globalIteration?: number;
  readonly maxGlobalIterations?: number;
  readonly recoveryMode?: boolean;
  readonly awaitingApproval?: boolean;
  readonly commitSpec?: boolean;
  readonly maxFixTasksPerOriginal?: number;
  readonly maxFixTaskDepth?: number;
  readonly fixTaskMap?: Readonly<Record<string, FixTaskEntry>>;
  readonly modificationMap?: Readonly<Record<string, ModificationEntry>>;
  readonly parallelGroup?: ParallelGroup;
  readonly taskResults?: Readonly<Record<string, TaskResult>>;
  /** Planning without gates. Of these four fields, those of another type count as missing: no run depends on them. */
  readonly quickMode?: boolean;
  /** How small the tasks of the plan are meant to be: `fine` or `coarse`. */
  readonly granularity?: string;
  /** The epic that the spec is a part of. */
  readonly epicName?: string;
  /** The dialect in which a run reads its plan, where a person named it (R-DIA-3). */
  readonly dialect?: string;
}

/** `problem` says what is wrong and where in the file, without a full stop, to be put after the file's path. */
export type ParsedState =
  | { readonly ok: true; readonly state: StateFileFields }
  | { readonly ok: false; readonly problem: string };

const LENGTH_MAX = 1024 * 1024;
/** Far above any real plan or limit; what is larger is a mistake or an attack. */
const COUNT_MAX = 10_000_000;

/** Reads a state file. Unknown fields may hold anything; a known one of a wrong type is a problem, never guessed (R-START-5). */
export function parseStateFile(text: string): ParsedState {
  if (text.length > LENGTH_MAX)
    return { ok: false, problem: `it has ${text.length} characters; at most ${LENGTH_MAX} are read` };
  try {
    readJsonText(text);
  } catch (error) {
    if (error instanceof JsonProblem)
      return { ok: false, problem: `line ${error.line}, column ${error.column}: ${error.message}` };
    throw error;
  }
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  const problem = whole(value, '');
  return problem === undefined ? { ok: true, state: knownFields(value as RawFields) } : { ok: false, problem };
}

type RawFields = Readonly<Record<string, unknown>>;

/** What is wrong with the value at this path of the file; `undefined` if nothing. */
type FieldCheck = (value: unknown, path: string) => string | undefined;

const text: FieldCheck = (value, path) =>
  typeof value === 'string' ? undefined : `"${path}" must be a text, and is ${shown(value)}`;

const flag: FieldCheck = (value, path) =>
  typeof value === 'boolean' ? undefined : `"${path}" must be true or false, and is ${shown(value)}`;

const count: FieldCheck = (value, path) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= COUNT_MAX
    ? undefined
    : `"${path}" must be a whole number from 0 to ${COUNT_MAX}, and is ${shown(value)}`;

const anything: FieldCheck = () => undefined;

const listOf =
  (item: FieldCheck): FieldCheck =>
  (value, path) =>
    Array.isArray(value)
      ? firstProblem(
          value.map((each, index) => [each, `${path}[${index}]`]),
          item,
        )
      : `"${path}" must be a list, and is ${shown(value)}`;

const mapOf =
  (entry: FieldCheck): FieldCheck =>
  (value, path) =>
    isObject(value)
      ? firstProblem(
          Object.entries(value).map(([key, each]) => [each, `${path}.${key}`]),
          entry,
        )
      : `"${path}" must be an object, and is ${shown(value)}`;

const objectOf =
  (fields: ReadonlyMap<string, FieldCheck>): FieldCheck =>
  (value, path) => {
    if (!isObject(value))
      return path === ''
        ? `it must hold a JSON object, and holds ${shown(value)}`
        : `"${path}" must be an object, and is ${shown(value)}`;
    for (const [name, check] of fields) {
      const field = Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
      const problem = field === undefined ? undefined : check(field, path === '' ? name : `${path}.${name}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

const FIELDS: ReadonlyMap<keyof StateFileFields, FieldCheck> = new Map<keyof StateFileFields, FieldCheck>([
  ['phase', text],
  ['taskIndex', count],
  ['totalTasks', count],
  ['taskIteration', count],
  ['maxTaskIterations', count],
  ['globalIteration', count],
  ['maxGlobalIterations', count],
  ['recoveryMode', flag],
  ['awaitingApproval', flag],
  ['commitSpec', flag],
  ['maxFixTasksPerOriginal', count],
  ['maxFixTaskDepth', count],
  [
    'fixTaskMap',
    mapOf(
      objectOf(
        new Map([
          ['attempts', count],
          ['fixTaskIds', listOf(text)],
          ['lastError', text],
        ]),
      ),
    ),
  ],
  [
    'modificationMap',
    mapOf(
      objectOf(
        new Map([
          ['count', count],
          ['modifications', listOf(anything)],
        ]),
      ),
    ),
  ],
  [
    'parallelGroup',
    objectOf(
      new Map([
        ['startIndex', count],
        ['endIndex', count],
        ['taskIndices', listOf(count)],
        ['isParallel', flag],
      ]),
    ),
  ],
  [
    'taskResults',
    mapOf(
      objectOf(
        new Map([
          ['status', text],
          ['error', text],
        ]),
      ),
    ),
  ],
]);

const whole: FieldCheck = objectOf(FIELDS);

const LENIENT_FIELDS: ReadonlyMap<keyof StateFileFields, 'boolean' | 'string'> = new Map([
  ['quickMode', 'boolean'],
  ['granularity', 'string'],
  ['epicName', 'string'],
  ['dialect', 'string'],
]);

/** Only what `whole` has checked, and what has the type that it needs. */
function knownFields(value: RawFields): StateFileFields {
  const lenient = [...LENIENT_FIELDS].filter(([name, type]) => typeof value[name] === type).map(([name]) => name);
  const names: readonly string[] = [...FIELDS.keys(), ...lenient];
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(value, name) && value[name] !== null).map((name) => [name, value[name]]),
  );
}

function firstProblem(
  items: ReadonlyArray<readonly [value: unknown, path: string]>,
  check: FieldCheck,
): string | undefined {
  for (const [value, path] of items) {
    const problem = check(value, path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isObject(value: unknown): value is RawFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
