import { type Forge, ForgeFault } from '../../../src/ports/forge.ts';
import type { Hosting } from '../../../src/ports/hosting.ts';
import { type Remote, RemoteFault } from '../../../src/ports/remote.ts';
import { type ForgeHook, memoryForge } from '../../memory/forge.ts';
import { MemoryRemote } from '../../memory/remote.ts';
import type { Gate, Step } from '../gate.ts';
import { ROOT, type World } from '../world.ts';
import { actsDue, type TroubleName } from './acts.ts';
import { ciGoesOn } from './ci.ts';
import type { Hosted } from './hosted.ts';
import { watchPush, watchSite } from './watch.ts';

/** Where the repository is hosted, for one coordinator: its calls pass the gate, and what it brings about is watched. */
export function hostingIn(world: World, gate: Gate): Hosting | undefined {
  const { hosted } = world;
  if (hosted === undefined) return undefined;
  return {
    forge: forgeIn({ world, hosted, gate }),
    remote: remoteIn({ world, hosted, gate }),
    environment: {},
    workflows: async () => ['jobs:\n  build:\n    steps:\n      - run: true\n'],
  };
}

interface Side {
  readonly world: World;
  readonly hosted: Hosted;
  readonly gate: Gate;
}

/** Before a request is answered, people and CI do what is due. */
function happens({ world, hosted }: Side): TroubleName | undefined {
  hosted.requests += 1;
  const trouble = actsDue(world, hosted);
  ciGoesOn(world, hosted);
  hosted.mergeable();
  return trouble;
}

function forgeIn(side: Side): Forge {
  const { world, hosted, gate } = side;
  const asIs =
    <Name extends Exclude<keyof Forge, 'name'>>(name: Name) =>
    (...args: Parameters<Forge[Name]>): ReturnType<Forge[Name]> =>
      gate.pass(`forge.${name}`, 'agent', async (step) => {
        const forge = memoryForge(hosted.site, hookOf(side, step));
        const answer = await Reflect.apply(forge[name], forge, args);
        watchSite(world, hosted);
        return answer;
      }) as ReturnType<Forge[Name]>;
  return {
    name: 'Memory',
    access: asIs('access'),
    find: asIs('find'),
    open: asIs('open'),
    look: async (number) => {
      const seen = await asIs('look')(number);
      hosted.lastLook = { seen, atMs: Date.parse(world.clock.now()) };
      return seen;
    },
    logOf: asIs('logOf'),
    rerun: asIs('rerun'),
    answerThread: asIs('answerThread'),
    answerReview: asIs('answerReview'),
    describe: asIs('describe'),
    template: asIs('template'),
  };
}

function hookOf(side: Side, step: Step): ForgeHook {
  let isLost = false;
  return async (_request, moment) => {
    if (moment === 'before') {
      const trouble = happens(side);
      isLost = trouble === 'unavailable, after it was done';
      if (trouble === 'limited') throw new ForgeFault('limited', 'Too many requests.', inAnHour(side));
      if (trouble === 'unavailable') throw new ForgeFault('unavailable', 'The server answered with 502.');
    } else if (isLost) throw new ForgeFault('unavailable', 'The connection was closed.');
    await step();
  };
}

const HOUR_MS = 3_600_000;

function inAnHour({ world }: Side): string {
  return new Date(Date.parse(world.clock.now()) + HOUR_MS).toISOString();
}

function remoteIn(side: Side): Remote {
  const { world, hosted, gate } = side;
  const { repository } = world;
  const remote = (between: Step) => new MemoryRemote({ repository, dir: ROOT, origin: hosted.origin, between });
  return {
    name: 'origin',
    push: (branch, commit) =>
      gate.pass('remote.push', 'agent', async (step) => {
        const trouble = happens(side);
        const unreachable = { how: 'refused', cause: 'unreachable', output: 'No route to host.' } as const;
        if (trouble === 'limited' || trouble === 'unavailable') return unreachable;
        watchPush(world, { branch, commit });
        const pushed = await remote(step).push(branch, commit);
        return trouble === undefined ? pushed : unreachable;
      }),
    fetch: (branch) =>
      gate.pass('remote.fetch', 'agent', async (step) => {
        const trouble = happens(side);
        if (trouble !== undefined) throw new RemoteFault('unreachable', 'The remote "origin" cannot be read.');
        return await remote(step).fetch(branch);
      }),
    advance: (commit) => gate.pass('remote.advance', 'agent', (step) => remote(step).advance(commit)),
    merge: (ours, theirs, message) =>
      gate.pass('remote.merge', 'agent', (step) => remote(step).merge(ours, theirs, message)),
  };
}
