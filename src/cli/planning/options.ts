import type { PhaseOrder } from '../../app/planning/phase.ts';
import type { StatedChoices } from '../../core/planning/choices.ts';
import { GOAL_CLASSES, TASKS_SIZES, WORKFLOWS } from '../../core/planning/goal-class.ts';
import { DOCUMENTS } from '../../core/planning/steps.ts';
import { UserError } from '../../core/user-error.ts';
import { type Call, isSet, jsonOption, type Option, type OptionValue, optionText } from '../shared/command.ts';
import { flagsOf, settingOptions } from '../shared/setting-options.ts';

const WHAT = 'Planning';

/** What a person may say about how a goal is planned (R-PLAN-4). */
const choiceOptions: readonly Option[] = [
  {
    flag: '--class',
    placeholder: GOAL_CLASSES.join('|'),
    group: WHAT,
    summary: 'Class of the goal. Default: by its words.',
  },
  {
    flag: '--workflow',
    placeholder: WORKFLOWS.join('|'),
    group: WHAT,
    summary: 'Order of the work. Default: by the class.',
  },
  {
    flag: '--skip',
    placeholder: 'PHASE',
    repeats: true,
    group: WHAT,
    summary: 'Leave a document out: research, requirements or design.',
  },
  {
    flag: '--tasks-size',
    placeholder: TASKS_SIZES.join('|'),
    group: WHAT,
    summary: 'Size of the tasks: small ones, or fewer and larger ones.',
  },
];

/** Answers to the questions of those who draft (R-ASK-2, R-ASK-3). */
const answerOptions: readonly Option[] = [
  {
    flag: '--answers',
    placeholder: 'FILE',
    group: WHAT,
    summary: 'Answers to questions, as "specloop questions --json" prints them, filled in.',
  },
  { flag: '--assume', group: WHAT, summary: 'Take what is recommended in place of answers, and list it as assumed.' },
];

/** What every command takes that drafts documents. */
export const draftOptions: readonly Option[] = [
  { flag: '--dry-run', summary: 'Show the documents, agents and limits without running anything.' },
  { flag: '--only', summary: 'Draft no later document, wherever planning would stop otherwise.' },
  { ...jsonOption, summary: 'Print the events of the run on stdout, one JSON object per line.' },
  { flag: '--agent-events', summary: 'With --json, also print what agents do: texts, tools, tokens, limits.' },
  { flag: '--trust', summary: 'Trust the agents in this workspace, now and later.' },
  ...answerOptions,
  {
    flag: '--session',
    placeholder: 'ID',
    summary: 'Start no agent: hand the work over to this session of an agent, and print what "specloop next" would.',
  },
  {
    flag: '--take-over',
    summary: 'Take the run over from another driver; its work is kept, and its attempts do not count.',
  },
  ...choiceOptions,
  ...settingOptions,
];

/** Drafts all documents at once. */
export const quickOptions: readonly Option[] = [
  { flag: '--quick', summary: 'Draft all documents without waiting for approval, then run the tasks.' },
  { flag: '--plan-only', summary: 'Draft all documents, then wait for approval. No task is run.' },
];

/** Whether a call wants all documents at once. */
export function isQuick(call: Call): boolean {
  return isSet(call, '--quick') || isSet(call, '--plan-only');
}

/** What a call says of a run, of its documents and of its tasks alike. */
export function commonOrder(call: Call): {
  readonly settings: Readonly<Record<string, OptionValue>>;
  readonly trust: boolean;
  readonly takeOver: boolean;
  readonly dryRun: boolean;
} {
  return {
    settings: flagsOf(call),
    trust: isSet(call, '--trust'),
    takeOver: isSet(call, '--take-over'),
    dryRun: isSet(call, '--dry-run'),
  };
}

/** How a call wants documents drafted that no person looks at on the way; `undefined` for one that does not. */
export function quickOf(call: Call): PhaseOrder['quick'] {
  if (isSet(call, '--plan-only')) return 'plan-only';
  return isSet(call, '--quick') ? 'no-gates' : undefined;
}

/** Takes earlier documents as they are. */
export const asIsOption: Option = {
  flag: '--as-is',
  summary: 'Also approve what is stale or has errors.',
};

/** What a call says about how its goal is planned. Throws `UserError` for a word that is none of the choices. */
export function choicesOf(call: Call): StatedChoices {
  const goalClass = oneOf(call, '--class', GOAL_CLASSES);
  const workflow = oneOf(call, '--workflow', WORKFLOWS);
  const tasksSize = oneOf(call, '--tasks-size', TASKS_SIZES);
  const skipped = call.options.get('--skip');
  return {
    ...(goalClass && { goalClass }),
    ...(workflow && { workflow }),
    ...(tasksSize && { tasksSize }),
    ...(Array.isArray(skipped) && { skipped: skipped.map((name: string) => among('--skip', SKIPPABLE, name)) }),
  };
}

const SKIPPABLE = DOCUMENTS.filter((name) => name !== 'tasks');

function oneOf<T extends string>(call: Call, flag: string, all: readonly T[]): T | undefined {
  const given = optionText(call, flag);
  return given === undefined ? undefined : among(flag, all, given);
}

function among<T extends string>(flag: string, all: readonly T[], given: string): T {
  const found = all.find((one) => one === given);
  if (found !== undefined) return found;
  throw new UserError(`${flag} takes ${all.join(', ')}, not "${given}".`, 'Name one of them, or leave it out.');
}
