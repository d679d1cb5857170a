import { detectByText, dialectOfPlace } from '../plan/dialects/detect.ts';
import { readBmad } from './bmad.ts';
import { readCcSdd } from './cc-sdd.ts';
import { readFixPlan } from './fix-plan.ts';
import type { ImportReading } from './imported.ts';
import { objectOf } from './json-value.ts';
import { readPrd } from './prd.ts';
import { readTaskMaster } from './task-master.ts';

const KINDS =
  'Known are tasks.json of Task Master, prd.json, stories of BMAD, plans of cc-sdd, and fix plans of Ralph.';

/** Reads a foreign task list, whichever it is (R-DIA-7). The path is relative to the repository, with `/`. */
export function readForeignList(
  text: string,
  { path, tag }: { readonly path: string; readonly tag?: string | undefined },
): ImportReading {
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  if (path.endsWith('.json')) return readJson(text, tag);
  if (/^#{1,3}[ \t]+tasks[ \t]*\/[ \t]*subtasks/im.test(text)) return readBmad(text, fileName);
  if (/fix[ _-]?plan/i.test(fileName) || /^#[ \t]+.*fix[ _-]?plan/im.test(text)) return readFixPlan(text);
  const detected = detectByText(text);
  if (dialectOfPlace(path) === 'kiro' || (detected.ok && detected.dialect === 'kiro')) return readCcSdd(text);
  return { ok: false, message: `${path} is no task list that can be imported.`, hint: KINDS };
}

function readJson(text: string, tag: string | undefined): ImportReading {
  let root: ReturnType<typeof objectOf>;
  try {
    root = objectOf(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return { ok: false, message: 'The file is not valid JSON.', hint: 'Correct it, and import it again.' };
  }
  if (Array.isArray(root?.userStories)) return readPrd(root);
  const isTaskMaster =
    root !== undefined &&
    (Array.isArray(root.tasks) || Object.values(root).some((value) => Array.isArray(objectOf(value)?.tasks)));
  if (root !== undefined && isTaskMaster) return readTaskMaster(root, tag);
  return { ok: false, message: 'The file holds neither tasks nor user stories.', hint: KINDS };
}
