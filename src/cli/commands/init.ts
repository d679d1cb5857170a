import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../adapters/store/atomic-write.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { storageFault } from '../../adapters/store/storage-fault.ts';
import { settingsTemplate } from '../../config/template.ts';
import type { Command } from '../command.ts';
import { findPlace, inRepository } from '../place.ts';
import { PRIVATE_PATTERNS } from '../private-files.ts';

const IGNORE_BYTES_MAX = 1024 * 1024;
const SETTINGS_FILES = ['specloop.config.yaml', 'specloop.config.json'];

/** Makes a repository ready, once; what is there stays as it is (R-FILE-8). */
export const init: Command = {
  operands: [],
  options: [],
  examples: [['init', 'Adds ignore entries and a commented settings file to the repository.']],
  details: 'Overwrites nothing. Optional: without ignore entries a run adds its own to .git/info/exclude.',
  run: async (call) => {
    const { root } = inRepository(await findPlace(call), call);
    for (const line of [ignore(root), writeSettings(root)]) call.stderr.write(`${line}\n`);
    return 0;
  },
};

function ignore(root: string): string {
  const path = join(root, '.gitignore');
  const text = readText(path, IGNORE_BYTES_MAX) ?? '';
  const lines = new Set(text.split(/\r?\n/));
  const missing = PRIVATE_PATTERNS.filter((pattern) => !lines.has(pattern));
  if (missing.length === 0) return '.gitignore has all entries already.';
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : lineBreak;
  const added = ['# Private files of specloop', ...missing].map((line) => `${line}${lineBreak}`);
  writeAtomically(path, `${text}${gap}${added.join('')}`);
  return `.gitignore: added ${missing.join(', ')}.`;
}

function writeSettings(root: string): string {
  const there = SETTINGS_FILES.find((name) => existsSync(join(root, name)));
  if (there !== undefined) return `${there} is there already and stays as it is.`;
  const path = join(root, 'specloop.config.yaml');
  try {
    writeFileSync(path, settingsTemplate(), { flag: 'wx' });
  } catch (error) {
    throw storageFault(error, 'write', path);
  }
  return 'specloop.config.yaml: written, with every setting as a comment.';
}
