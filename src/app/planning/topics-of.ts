import type { Topic } from '../../core/plan/data/step.ts';
import type { PlanningChoices } from '../../core/planning/choices.ts';
import { isToolingUnknown } from '../../core/planning/repository-facts.ts';
import { topicsFor } from '../../core/planning/topics.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { partsThere } from './check-part.ts';
import { factsOf } from './facts.ts';

/** The topics that research of a spec is divided into, and those whose parts are there already (R-PLAN-2). */
export async function topicsOf(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  { goalClass }: Pick<PlanningChoices, 'goalClass'>,
): Promise<{ readonly topics: readonly Topic[]; readonly parts: readonly Topic[] }> {
  const facts = await factsOf(place, host);
  const { research: max } = place.loaded.settings;
  const topics = topicsFor({ goalClass, max, isToolingUnknown: isToolingUnknown(facts) });
  return { topics, parts: partsThere(place.spec, topics) };
}
