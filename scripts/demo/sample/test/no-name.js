import assert from 'node:assert/strict';
import { greet } from '../greet.js';

assert.throws(() => greet('', 'en'), /name/);
assert.throws(() => greet('', 'fr'), /name/);
console.log('No name: passed');
