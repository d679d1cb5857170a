import { examine } from '../../app/doctor/examine.ts';
import type { Finding } from '../../app/doctor/finding.ts';
import { sanitise } from '../../core/text/sanitise.ts';
import { type Command, jsonOption } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { coloursFor, type PrintColours, printResult } from '../shared/print.ts';

/** Prints what is wrong with what a run depends on. */
export const doctor: Command = {
  operands: [],
  options: [jsonOption],
  examples: [['doctor', 'Checks Node.js, git, the repository, the agents, locks and settings.']],
  details: 'Exits with 1 if a check fails.',
  run: async (call) => {
    const findings = await examine(hostOf(call));
    const colours = coloursFor(call.stdout, call);
    printResult(call, { findings }, () => findings.map((finding) => lineOf(finding, colours)).join(''));
    const failed = findings.filter(({ level }) => level === 'fail').length;
    if (failed === 0) return EXIT.ok;
    call.stderr.write('Fix what failed, then run "specloop doctor" again.\n');
    return EXIT.stuck;
  },
};

const LEVELS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

function lineOf(finding: Finding, { green, yellow, red }: PrintColours): string {
  const paint = { ok: green, warn: yellow, fail: red }[finding.level];
  const fix = finding.level === 'ok' ? '' : `      Fix: ${sanitise(finding.fix)}\n`;
  return `${paint(LEVELS[finding.level])}  ${finding.about}: ${sanitise(finding.message)}\n${fix}`;
}
