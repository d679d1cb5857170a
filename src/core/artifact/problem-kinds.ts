import { DESIGN_FILE, REQUIREMENTS_FILE, TASKS_FILE } from '../spec-files.ts';

/**
 * `error`: the next phase or the run would go wrong. `finding`: quality that can be counted. `warning`: worth a look
 * (R-PLAN-5).
 */
export type ProblemSeverity = 'error' | 'finding' | 'warning';

/** A kind of problem of a spec. In its texts `{…}` stands for a value. */
export interface ProblemKind {
  readonly severity: ProblemSeverity;
  readonly message: string;
  readonly hint: string;
  /** Says it of several at once: `{count}` of them, of which `{subjects}` are the first. */
  readonly many?: string;
}

/** Every kind of problem that the checks of an artifact report, by its code. The reference is written from it. */
export const PROBLEM_KINDS = {
  'artifact-empty': {
    severity: 'error',
    message: 'The file is empty.',
    hint: 'Write it, or delete it.',
  },
  'artifact-unreadable': {
    severity: 'error',
    message: 'The file cannot be read: {why}.',
    hint: 'Save it as UTF-8 text of a size that agents can read.',
  },
  'artifact-too-large': {
    severity: 'error',
    message: 'The file has {size} kB; agents cannot read more than {max} kB.',
    hint: 'Split the spec, or move details to files that it names.',
  },
  'artifact-large': {
    severity: 'finding',
    message: 'The file has {size} kB; agents read no more than {max} kB of it well.',
    hint: 'Shorten it, or split the spec.',
  },
  'template-hole': {
    severity: 'error',
    message: 'The template text {hole} was not filled in.',
    hint: 'Replace it, or put it in a code span if it is meant as it is.',
    many: '{count} places still hold template text: {subjects}.',
  },
  'open-end': {
    severity: 'finding',
    message: '{word} has no owner.',
    hint: 'Decide it, or say who will and when, as in "TBD (Ana, before the release)".',
    many: '{count} places say TBD or TODO without an owner.',
  },
  'other-spec': {
    severity: 'finding',
    message: 'The front matter says that this file is part of the spec "{other}".',
    hint: 'Correct the field "spec", or check that the file is in the right folder.',
  },
  'heading-twice': {
    severity: 'warning',
    message: 'The heading "{title}" is also on line {first}.',
    hint: 'Merge the two sections, or rename one.',
  },
  'probe-passes': {
    severity: 'finding',
    message: 'Verify of task {id} passes before any work, so it proves nothing.',
    hint: 'Let it check what the task makes, or mark the task [VERIFY] if it only verifies.',
    many: 'Verify of {count} tasks passes before any work: {subjects}.',
  },
  'probe-not-found': {
    severity: 'error',
    message: 'Verify of task {id} cannot run: {missing} was not found, and no task up to this one makes it.',
    hint: 'Correct the command, or name in Files which task makes it.',
  },
  'probe-syntax': {
    severity: 'error',
    message: 'bash cannot read Verify of task {id}: {output}',
    hint: 'Correct the command.',
  },
  'probe-times-out': {
    severity: 'warning',
    message: 'Verify of task {id} did not end within {seconds} s.',
    hint: 'That may be right before the work; check that it ends once the task is done.',
  },
  'no-section': {
    severity: 'finding',
    message: 'No section with {what}.',
    hint: 'Add a heading such as "{title}", or name yours for {key} in the setting headings.',
  },
  'path-missing': {
    severity: 'finding',
    message: 'There is no {path}.',
    hint: 'Correct the path, or say that it is to be made.',
    many: '{count} paths do not exist: {subjects}.',
  },
  'command-missing': {
    severity: 'finding',
    message: 'The command "{command}" cannot run: {why}.',
    hint: 'Correct the command; tasks will be verified with it.',
  },
  'source-without-address': {
    severity: 'warning',
    message: 'This source has no address.',
    hint: 'Add a link, or the path of a file.',
    many: '{count} sources have no address.',
  },
  'id-twice': {
    severity: 'error',
    message: '{id} is already defined on line {first}.',
    hint: 'Give one of them another id.',
  },
  'id-reused': {
    severity: 'error',
    message: '{id} was retired on line {first} and cannot be used for something else.',
    hint: 'Take an id that was never used.',
  },
  'id-undefined': {
    severity: 'error',
    message: `{id} is not defined in ${REQUIREMENTS_FILE}.`,
    hint: 'Correct the id, or define it.',
  },
  'ids-unread': {
    severity: 'finding',
    message: `{kind} ids are named, such as {id}, but ${REQUIREMENTS_FILE} defines none.`,
    hint: 'Begin a heading, a table row or a list item with the id where it is defined.',
  },
  'no-story': {
    severity: 'finding',
    message: 'No user story.',
    hint: 'Write at least one, as in "### US-1: Sign in".',
  },
  'no-criterion': {
    severity: 'finding',
    message: 'No acceptance criterion.',
    hint: 'Write what can be observed once it works, as in "- AC-1.1: A wrong password shows an error".',
  },
  'story-without-criterion': {
    severity: 'finding',
    message: '{id} has no acceptance criterion.',
    hint: 'Say what can be observed once it works.',
    many: '{count} stories have no acceptance criterion: {subjects}.',
  },
  'requirement-without-criterion': {
    severity: 'finding',
    message: '{id} names no acceptance criterion.',
    hint: 'Name the criteria that show it, such as AC-1.1.',
    many: '{count} requirements name no acceptance criterion: {subjects}.',
  },
  'requirement-without-priority': {
    severity: 'finding',
    message: '{id} has no priority.',
    hint: 'Add Must, Should or Could (or High, Medium, Low).',
    many: '{count} requirements have no priority: {subjects}.',
  },
  'quality-without-measure': {
    severity: 'finding',
    message: '{id} has no metric with a target.',
    hint: 'Say what is measured and the value to reach, or "N/A: why".',
    many: '{count} non-functional requirements have no metric with a target: {subjects}.',
  },
  'vague-words': {
    severity: 'warning',
    message: '{id} says "{word}", which no test can decide.',
    hint: 'Say what can be observed or measured.',
    many: '{count} criteria have words that no test can decide: {subjects}.',
  },
  'only-happy-paths': {
    severity: 'warning',
    message: 'None of the {count} criteria says what happens when something goes wrong.',
    hint: 'Add criteria for wrong input, missing rights and failures.',
  },
  'not-in-design': {
    severity: 'finding',
    message: `{id} ({priority}) is not named in ${DESIGN_FILE}.`,
    hint: 'Name it in the section that meets it.',
    many: `{count} requirements of high priority are not named in ${DESIGN_FILE}: {subjects}.`,
  },
  'path-outside': {
    severity: 'error',
    message: '{path} is outside the repository, where no work can be committed.',
    hint: 'Name a file in the repository.',
  },
  'modifies-missing': {
    severity: 'finding',
    message: 'The design modifies {path}, which does not exist.',
    hint: 'Correct the path, or write Create.',
    many: 'The design modifies {count} files that do not exist: {subjects}.',
  },
  'creates-existing': {
    severity: 'finding',
    message: 'The design creates {path}, which exists.',
    hint: 'Correct the path, or write Modify.',
    many: 'The design creates {count} files that exist: {subjects}.',
  },
  'path-ignored': {
    severity: 'warning',
    message: '{path} is ignored by git and will not be committed.',
    hint: 'Correct the path, or the ignore rule.',
    many: '{count} paths are ignored by git and will not be committed: {subjects}.',
  },
  'out-of-scope': {
    severity: 'finding',
    message: '{path} is outside of the scope of the spec.',
    hint: 'Correct the path, or add it to Bounds in the section Scope of the progress file.',
    many: '{count} files are outside of the scope of the spec: {subjects}.',
  },
  'field-missing': {
    severity: 'finding',
    message: 'Task {id} has no {fields}.',
    hint: 'Add it: an agent gets only this task and the files it names.',
    many: '{count} tasks lack fields (Do, Files, Done when or Commit): {subjects}.',
  },
  'task-too-large': {
    severity: 'finding',
    message: 'Task {id} has {steps} steps and {files} files; {stepsMax} and {filesMax} are the most that goes well.',
    hint: 'Split it.',
    many: '{count} tasks have more than 4 steps or 3 files: {subjects}.',
  },
  'no-checkpoint': {
    severity: 'finding',
    message: '{count} tasks in a row are not followed by a [VERIFY] task: {from} to {to}.',
    hint: 'Add a [VERIFY] task after every {max} tasks.',
  },
  'no-reference': {
    severity: 'finding',
    message: 'Task {id} names no requirement.',
    hint: 'Add a line such as "_Requirements: FR-1, AC-1.1_".',
    many: '{count} tasks name no requirement: {subjects}.',
  },
  'reference-undefined': {
    severity: 'finding',
    message: `Task {id} names {reference}, which ${REQUIREMENTS_FILE} does not define.`,
    hint: 'Correct the id, or define it.',
    many: `{count} references of tasks are to ids that ${REQUIREMENTS_FILE} does not define: {subjects}.`,
  },
  'not-in-tasks': {
    severity: 'finding',
    message: `{id} is in no task of ${TASKS_FILE} that does work.`,
    hint: 'Name it in the task that meets it, or add one.',
    many: `{count} ids are in no task of ${TASKS_FILE} that does work: {subjects}.`,
  },
  'file-in-no-task': {
    severity: 'finding',
    message: 'The design names {path}, but no task does.',
    hint: 'Name it in Files of the task that changes it, or add one.',
    many: 'The design names {count} files that no task does: {subjects}.',
  },
  'test-first-order': {
    severity: 'finding',
    message: 'Task {id} is marked [GREEN], but no [RED] task comes before it.',
    hint: 'Put the task that writes the failing test before it.',
    many: '{count} [GREEN] tasks have no [RED] task before them: {subjects}.',
  },
  'no-clean-up': {
    severity: 'finding',
    message: 'Task {id} starts the end-to-end tests, but no VE task after it cleans up.',
    hint: 'Add a last VE task that stops what was started.',
  },
  'pull-request-not-last': {
    severity: 'finding',
    message: 'Task {id} comes after the pull request.',
    hint: 'Move it before the section of the pull request.',
    many: '{count} tasks come after the pull request: {subjects}.',
  },
  'files-of-other-spec': {
    severity: 'finding',
    message: 'Task {id} names {path} in Files, which belongs to another spec.',
    hint: 'Leave the files of other specs to their own runs.',
  },
  'commit-form': {
    severity: 'warning',
    message: 'The commit message of task {id} has another form than the others: "{subject}".',
    hint: 'Write it as "type(scope): subject", like the others.',
    many: '{count} commit messages have another form than the others: {subjects}.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof PROBLEM_KINDS;

/** What the reader of plans and its checks report: their codes with a severity, and what each says (R-PARSE-4, R-PARSE-5). */
export const PLAN_PROBLEM_KINDS: Readonly<Record<string, Pick<ProblemKind, 'severity' | 'message'>>> = {
  'almost-a-task': { severity: 'finding', message: 'A line looks like a task, but is none.' },
  'blocked-task': {
    severity: 'warning',
    message: 'A task of another tool is marked as blocked; it is run all the same.',
  },
  criterion: { severity: 'warning', message: 'A box of another tool is a criterion, and no task.' },
  'deep-id': { severity: 'warning', message: 'The id of a task has more than five dots.' },
  'dependency-not-above': {
    severity: 'warning',
    message: 'A task of another tool depends on one that is not above it.',
  },
  'duplicate-id': { severity: 'finding', message: 'Two tasks have the same id.' },
  'files-outside': { severity: 'finding', message: 'Files of a task names files outside the repository.' },
  'files-unknown': {
    severity: 'finding',
    message: 'A task that may run in parallel does not say which files it changes.',
  },
  'hidden-box': { severity: 'warning', message: 'OpenSpec counts a box that is no task.' },
  'id-gap': { severity: 'warning', message: 'A number is missing before a task.' },
  'missing-id': { severity: 'warning', message: 'A task has no id, although others have one.' },
  'open-checklist': { severity: 'warning', message: 'A checklist of spec-kit has open boxes.' },
  'shared-files': { severity: 'finding', message: 'Two tasks that may run in parallel change the same file.' },
  'unclosed-comment': { severity: 'finding', message: 'A comment is never closed.' },
  'unclosed-fence': { severity: 'finding', message: 'A code fence is never closed.' },
  'unknown-dependency': { severity: 'error', message: 'A task depends on one that is not in the plan.' },
  'unknown-mark': { severity: 'warning', message: 'A mark in a box of OpenSpec is read as open.' },
  'unknown-original': { severity: 'error', message: 'A task repairs one that is not in the plan.' },
  'verify-cannot-fail': { severity: 'finding', message: 'Verify passes whatever happens.' },
  'verify-comment': {
    severity: 'warning',
    message: 'Verify describes its output in words; only its exit code counts.',
  },
  'verify-control-character': {
    severity: 'error',
    message: 'Verify contains control characters, which a terminal hides.',
  },
  'verify-elsewhere': { severity: 'warning', message: 'A command of a task is not in a Verify field, and is not run.' },
  'verify-exit-code-lost': { severity: 'finding', message: 'A pipe in Verify drops an exit code.' },
  'verify-manual': { severity: 'finding', message: 'Verify is done by hand: no command is run.' },
  'verify-missing': { severity: 'finding', message: 'A task has no Verify field.' },
  'verify-mixed-scripts': { severity: 'warning', message: 'A word of Verify mixes letters of several alphabets.' },
  'verify-path': { severity: 'finding', message: 'Verify would run a file as a program.' },
  'verify-prose': { severity: 'finding', message: 'Verify is not a command: no command is run.' },
  'verify-syntax': { severity: 'error', message: 'bash cannot parse Verify.' },
  'whole-file-fenced': { severity: 'finding', message: 'A code fence is around the whole file.' },
};
