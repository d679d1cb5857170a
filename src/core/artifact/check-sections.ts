import type { ArtifactText } from './artifact-text.ts';
import type { ArtifactSection } from './outline.ts';
import { outlineOf } from './outline.ts';
import { type ArtifactProblem, problemOf } from './problem.ts';
import { type HeadingAliases, SECTION_KEYS, SECTIONS, type SectionKey, saysSection } from './section-names.ts';

/** The expected sections that an artifact does not have, each a finding (R-PLAN-5). */
export function missingSections(artifact: ArtifactText, aliases: HeadingAliases): readonly ArtifactProblem[] {
  const outline = outlineOf(artifact);
  return SECTION_KEYS.filter((key) => key.startsWith(`${artifact.name}.`))
    .filter((key) => !outline.some((section) => saysSection(section.key, key, aliases)))
    .map((key) => {
      const { what, titles } = SECTIONS[key];
      return problemOf('no-section', { artifact, line: 1 }, { what, key, title: `## ${titles[0]}` });
    });
}

/** The sections of an artifact that are of this kind. */
export function sectionsOf(
  artifact: ArtifactText,
  key: SectionKey,
  aliases: HeadingAliases,
): readonly ArtifactSection[] {
  return outlineOf(artifact).filter((section) => saysSection(section.key, key, aliases));
}
