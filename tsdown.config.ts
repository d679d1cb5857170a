import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsdown';

/** Libraries that become part of our own files: one file starts faster than the hundred modules of a library. */
const BUNDLED = [
  '@modelcontextprotocol/sdk',
  'ajv',
  'ajv-formats',
  'ansi-regex',
  'commander',
  'fast-deep-equal',
  'fast-uri',
  'get-east-asian-width',
  'json-schema-traverse',
  'picocolors',
  'picomatch',
  'string-width',
  'strip-ansi',
  'yaml',
  'zod',
  'zod-to-json-schema',
];

const common = { format: 'esm', platform: 'node', target: 'node20', fixedExtension: false } as const;

export default defineConfig([
  {
    ...common,
    entry: {
      cli: 'src/cli/main.ts',
      'scripted-agent': 'src/testing/scripted-agent-main.ts',
      index: 'src/index.ts',
      core: 'src/core/index.ts',
      testing: 'src/testing/index.ts',
    },
    dts: true,
    clean: true,
    deps: { onlyBundle: BUNDLED },
    hooks: {
      'build:done': ({ options }) => writeFileSync(join(options.outDir, 'licenses.txt'), licenses()),
    },
  },
  // Loaded when the coordinator is gone, maybe after another build: one file of a name that stays.
  { ...common, entry: { supervisor: 'src/adapters/process/supervisor.ts' }, dts: false, clean: false },
]);

/** The licenses of what is bundled, which ask to come along. */
function licenses(): string {
  return BUNDLED.map((name) => {
    const folder = join('node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${folder} has no license.`);
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  }).join(`\n${'-'.repeat(80)}\n\n`);
}
