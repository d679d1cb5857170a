import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../adapters/store/atomic-write.ts';
import { readText } from '../adapters/store/read-text.ts';
import { storageFault } from '../adapters/store/storage-fault.ts';
import { settingsTemplate } from '../config/template.ts';
import { PRIVATE_PATTERNS } from '../core/spec-files.ts';
import type { Host } from './host.ts';
import { findPlace, inRepository } from './place.ts';

const IGNORE_BYTES_MAX = 1024 * 1024;
const SETTINGS_FILES = ['specloop.config.yaml', 'specloop.config.json'];

/** Makes a repository ready, once; what is there stays as it is, and what was done is told by notices (R-FILE-8). Throws `UserError`. */
export async function makeReady(host: Host): Promise<void> {
  const { root } = inRepository(await findPlace(host), host);
  for (const notice of [ignore(root), writeSettings(root)]) host.notify(notice);
}

function ignore(root: string): string {
  const path = join(root, '.gitignore');
  const text = readText(path, IGNORE_BYTES_MAX) ?? '';
  const lines = new Set(text.split(/\r?\n/));
  const missing = PRIVATE_PATTERNS.filter((pattern) => !lines.has(pattern));
  if (missing.length === 0) return '.gitignore already has all entries.';
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : lineBreak;
  const added = ['# Private files of specloop', ...missing].map((line) => `${line}${lineBreak}`);
  writeAtomically(path, `${text}${gap}${added.join('')}`);
  return `.gitignore: added ${missing.join(', ')}.`;
}

function writeSettings(root: string): string {
  const there = SETTINGS_FILES.find((name) => existsSync(join(root, name)));
  if (there !== undefined) return `${there} exists already and was not changed.`;
  const path = join(root, 'specloop.config.yaml');
  try {
    writeFileSync(path, settingsTemplate(), { flag: 'wx' });
  } catch (error) {
    throw storageFault(error, 'write', path);
  }
  return 'specloop.config.yaml: created, with every setting as a comment.';
}
