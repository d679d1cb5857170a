import { memoryForge } from '../memory/forge.ts';
import { MemoryForgeSite } from '../memory/forge-site.ts';
import { type ForgeWorld, forgeContract } from './forge.ts';

forgeContract('memory', async (): Promise<ForgeWorld> => {
  const heads = new Map<string, string>();
  const site = new MemoryForgeSite({
    repository: 'acme/app',
    defaultBranch: 'main',
    user: 'robot',
    headOf: (branch) => heads.get(branch),
  });
  site.people.set('ada', { mayWrite: true, isBot: false });
  site.people.set('eve', { mayWrite: false, isBot: false });
  site.people.set('lint', { mayWrite: false, isBot: true });
  site.labels.add('spec');
  let commits = 0;
  return {
    forge: memoryForge(site),
    push(branch) {
      commits += 1;
      const commit = String(commits).padStart(40, '0');
      heads.set(branch, commit);
      return commit;
    },
    check: (commit, name, report) => site.check(commit, name, report),
    comment: (number, author, body) => site.comment(number, author, body, { path: 'src/a.ts', line: 3 }),
    write: (of, author, body) => site.write(of, author, body),
    resolve: (thread) => site.resolve(thread),
    review: (number, author, opinion, body) => site.review(number, author, opinion, body),
    change: (number, changes) => site.change(number, changes),
    bodiesOf: (of) => site.commentsOf(of).map(({ body }) => body),
    isResolved: (thread) => site.isResolved(thread),
    askedOf: (number) => site.askedOf(number),
    require: (name) => void site.required.add(name),
    setTemplate(text) {
      site.template = text;
    },
    setMayWrite(mayWrite) {
      site.mayWrite = mayWrite;
    },
  };
});
