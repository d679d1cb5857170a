import { afterAll, test } from 'vitest';
import { builtProcesses, gitHubRig, NO_GH } from '../github/rig.ts';
import { type ForgeWorld, forgeContract } from './forge.ts';

const STATES = { open: 'OPEN', closed: 'CLOSED', merged: 'MERGED' } as const;
const MERGEABLE = { yes: 'MERGEABLE', conflict: 'CONFLICTING', unknown: 'UNKNOWN' } as const;

if (NO_GH) test.skip(`a forge: GitHub, ${NO_GH} (R-PR-7)`, () => {});
else {
  const built = builtProcesses();
  afterAll(() => built.remove());
  forgeContract('GitHub, by the gh program', () => gitHubWorld(built.processes));
}

async function gitHubWorld(processes: Parameters<typeof gitHubRig>[0]): Promise<ForgeWorld> {
  const { model, forge, push, close } = await gitHubRig(processes);
  model.person('ada');
  model.person('eve', { permission: 'read' });
  model.person('lint', { permission: 'none', isBot: true });
  model.labels.add('spec');
  return {
    forge,
    push,
    close,
    check: (commit, name, report) => model.check(commit, name, report),
    comment: (number, by, body) => model.thread(number, { by, body, path: 'src/a.ts', line: 3 }),
    write: (of, by, body) => (/^\d+$/.test(of) ? model.comment(Number(of), by, body) : model.reply(of, by, body)),
    resolve: (thread) => model.resolve(thread),
    review: (number, by, opinion, body = '') => model.review(number, { by, opinion, body }),
    change: (number, { state, mergeable, ...changes }) =>
      model.change(number, {
        ...changes,
        ...(state && { state: STATES[state] }),
        ...(mergeable && { mergeable: MERGEABLE[mergeable] }),
      }),
    bodiesOf: (of) => {
      const comments = /^\d+$/.test(of)
        ? model.comments.filter(({ number }) => number === Number(of))
        : model.threadOf(of).comments;
      return comments.map(({ body }) => body);
    },
    isResolved: (thread) => model.threadOf(thread).isResolved,
    askedOf: (number) => {
      const { labels, reviewers } = model.pulls[number - 1] ?? { labels: [], reviewers: [] };
      return { labels: [...labels], reviewers: [...reviewers] };
    },
    require: (name) => void model.required.add(name),
    setTemplate: (text) => void model.templates.push(text),
    setMayWrite: (mayWrite) => model.person(model.account, { permission: mayWrite ? 'write' : 'read' }),
  };
}
