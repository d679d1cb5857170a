import assert from 'node:assert/strict';
import { greet } from '../greet.js';

assert.equal(greet('Ada', 'fr'), 'Bonjour, Ada !');
console.log('French: passed');
