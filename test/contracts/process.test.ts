import { tmpdir } from 'node:os';
import { afterAll } from 'vitest';
import { newMark, nodeProcesses } from '../../src/adapters/process/node.ts';
import { build } from '../../src/adapters/process/test-rig.ts';
import type { Launch } from '../../src/ports/process.ts';
import { memoryProcesses, type Performed, type Terminal } from '../memory/processes.ts';
import { type Partner, processContract } from './process.ts';

const SCRIPTS: Readonly<Record<Partner, string>> = {
  echo: 'echo ready; while IFS= read -r line; do tr a-z A-Z <<<"$line"; done; echo end',
  deaf: 'echo ready; exec sleep 60',
  leaving: 'exec <&-; echo ready; sleep 0.05; exit 3',
};

const IN_MEMORY: Readonly<Record<Partner, (terminal: Terminal, launch: Launch) => Promise<Performed>>> = {
  echo: async ({ stdin, print }) => {
    print('ready');
    for await (const line of stdin.lines()) print(line.toUpperCase());
    print('end');
    return { code: 0 };
  },
  deaf: async ({ print }, { signal }) => {
    const stopped = new Promise((resolve) => signal?.addEventListener('abort', resolve));
    print('ready');
    await stopped;
    return { code: 0 };
  },
  leaving: async ({ stdin, print }) => {
    stdin.close();
    print('ready');
    return { code: 3 };
  },
};

const partnerLaunch = (argv: Launch['argv']): Launch => ({
  argv,
  cwd: tmpdir(),
  env: { PATH: process.env.PATH ?? '' },
  limits: { wallMs: 60_000 },
  tailBytesMax: 1 << 20,
});

const built = build();
afterAll(() => built.remove());

processContract('real processes', {
  processes: nodeProcesses({ runMark: newMark(), containment: 'marker', supervisorPath: built.supervisorPath }),
  launch: (partner) => partnerLaunch(['bash', '-c', SCRIPTS[partner]]),
});

processContract('memory', {
  processes: memoryProcesses((launch, terminal) => IN_MEMORY[launch.argv[0] as Partner](terminal, launch)),
  launch: (partner) => partnerLaunch([partner]),
});
