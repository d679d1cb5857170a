import { kebabOf } from './spec-name.ts';

/** The plan of a spec as task Markdown (R-FILE-3). With the plan's format at hand, ask it for its file. */
export const TASKS_FILE = 'tasks.md';
/** The log of goal, completed tasks and learnings, for people and agents (R-FILE-3), where a spec has no other. */
export const PROGRESS_FILE = '.progress.md';
/** The same where a spec of the older plugin tracks it, with front matter (R-PLAN-7). */
export const TRACKED_PROGRESS_FILE = 'progress.md';
/** The machine's state, never committed (R-FILE-3, R-FILE-4). */
export const STATE_FILE = '.ralph-state.json';
/** What a session is told that another plugin drives; never committed (R-START-9). */
const COORDINATOR_FILE = '.coordinator-prompt.md';
/** Holds which spec is the active one; lies in the default root (R-FILE-2). */
export const CURRENT_SPEC_FILE = '.current-spec';
/** Holds which epic is the active one, likewise (R-PLAN-7). */
const CURRENT_EPIC_FILE = '.current-epic';
/** What was found out before the requirements were written. */
export const RESEARCH_FILE = 'research.md';
/** Begins the name of a part of it, which is there until the parts are merged; never committed. */
const RESEARCH_PART_PREFIX = '.research-';
export const REQUIREMENTS_FILE = 'requirements.md';
export const DESIGN_FILE = 'design.md';
/** A person's own sketch of what is to be done, which planning begins from; never changed. */
export const PLAN_FILE_GIVEN = 'plan.md';

