import type { PlanFormat } from './format.ts';
import { taskMarkdown } from './task-markdown.ts';

/** The formats that are known; the first one that fits is taken. A new dialect is a line here. */
const PLAN_FORMATS: readonly PlanFormat[] = [taskMarkdown];

/** The format of a spec, by whether its folder has a file of this name; task Markdown for a spec without a plan. */
export function planFormatOf(has: (file: string) => boolean): PlanFormat {
  return PLAN_FORMATS.find(({ file }) => has(file)) ?? taskMarkdown;
}
