import type { ImportedUnit, ImportReading } from './imported.ts';
import { listOf, otherKeys, textOf, textsOf, type Unknown } from './json-value.ts';

const STORY_KEYS = ['id', 'title', 'description', 'acceptanceCriteria', 'priority', 'passes', 'notes', 'dependsOn'];
const ROOT_KEYS = ['project', 'name', 'branchName', 'description', 'userStories'];

/** Reads a `prd.json` of user stories (R-DIA-7). */
export function readPrd(root: Unknown): ImportReading {
  const stories = listOf(root.userStories);
  const units = stories.map((story): ImportedUnit => {
    const source = textOf(story.id);
    const title = textOf(story.title) || (textOf(story.description).split('\n')[0] ?? '') || source;
    const task = {
      ...{ source, title, state: story.passes === true ? ('done' as const) : ('open' as const) },
      dependsOn: textsOf(story.dependsOn),
      do: [textOf(story.description), textOf(story.notes)],
      doneWhen: textsOf(story.acceptanceCriteria),
    };
    return {
      source,
      rank: typeof story.priority === 'number' ? story.priority : Number.MAX_SAFE_INTEGER,
      tasks: [task],
    };
  });
  const branch = textOf(root.branchName).split('/').at(-1) ?? '';
  const project = textOf(root.project) || textOf(root.name);
  return {
    ok: true,
    list: {
      ...{ kind: 'prd', name: branch || project, heading: project || branch, intro: textOf(root.description), units },
      hasDependencies: stories.some(({ dependsOn }) => textsOf(dependsOn).length > 0),
      ...{ gone: [], skipped: [] },
      dropped: [...otherKeys(stories, STORY_KEYS).map((key) => `userStories.${key}`), ...otherKeys([root], ROOT_KEYS)],
    },
  };
}
