import { type Imported, importList } from '../../app/spec/import-list.ts';
import { visible } from '../../core/text/sanitise.ts';
import { counted } from '../../core/text/words.ts';
import { type Command, isSet, jsonOption, optionText } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { printJson } from '../shared/print.ts';

/** Makes a spec of the task list of another tool (R-DIA-7). */
export const importSpec: Command = {
  operands: [{ name: 'FILE', summary: 'A tasks.json, a prd.json, a story, or a plan in Markdown.', isRequired: true }],
  options: [
    { flag: '--to', placeholder: 'SPEC', summary: 'Name of the new spec. Default: as the list is called.' },
    { flag: '--tag', placeholder: 'TAG', summary: 'The list to take from a tasks.json with several.' },
    jsonOption,
  ],
  examples: [
    ['import .taskmaster/tasks/tasks.json --to shop', 'Makes the spec shop of a list of Task Master.'],
    ['import prd.json', 'Makes a spec of user stories, named after their branch.'],
  ],
  details:
    'Reads lists of Task Master, prd.json, BMAD stories, cc-sdd plans and Ralph fix plans. Dependencies become the order and `[P]`. What has no place in a plan is listed. Plans of spec-kit, Kiro, OpenSpec and checklists need no import: they are run in place.',
  run: async (call) => {
    const imported = await importList(hostOf(call), {
      file: call.operands[0] ?? '',
      to: optionText(call, '--to'),
      tag: optionText(call, '--tag'),
    });
    if (isSet(call, '--json')) printJson(call.stdout, imported);
    else for (const line of lines(imported)) call.stderr.write(`${visible(line)}\n`);
    return 0;
  },
};

function lines({ spec, path, source, tasks, skipped, dropped }: Imported): readonly string[] {
  return [
    `${path}: made of a ${source} list, with ${counted(tasks, 'task')}.`,
    ...(skipped.length === 0 ? [] : [`Not imported: ${skipped.map(({ id, why }) => `${id} (${why})`).join(', ')}.`]),
    ...(dropped.length === 0 ? [] : [`Without a place in a plan: ${dropped.join(', ')}.`]),
    `Look at it with \`specloop validate ${spec}\`, then run it with \`specloop implement ${spec}\`.`,
  ];
}
