import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    cli: 'src/cli/main.ts',
    supervisor: 'src/adapters/process/supervisor.ts',
    'scripted-agent': 'src/testing/scripted-agent-main.ts',
    index: 'src/index.ts',
    core: 'src/core/index.ts',
    testing: 'src/testing/index.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
  fixedExtension: false,
});
