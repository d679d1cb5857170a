import { findPlace } from '../../app/place.ts';
import { ownerText } from '../../app/run/runs.ts';
import { type ListedSpec, specsOf } from '../../app/spec/specs.ts';
import { visible } from '../../core/text/sanitise.ts';
import { type Command, dialectOption, isSet, jsonOption } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { printJson } from '../shared/print.ts';

/** Lists all specs with their progress (R-PLAN-1). */
export const list: Command = {
  operands: [],
  options: [dialectOption, jsonOption],
  examples: [['list', 'Lists the specs. The active one is marked with a star.']],
  run: async (call) => {
    const place = await findPlace(hostOf(call));
    const specs = await specsOf(place, call);
    if (isSet(call, '--json')) printJson(call.stdout, specs);
    else if (specs.length > 0) call.stdout.write(`${lines(specs).join('\n')}\n`);
    else call.stderr.write(visible(`There are no specs in ${place.roots.specsDirs.join(', ')}.\n`));
    return 0;
  },
};

function lines(specs: readonly ListedSpec[]): readonly string[] {
  const width = Math.max(...specs.map(({ name }) => name.length));
  return specs.map((spec) => {
    const { name, path, total, done, phase, gate, current, worktree, running } = spec;
    const many = total === null ? 'no plan' : `${done}/${total}`;
    const runs = running === null ? '' : `  running: ${ownerText(running)}`;
    const waits = gate === null ? '' : `  ${visible(phase)} waits for approval`;
    const where = worktree === null ? '' : `  in ${worktree}`;
    const how = spec.problem === null ? dialectText(spec) : `  ${visible(spec.problem)}`;
    return `${current ? '*' : ' '} ${visible(name).padEnd(width)}  ${many.padStart(7)}  ${visible(path)}${how}${waits}${where}${runs}`;
  });
}

/** The dialect, where it is not specloop's own, or was named by a person (R-DIA-3). */
function dialectText({ dialect, isDialectForced }: Pick<ListedSpec, 'dialect' | 'isDialectForced'>): string {
  if (dialect === null || (dialect === 'ralph-specum' && !isDialectForced)) return '';
  return `  ${dialect}${isDialectForced ? ' (as named)' : ''}`;
}
