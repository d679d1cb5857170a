import { byteLength } from '../text/byte-length.ts';
import type { ArtifactText } from './artifact-text.ts';
import { outlineOf } from './outline.ts';
import { type ArtifactProblem, problemOf } from './problem.ts';

const BYTES_MAX = 256 * 1024;
const GOOD_BYTES_MAX = 40_000;
/** `{{GOAL}}`: no blank after the braces, unlike in the template languages that a spec may be about. */
const HOLE = /(?<![${])\{\{[^\s{}][^{}\n]{0,200}\}\}/g;
const OPEN_END = /(?:^[ \t]*(?:[-*+][ \t]+)?|[:|(][ \t]*)[*_]{0,2}(TBD|TODO)\b[*_]{0,2}(?![ \t]*[(@:]?[ \t]*@?[(\w])/g;

/** What is wrong with an artifact whatever it holds (R-PLAN-5). */
export function checkText(artifact: ArtifactText, spec: string): readonly ArtifactProblem[] {
  if (artifact.text.trim() === '') return [problemOf('artifact-empty', { artifact, line: 1 })];
  return [
    ...sizeProblems(artifact),
    ...frontMatterProblems(artifact, spec),
    ...holes(artifact),
    ...openEnds(artifact),
    ...repeatedHeadings(artifact),
  ];
}

function sizeProblems(artifact: ArtifactText): readonly ArtifactProblem[] {
  const bytes = byteLength(artifact.text);
  if (bytes <= GOOD_BYTES_MAX || artifact.name === 'tasks') return [];
  const isTooLarge = bytes > BYTES_MAX;
  const values = { size: Math.ceil(bytes / 1000), max: Math.floor((isTooLarge ? BYTES_MAX : GOOD_BYTES_MAX) / 1000) };
  return [problemOf(isTooLarge ? 'artifact-too-large' : 'artifact-large', { artifact, line: 1 }, values)];
}

function frontMatterProblems(artifact: ArtifactText, spec: string): readonly ArtifactProblem[] {
  const other = artifact.frontMatter.get('spec');
  if (other === undefined || other === '' || other === spec || other.includes('{{')) return [];
  return [problemOf('other-spec', { artifact, line: 1 }, { other })];
}

function holes(artifact: ArtifactText): readonly ArtifactProblem[] {
  return artifact.prose.flatMap((line, at) => {
    if (!line.includes('{{')) return [];
    return [...line.matchAll(HOLE)].map(({ index, 0: hole }) =>
      problemOf('template-hole', { artifact, line: at + 1, column: index + 1 }, { hole }, hole),
    );
  });
}

function openEnds(artifact: ArtifactText): readonly ArtifactProblem[] {
  return artifact.prose.flatMap((line, at) => {
    if (!/TBD|TODO/.test(line)) return [];
    return [...line.matchAll(OPEN_END)].map(({ index, 0: whole, 1: word = '' }) => {
      const column = index + whole.indexOf(word) + 1;
      return problemOf('open-end', { artifact, line: at + 1, column }, { word }, `line ${at + 1}`);
    });
  });
}

function repeatedHeadings(artifact: ArtifactText): readonly ArtifactProblem[] {
  if (artifact.name === 'tasks') return [];
  const chapters = outlineOf(artifact).filter(({ level, key }) => level === 2 && key !== '');
  return chapters.flatMap(({ key, title, line }, at) => {
    const first = chapters.slice(0, at).find((other) => other.key === key);
    return first === undefined ? [] : [problemOf('heading-twice', { artifact, line }, { title, first: first.line })];
  });
}
