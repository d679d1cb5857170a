import assert from 'node:assert/strict';
import { greet } from '../greet.js';

assert.equal(greet('Ada', 'en'), 'Hello, Ada!');
console.log('English: passed');
