import assert from 'node:assert/strict';
import { leave } from '../leave.js';

assert.equal(leave('Ada'), 'Goodbye, Ada.');
