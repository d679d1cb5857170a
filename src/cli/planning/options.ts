import type { PhaseOrder } from '../../app/planning/phase.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import type { StatedChoices } from '../../core/planning/choices.ts';
import { GOAL_CLASSES, TASKS_SIZES, WORKFLOWS } from '../../core/planning/goal-class.ts';
import { DOCUMENTS } from '../../core/planning/steps.ts';
import { UserError } from '../../core/user-error.ts';
import { type Call, isSet, type Option } from '../shared/command.ts';
import {
  answersOption,
  assumeOption,
  choiceOf,
  eventOptions,
  oneOf,
  takeOverOption,
  trustOption,
  worktreeOption,
} from '../shared/options.ts';
import { settingOptions } from '../shared/setting-options.ts';

const GROUP = 'Planning';

/** What a person may say about how a goal is planned (R-PLAN-4). */
const choiceOptions: readonly Option[] = [
  {
    flag: '--class',
    placeholder: GOAL_CLASSES.join('|'),
    group: GROUP,
    summary: 'Class of the goal. Default: by its words.',
  },
  {
    flag: '--workflow',
    placeholder: WORKFLOWS.join('|'),
    group: GROUP,
    summary: 'Order of the work. Default: by the class.',
  },
  {
    flag: '--skip',
    placeholder: 'PHASE',
    repeats: true,
    group: GROUP,
    summary: 'Leave a document out: research, requirements or design.',
  },
  {
    flag: '--tasks-size',
    placeholder: TASKS_SIZES.join('|'),
    group: GROUP,
    summary: 'Size of the tasks: small ones, or fewer and larger ones.',
  },
];

/** What every command takes that drafts documents. */
export const draftOptions: readonly Option[] = [
  { flag: '--dry-run', summary: 'Show the documents, agents and limits without running anything.' },
  { flag: '--only', summary: 'Draft no later document, wherever planning would stop otherwise.' },
  ...eventOptions,
  { ...trustOption, summary: 'Trust the agents and the commands of the project in this workspace, now and later.' },
  worktreeOption,
  {
    ...answersOption,
    group: GROUP,
    summary: 'Answers to questions, as "specloop questions --json" prints them, filled in.',
  },
  { ...assumeOption, group: GROUP },
  {
    flag: '--session',
    placeholder: 'ID',
    summary: 'Start no agent: hand the work over to this session of an agent, and print what "specloop next" would.',
  },
  takeOverOption,
  ...choiceOptions,
  ...settingOptions,
];

/** Drafts all documents at once. */
export const quickOptions: readonly Option[] = [
  { flag: '--quick', summary: 'Draft all documents without waiting for approval, then run the tasks.' },
  { flag: '--plan-only', summary: 'Draft all documents, then wait for approval. No task is run.' },
];

export const suffixOption: Option = {
  flag: '--suffix',
  summary: 'If the name is taken, take the next free one, such as login-2.',
};

/** Takes earlier documents as they are. */
export const asIsOption: Option = {
  flag: '--as-is',
  summary: 'Also approve what is stale or has errors.',
};

/** How a call wants documents drafted that no person looks at on the way; `undefined` for one that does not. */
export function quickOf(call: Call): PhaseOrder['quick'] {
  if (isSet(call, '--plan-only')) return 'plan-only';
  return isSet(call, '--quick') ? 'no-gates' : undefined;
}

const SKIPPABLE = DOCUMENTS.filter((name) => name !== 'tasks');

/** What a call says about how its goal is planned. Throws `UserError` for a word that is none of the choices. */
export function choicesOf(call: Call): StatedChoices {
  const goalClass = choiceOf(call, '--class', GOAL_CLASSES);
  const workflow = choiceOf(call, '--workflow', WORKFLOWS);
  const tasksSize = choiceOf(call, '--tasks-size', TASKS_SIZES);
  const named = call.options.get('--skip');
  const skipped = [
    ...(Array.isArray(named) ? named.map((name: string) => oneOf('--skip', SKIPPABLE, name)) : []),
    ...(isSet(call, '--skip-research') ? (['research'] as const) : []),
  ];
  return {
    ...(goalClass && { goalClass }),
    ...(workflow && { workflow }),
    ...(tasksSize && { tasksSize }),
    ...(skipped.length > 0 && { skipped }),
  };
}

/** The operands `[SPEC] [PHASE]`: one that names a document alone means the active spec. Throws `UserError`. */
export function specAndDocument(operands: readonly string[]): {
  readonly spec: string | undefined;
  readonly artifact: Drafted | undefined;
} {
  const [first, second] = operands;
  const documentOf = (word: string | undefined) => DOCUMENTS.find((name) => name === word);
  if (second === undefined) {
    const artifact = documentOf(first);
    return artifact === undefined ? { spec: first, artifact } : { spec: undefined, artifact };
  }
  const artifact = documentOf(second);
  if (artifact !== undefined) return { spec: first, artifact };
  throw new UserError(`"${second}" is no document of a spec.`, `Name one of ${DOCUMENTS.join(', ')}, or leave it out.`);
}
