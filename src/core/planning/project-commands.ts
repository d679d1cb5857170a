import { counted, durationText } from '../text/words.ts';
import { type ReadRepository, scriptsIn } from './repository-facts.ts';

/** What a command of a project checks or makes. */
export type ProjectCommandKind = 'lint' | 'types' | 'unit' | 'e2e' | 'build';

/** A command of a project, as its manifest names it. */
export interface ProjectCommand {
  readonly kind: ProjectCommandKind;
  readonly command: string;
  /** Path of the file that names it. */
  readonly from: string;
}

/** What came of running it once, before anything was changed (R-PLAN-2). */
export interface MeasuredCommand extends ProjectCommand {
  readonly how: 'exited' | 'timed-out' | 'killed' | 'not-started';
  /** Absent where it did not exit. */
  readonly exitCode?: number;
  readonly durationMs: number;
  /** The last line that it printed, of one that did not pass. */
  readonly lastLine?: string;
}

/** The names under which scripts and targets go, the most telling first. */
const NAMES: Readonly<Record<ProjectCommandKind, readonly string[]>> = {
  lint: ['lint', 'lint:check', 'check:lint'],
  types: ['typecheck', 'type-check', 'check-types', 'check:types', 'types', 'tsc'],
  unit: ['test:unit', 'unit', 'test'],
  e2e: ['test:e2e', 'e2e'],
  build: ['build'],
};
const KINDS = Object.keys(NAMES) as readonly ProjectCommandKind[];
const PLACEHOLDER = /no test specified/;
const RUNNERS: readonly (readonly [lockFile: string, runner: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];
const NOT_FOUND = 127;

/**
 * The commands that check, test and build the project in a folder, at most one of each kind, as its manifests name them. `workdir`
 * is the folder, relative to the repository; empty for its root.
 */
export function projectCommands(
  { paths, texts }: Pick<ReadRepository, 'paths' | 'texts'>,
  workdir: string,
): readonly ProjectCommand[] {
  const pathOf = (name: string) => (workdir === '' ? name : `${workdir}/${name}`);
  const found = [fromScripts, fromTargets, fromCargo, fromGo, fromPython].flatMap((read) =>
    read({ text: (name) => texts.get(pathOf(name)), has: (name) => paths.includes(pathOf(name)) }).map(
      ({ file, ...one }): ProjectCommand => ({ ...one, from: pathOf(file) }),
    ),
  );
  return KINDS.flatMap((kind) => found.find((one) => one.kind === kind) ?? []);
}

/** What was measured, as a line for the author of a document. */
export function measuredLine({ kind, command, from, lastLine, ...result }: MeasuredCommand): string {
  const last = lastLine === undefined ? '' : `; last line: ${lastLine}`;
  return `Measured: ${kind}: \`${command}\` (${from}): ${resultText(result)}${last}`;
}

function resultText({ how, exitCode, durationMs }: Pick<MeasuredCommand, 'how' | 'exitCode' | 'durationMs'>): string {
  const took = durationText(durationMs);
  if (how === 'timed-out') return `did not end within ${took}`;
  if (how === 'killed') return `ended by a signal after ${took}`;
  if (how === 'not-started' || exitCode === NOT_FOUND) return 'not found';
  return `exit code ${exitCode ?? 0} in ${took}`;
}

/** What was measured, in a few words for a person. */
export function measuredText(all: readonly MeasuredCommand[]): string {
  const passed = all.filter(({ exitCode }) => exitCode === 0).length;
  return `${passed} of ${counted(all.length, 'quality command')} passed`;
}

interface Manifests {
  /** Text of a manifest in the folder. */
  readonly text: (name: string) => string | undefined;
  readonly has: (name: string) => boolean;
}

type InFolder = Pick<ProjectCommand, 'kind' | 'command'> & { readonly file: string };

function fromScripts({ text, has }: Manifests): readonly InFolder[] {
  const file = 'package.json';
  const scripts = scriptsIn(text(file) ?? '') ?? {};
  const runner = RUNNERS.find(([lockFile]) => has(lockFile))?.[1] ?? 'npm';
  return named((name) => typeof scripts[name] === 'string' && !PLACEHOLDER.test(String(scripts[name]))).map(
    ({ kind, name }) => ({ kind, file, command: name === 'test' ? `${runner} test` : `${runner} run ${name}` }),
  );
}

function fromTargets({ text }: Manifests): readonly InFolder[] {
  return [
    ['Makefile', 'make'],
    ['justfile', 'just'],
  ].flatMap(([file = '', tool = '']) => {
    const targets = new Set([...(text(file) ?? '').matchAll(/^([A-Za-z][\w-]*):(?!=)/gm)].map(([, name]) => name));
    return named((name) => targets.has(name)).map(({ kind, name }) => ({ kind, file, command: `${tool} ${name}` }));
  });
}

function fromCargo({ text }: Manifests): readonly InFolder[] {
  const file = 'Cargo.toml';
  if (text(file) === undefined) return [];
  return [
    { kind: 'unit', command: 'cargo test', file },
    { kind: 'build', command: 'cargo build', file },
  ];
}

function fromGo({ text }: Manifests): readonly InFolder[] {
  const file = 'go.mod';
  if (text(file) === undefined) return [];
  return [
    { kind: 'lint', command: 'go vet ./...', file },
    { kind: 'unit', command: 'go test ./...', file },
    { kind: 'build', command: 'go build ./...', file },
  ];
}

function fromPython({ text }: Manifests): readonly InFolder[] {
  const file = 'pyproject.toml';
  const tools = [
    { tool: 'ruff', kind: 'lint', command: 'ruff check .' },
    { tool: 'mypy', kind: 'types', command: 'mypy .' },
    { tool: 'pytest', kind: 'unit', command: 'pytest' },
  ] as const;
  return tools.flatMap(({ tool, kind, command }) =>
    new RegExp(`\\b${tool}\\b`).test(text(file) ?? '') ? [{ kind, command, file }] : [],
  );
}

/** The first name of each kind that is there. */
function named(
  isThere: (name: string) => boolean,
): readonly { readonly kind: ProjectCommandKind; readonly name: string }[] {
  return KINDS.flatMap((kind) => {
    const name = NAMES[kind].find(isThere);
    return name === undefined ? [] : [{ kind, name }];
  });
}
