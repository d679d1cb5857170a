import type { ArtifactText } from './artifact-text.ts';
import { missingSections } from './check-sections.ts';
import { expand } from './expand.ts';
import type { IdMention } from './ids.ts';
import { type ArtifactProblem, problemOf } from './problem.ts';
import { activeIds, type DefinedId, priorityOf, type Requirements } from './requirements.ts';
import type { HeadingAliases } from './section-names.ts';

const VAGUE =
  /\b(user[- ]friendly|intuitive(?:ly)?|easy to use|fast enough|as fast as possible|quickly|as needed|as appropriate|appropriately|seamless(?:ly)?|robust(?:ly)?|state of the art|best effort|reasonably|and so on|etc)\b/i;
const GOES_WRONG =
  /\b(?:error|errors|fail\w*|invalid|reject\w*|den(?:y|ies|ied)|wrong|missing|empty|not|no|never|cannot|without|unless|timeout|times? out|expired?|unavailable|exceed\w*|duplicate\w*|abort\w*|refus\w*|warn\w*|unauthori[sz]ed|forbidden|limit\w*)\b|n't/i;
const CRITERIA_TO_JUDGE_MIN = 5;

/** What is wrong with requirements (R-PLAN-5). */
export function checkRequirements(requirements: Requirements, aliases: HeadingAliases): readonly ArtifactProblem[] {
  const { artifact } = requirements;
  return [
    ...missingSections(artifact, aliases),
    ...repeatedIds(requirements),
    ...undefinedIds(artifact, requirements.mentions, requirements),
    ...missingIds(requirements),
    ...activeIds(requirements).flatMap((id) => idProblems(id, requirements)),
    ...happyPaths(requirements),
  ];
}

/** The ids that an artifact names and the requirements do not define: an error where they define others of the kind. */
export function undefinedIds(
  artifact: ArtifactText,
  mentions: readonly IdMention[],
  { index }: Pick<Requirements, 'index'>,
): readonly ArtifactProblem[] {
  const unread = new Set<string>();
  return mentions.flatMap((mention) => {
    const { kind, line, column } = mention;
    if (index.ofKind.has(kind))
      return expand(mention, index).unknown.map((id) => problemOf('id-undefined', { artifact, line, column }, { id }));
    if (unread.has(kind)) return [];
    unread.add(kind);
    return [problemOf('ids-unread', { artifact, line, column }, { kind, id: mention.id })];
  });
}

function repeatedIds({ artifact, repeated }: Requirements): readonly ArtifactProblem[] {
  return repeated.map(([{ id, line, column, isRetired }, first]) =>
    problemOf(
      isRetired === first.isRetired ? 'id-twice' : 'id-reused',
      { artifact, line, column },
      { id, first: first.line },
    ),
  );
}

function missingIds(requirements: Requirements): readonly ArtifactProblem[] {
  const { artifact, sections } = requirements;
  const kinds = new Set(activeIds(requirements).map(({ kind }) => kind));
  const speaksOf = (words: RegExp) =>
    sections.some(({ key }) => words.test(key)) || artifact.prose.some((line) => words.test(line.slice(0, 200)));
  return [
    ...(kinds.has('US') || speaksOf(/\buser stor(?:y|ies)\b|\bas an? .{1,80}\bi want\b|\*\*as an?\*\*/i)
      ? []
      : [problemOf('no-story', { artifact, line: 1 })]),
    ...(kinds.has('AC') || speaksOf(/\bacceptance criteri(?:a|on)\b|\bsuccess criteri(?:a|on)\b/i)
      ? []
      : [problemOf('no-criterion', { artifact, line: 1 })]),
  ];
}

function idProblems(found: DefinedId, requirements: Requirements): readonly ArtifactProblem[] {
  const { kind, id, line, column } = found;
  const place = { artifact: requirements.artifact, line, column };
  const hasCriteria = (requirements.criteria.get(id) ?? []).length > 0 || saysCriteria(found);
  switch (kind) {
    case 'US':
      return hasCriteria ? [] : [problemOf('story-without-criterion', place, { id }, id)];
    case 'FR':
      return [
        ...(hasCriteria || !requirements.index.ofKind.has('AC')
          ? []
          : [problemOf('requirement-without-criterion', place, { id }, id)]),
        ...(priorityOf(found) === undefined ? [problemOf('requirement-without-priority', place, { id }, id)] : []),
      ];
    case 'NFR':
      return isMeasured(found) ? [] : [problemOf('quality-without-measure', place, { id }, id)];
    case 'AC': {
      const word = VAGUE.exec(found.rest)?.[1];
      return word === undefined || /\d/.test(found.rest) ? [] : [problemOf('vague-words', place, { id, word }, id)];
    }
  }
}

/** Criteria in words, without ids: a cell of their own, or a list below their name. */
function saysCriteria({ cells, block }: DefinedId): boolean {
  const cell = [...cells].find(([name]) => /criteri|acceptance/.test(name))?.[1];
  if (cell !== undefined) return /[\p{L}\p{N}]/u.test(cell);
  return /\bcriteri(?:a|on)\b[^\n]{0,60}\n(?:[ \t]*\n)?[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]/i.test(block);
}

/** A metric and a target in cells of their own, or a number or "N/A: why" in the text. */
function isMeasured({ cells, block, rest }: DefinedId): boolean {
  const measures = [...cells].filter(([name]) => /metric|target|measure|standard|threshold/.test(name));
  if (/\bn\/a\b\W{1,4}\w/i.test(block)) return true;
  const says = ([, text]: readonly [string, string]) => /[\p{L}\p{N}]/u.test(text) && !/^(?:tbd|n\/a|\?+)$/i.test(text);
  if (measures.length > 0) return measures.every(says);
  return /\d/.test(
    cells.size > 0 ? [...cells.values()].slice(1).join(' ') : `${rest}\n${block.split('\n').slice(1).join('\n')}`,
  );
}

function happyPaths(requirements: Requirements): readonly ArtifactProblem[] {
  const { artifact } = requirements;
  const criteria = activeIds(requirements).filter(({ kind }) => kind === 'AC');
  const [first] = criteria;
  if (first === undefined || criteria.length < CRITERIA_TO_JUDGE_MIN) return [];
  if (criteria.some(({ block }) => GOES_WRONG.test(block))) return [];
  return [
    problemOf('only-happy-paths', { artifact, line: first.line, column: first.column }, { count: criteria.length }),
  ];
}
