import { beginsLikeCommand, isBareCommand } from '../plan/shell/bare-command.ts';

const SPAN = /(`+)[ \t]*([^`\n]+?)[ \t]*\1(?!`)/g;
/** A code span that is said to be run needs no options to be a command. */
const RUN_BEFORE = /\brun(?:ning|s)?:?[ \t]+$/i;
const RUN_AFTER = /^[ \t]+(?:is[ \t]+)?runs?\b/i;
const RUN = /\brun(?:ning|s)?\b:?[ \t]+([^\n]+)/gi;
/** Where the words of a sentence go on after a command. */
const GOES_ON = /[,;](?:[ \t]|$)|\.(?:[ \t]|$)|[ \t](?:and|then|when|if|it|which|that|because|fails|crashes|hangs)\b/i;

/**
 * The command by which the goal of a bug fix shows its defect: a code span that is a command, else what follows the word "run"
 * (R-BUG-1). `undefined` where the goal names none.
 */
export function reproductionIn(goal: string): string | undefined {
  const spans = [...goal.matchAll(SPAN)].map(({ 0: span, 2: text = '', index }) => ({
    text,
    isRun: RUN_BEFORE.test(goal.slice(0, index)) || RUN_AFTER.test(goal.slice(index + span.length)),
  }));
  const found = spans.find(
    ({ text, isRun }) => isBareCommand(text) || ((isRun || /[ \t]/.test(text)) && beginsLikeCommand(text)),
  );
  if (found !== undefined) return found.text;
  const said = [...goal.matchAll(RUN)].map(([, text = '']) => (text.split(GOES_ON)[0] ?? '').trim());
  return said.find((text) => /[ \t]/.test(text) && beginsLikeCommand(text));
}
