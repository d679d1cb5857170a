import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Test files of a worker share the modules they load: no test leaves anything in one.
    isolate: false,
    maxWorkers: 2,
    coverage: {
      include: ['src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/test-rig.ts'],
      reporter: ['text-summary', 'html', 'lcovonly'],
    },
  },
});