/** Where other tools put their plans, and what of theirs is none (R-DIA-3). */
export const TOOL_FOLDERS: readonly { readonly name: string; readonly root: string; readonly noPlan: RegExp }[] = [
  { name: 'spec-kit', root: '.specify/specs', noPlan: /(?:^|\/)\.specify\/(?!specs\/)/ },
  { name: 'Kiro', root: '.kiro/specs', noPlan: /(?:^|\/)\.kiro\/(?!specs\/)/ },
  { name: 'OpenSpec', root: 'openspec/changes', noPlan: /(?:^|\/)openspec\/(?:specs|changes\/archive)\// },
];
/** Holds checklists of spec-kit about the text of a spec. */
export const CHECKLISTS_FOLDER = 'checklists';
/** Holds the folder of the feature that spec-kit is at. */
export const FEATURE_FILE = '.specify/feature.json';
/** A folder next to changes that holds those that are done. */
export const ARCHIVE_FOLDER = 'archive';

/** What only spec-kit has next to a plan. */
export const SPEC_KIT_NEIGHBOURS: readonly string[] = ['spec.md', 'plan.md'];

/** What spec-kit keeps next to its plan: a task that names one reads it. */
export const SPEC_KIT_DOCUMENTS: readonly string[] = [
  ...SPEC_KIT_NEIGHBOURS,
  RESEARCH_FILE,
  'data-model.md',
  'quickstart.md',
  TASKS_FILE,
];

/** The documents of the tools that own plans, as context for agents (R-DIA-5). */
export const SPEC_KIT_CONTEXT = {
  requirements: 'spec.md',
  design: 'plan.md',
  more: [RESEARCH_FILE, 'data-model.md', 'quickstart.md', 'contracts/'],
  shared: ['.specify/memory/constitution.md'],
} as const;
export const KIRO_CONTEXT = {
  requirements: REQUIREMENTS_FILE,
  design: DESIGN_FILE,
  more: [RESEARCH_FILE],
  shared: ['.kiro/steering/'],
} as const;
export const OPENSPEC_CONTEXT = {
  requirements: 'proposal.md',
  design: DESIGN_FILE,
  more: ['specs/'],
  shared: ['openspec/project.md'],
} as const;
export const NO_CONTEXT = { requirements: REQUIREMENTS_FILE, design: DESIGN_FILE, more: [], shared: [] } as const;

/** Ends the name of a file that is being written; it takes its place once it is whole. */
export const TEMPORARY_SUFFIX = '.specloop-tmp';

/** What keeps the private files of a spec out of commits, as patterns of git (R-FILE-8). */
export const PRIVATE_PATTERNS: readonly string[] = [
  `${STATE_FILE}*`,
  '.progress-task-*.md',
  COORDINATOR_FILE,
  CURRENT_SPEC_FILE,
  CURRENT_EPIC_FILE,
  `${RESEARCH_PART_PREFIX}*.md`,
  `*${TEMPORARY_SUFFIX}`,
];

/** What git has to ignore in addition, where a plan is a single file (R-FILE-8). */
const SINGLE_FILE_PATTERNS: readonly string[] = [`.*${STATE_FILE}*`, `.*${COORDINATOR_FILE}`];

/** A spec by its folder and its plan: the names of our files follow from it (R-FILE-3, R-DIA-5). */
export interface SpecLayout {
  /** The folder that the plan is in, relative to the repository's root, with `/`; empty for the root itself. */
  readonly path: string;
  readonly format: { readonly file: string };
  /** The plan is a file among others of a person: of its folder only the plan and our files for it are the spec's. */
  readonly isSingleFile?: true | undefined;
}

/** What the names of our files for a plan begin with: nothing in the folder of a spec, `.plan` for `Plan.md`. */
function prefixOf({ format: { file }, isSingleFile }: Pick<SpecLayout, 'format' | 'isSingleFile'>): string {
  return isSingleFile !== true || file === TASKS_FILE ? '' : `.${singleFileName(file)}`;
}

/** Name of a spec whose plan is a single file: its name without the ending, in kebab-case; empty if nothing is left. */
export function singleFileName(file: string): string {
  return kebabOf(file.replace(/\.[^.]*$/, ''));
}

/** Name of the state file of a spec. */
export function stateFileOf(spec: Pick<SpecLayout, 'format' | 'isSingleFile'>): string {
  return `${prefixOf(spec)}${STATE_FILE}`;
}

/** Name of the progress file that a spec has where it tracks no other. */
export function progressFileOf(spec: Pick<SpecLayout, 'format' | 'isSingleFile'>): string {
  return `${prefixOf(spec)}${PROGRESS_FILE}`;
}

/** Name of the page for a session that another plugin drives (R-START-9). */
export function coordinatorFileOf(spec: Pick<SpecLayout, 'format' | 'isSingleFile'>): string {
  return `${prefixOf(spec)}${COORDINATOR_FILE}`;
}

/** Path of a file in a folder; both paths are relative to the repository's root, whose own path is empty. */
export function pathInFolder(folder: string, file: string): string {
  return folder === '' ? file : `${folder}/${file}`;
}

/** Path of the plan of a spec, relative to the repository's root. */
export function planPathOf({ path, format }: Pick<SpecLayout, 'path' | 'format'>): string {
  return pathInFolder(path, format.file);
}

/** What a spec is known by in a repository: the path of its folder, or of its plan where that is a single file. */
export function specKey(spec: SpecLayout): string {
  return spec.isSingleFile ? planPathOf(spec) : spec.path;
}

/** Whether a path belongs to a spec: it lies in its folder, or is a single file that is the plan or written by specloop. */
export function isOfSpec(path: string, spec: SpecLayout): boolean {
  if (!spec.isSingleFile) return path.startsWith(`${spec.path}/`);
  return isBookkeeping(path, { ...spec, progressFile: progressFileOf(spec) });
}

/** The patterns that keep the private files of a spec out of commits (R-FILE-8). */
export function privatePatterns({ isSingleFile }: Pick<SpecLayout, 'isSingleFile'>): readonly string[] {
  return isSingleFile ? [...PRIVATE_PATTERNS, ...SINGLE_FILE_PATTERNS] : PRIVATE_PATTERNS;
}

/** Name of the progress file of one member that shares the tree, by its task's position from 0 (R-PAR-3). */
export function taskProgressFile(index: number): string {
  return `.progress-task-${index}.md`;
}

const MEMBER_PROGRESS = /^\.progress-task-\d+\.md$/;
const PRIVATE_NAME = /^(?:\.[a-z0-9-]+)?(?:\.ralph-state\.json.*|\.coordinator-prompt\.md)$/s;
const RESEARCH_PART = /^\.research-.*\.md$/;

/** Name of the file with what was found out about one topic. */
export function researchPart(topic: string): string {
  return `${RESEARCH_PART_PREFIX}${topic}.md`;
}

/** Whether a path is a private file that must not get into a commit; the active spec is a person's own matter. */
export function isPrivate(path: string): boolean {
  const name = nameOf(path);
  return PRIVATE_NAME.test(name) || MEMBER_PROGRESS.test(name) || RESEARCH_PART.test(name);
}

/** Whether a path holds which spec is the active one: personal, and so never a foreign change (R-FILE-8). */
export function isCurrentSpec(path: string): boolean {
  return nameOf(path) === CURRENT_SPEC_FILE;
}

/** A spec with the name of its progress file, which an older one may have under another name (R-PLAN-7). */
export interface SpecBooks extends SpecLayout {
  readonly progressFile: string;
}

/** Whether a path is a file of the spec that the coordinator writes, and so no work of a task. */
export function isBookkeeping(path: string, spec: SpecBooks): boolean {
  const name = nameOf(path);
  if (path !== pathInFolder(spec.path, name)) return false;
  if (name === spec.format.file || name === stateFileOf(spec) || name === spec.progressFile) return true;
  const ofProgress = `${prefixOf(spec)}.progress`;
  return (name.startsWith(ofProgress) && name.endsWith('.md')) || MEMBER_PROGRESS.test(name);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
