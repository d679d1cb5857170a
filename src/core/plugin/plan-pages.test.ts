import { expect, test } from 'vitest';
import { planInstall, planUninstall } from './plan-pages.ts';

const nothing = { write: [], remove: [], keep: [] };

test.each([
  ['puts in what is missing', { shipped: { a: '1' }, found: {}, recorded: {} }, { write: ['a'] }],
  ['does nothing twice', { shipped: { a: '1' }, found: { a: '1' }, recorded: { a: '1' } }, {}],
  [
    'goes on after an install that was cut off',
    { shipped: { a: '1', b: '1' }, found: { a: '1' }, recorded: {} },
    { write: ['b'] },
  ],
  [
    'replaces what an older version wrote',
    { shipped: { a: '2' }, found: { a: '1' }, recorded: { a: '1' } },
    { write: ['a'] },
  ],
  ['keeps what the user changed', { shipped: { a: '2' }, found: { a: 'mine' }, recorded: { a: '1' } }, { keep: ['a'] }],
  ["keeps a file of the user's", { shipped: { a: '1' }, found: { a: 'mine' }, recorded: {} }, { keep: ['a'] }],
  ['removes what is no longer part of it', { shipped: {}, found: { a: '1' }, recorded: { a: '1' } }, { remove: ['a'] }],
  ['keeps it if the user changed it', { shipped: {}, found: { a: 'mine' }, recorded: { a: '1' } }, { keep: ['a'] }],
])('an install %s (R-SES-8)', (_what, files, plan) => {
  expect(planInstall(files)).toEqual({ ...nothing, ...plan });
});

test.each([
  ['removes what it wrote', { shipped: { a: '2' }, found: { a: '1' }, recorded: { a: '1' } }, { remove: ['a'] }],
  ['removes what a cut-off install wrote', { shipped: { a: '1' }, found: { a: '1' }, recorded: {} }, { remove: ['a'] }],
  ['keeps what the user changed', { shipped: { a: '1' }, found: { a: 'mine' }, recorded: { a: '1' } }, { keep: ['a'] }],
  ['does nothing where nothing is', { shipped: { a: '1' }, found: {}, recorded: {} }, {}],
])('an uninstall %s (R-SES-8)', (_what, files, plan) => {
  expect(planUninstall(files)).toEqual({ ...nothing, ...plan });
});
