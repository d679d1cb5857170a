import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

assert.doesNotMatch(readFileSync('leave.js', 'utf8'), /\bvar\b/, 'leave.js: write const or let, not var');
