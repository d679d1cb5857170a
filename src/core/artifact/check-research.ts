import { leadsOutside } from '../plan/outside-paths.ts';
import { spanText, tickSpans } from '../plan/read/code-spans.ts';
import type { ArtifactText } from './artifact-text.ts';
import { missingSections, sectionsOf } from './check-sections.ts';
import { type CheckedSpec, isNotBegun, type Surrounding } from './checked-spec.ts';
import { outlineOf } from './outline.ts';
import { isFilePath, type NamedPath, pathsInSpans } from './path-words.ts';
import { type ArtifactProblem, problemOf } from './problem.ts';
import type { HeadingAliases } from './section-names.ts';

/** A command that research proposes for checks. */
export interface QualityCommand {
  readonly command: string;
  readonly line: number;
  readonly column: number;
}

const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;
const ADDRESS = /https?:\/\/|\]\(|`[^`]+`|(?:^|[\s(])[\w.@{},-]+\/[\w./@{},*-]+|\b[\w-]+\.(?:com|org|io|dev|net|md)\b/;
const RUN_SCRIPT = /^(?:npm|pnpm|yarn|bun)[ \t]+run(?:-script)?[ \t]+([\w:.-]+)/;
const SHELL_WORDS = new Set('cd test export source set if for while exit echo true false eval command exec'.split(' '));

/** What is wrong with research (R-PLAN-5). */
export function checkResearch(artifact: ArtifactText, spec: CheckedSpec): readonly ArtifactProblem[] {
  const { aliases, around } = spec;
  return [
    ...missingSections(artifact, aliases),
    ...(isNotBegun(spec) ? missingPaths(artifact, spec) : []),
    ...qualityCommands(artifact).flatMap((found) => commandProblems(artifact, found, around)),
    ...sourceProblems(artifact),
  ];
}

/** The files that research says are in the code. */
export function researchPaths(artifact: ArtifactText, aliases: HeadingAliases): readonly NamedPath[] {
  const found = new Map<string, NamedPath>();
  for (const { line: from, end } of sectionsOf(artifact, 'research.code', aliases)) {
    for (let line = from + 1; line <= end; line++) {
      for (const named of pathsInSpans(artifact.lines[line - 1] ?? '', line))
        if (!found.has(named.path) && !leadsOutside(named.path)) found.set(named.path, named);
    }
  }
  return [...found.values()];
}

/** The commands of the section about quality, in code spans. */
export function qualityCommands(artifact: ArtifactText): readonly QualityCommand[] {
  const sections = outlineOf(artifact).filter(({ key }) => /^(?:quality commands|verification tooling)\b/.test(key));
  return sections.flatMap(({ line: from, end }) =>
    artifact.lines.slice(from, end).flatMap((text, at) =>
      tickSpans(text, 0, text.length)
        .filter((span) => span.kind === 'closed')
        .slice(0, 1)
        .map((span) => ({ command: spanText(text, span).trim(), line: from + at + 1, column: span.start + 1 }))
        .filter(({ command }) => /^[\w./@-]+[ \t]+\S/.test(command)),
    ),
  );
}

/** The program that a command starts; `undefined` for one that is part of the shell, or not understood. */
export function programOf(command: string): string | undefined {
  const [first = ''] = command.split(/[ \t]/);
  return SHELL_WORDS.has(first) || !/^[\w./@-]+$/.test(first) ? undefined : first;
}

function missingPaths(artifact: ArtifactText, { aliases, around }: CheckedSpec): readonly ArtifactProblem[] {
  return researchPaths(artifact, aliases)
    .filter(({ path }) => !around.existing.has(path))
    .map(({ path, line, column }) => problemOf('path-missing', { artifact, line, column }, { path }, path));
}

function commandProblems(
  artifact: ArtifactText,
  { command, line, column }: QualityCommand,
  { programs, scripts, existing }: Surrounding,
): readonly ArtifactProblem[] {
  const program = programOf(command);
  const script = RUN_SCRIPT.exec(command)?.[1];
  const why =
    program !== undefined && !programs.has(program) && !existing.has(program)
      ? `there is no program ${program}`
      : script !== undefined && scripts?.has(script) === false
        ? `package.json has no script ${script}`
        : undefined;
  return why === undefined ? [] : [problemOf('command-missing', { artifact, line, column }, { command, why })];
}

function sourceProblems(artifact: ArtifactText): readonly ArtifactProblem[] {
  const sections = outlineOf(artifact).filter(({ key }) => /^(?:sources|references)$/.test(key));
  return sections.flatMap(({ line: from, end }) =>
    artifact.lines.slice(from, end).flatMap((text, at) => {
      const line = from + at + 1;
      const says = ITEM.test(text) && !ADDRESS.test(text) && !isFilePath(text.trim());
      return says ? [problemOf('source-without-address', { artifact, line }, {}, `line ${line}`)] : [];
    }),
  );
}
