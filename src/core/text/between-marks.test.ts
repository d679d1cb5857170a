import { expect, test } from 'vitest';
import { withOurPart } from './between-marks.ts';

const OURS = '<!-- specloop: begin -->\nours\n<!-- specloop: end -->';

test.each([
  ['', OURS],
  [' \n', OURS],
  ['Mine.', `Mine.\n\n${OURS}`],
  ['Mine.\r\n', `Mine.\r\n\n${OURS}`],
  ['Mine.\n\n', `Mine.\n\n${OURS}`],
  ['Mine.  \n\n\n', `Mine.  \n\n\n${OURS}`],
  [`Before.\r\n${OURS.replace('ours', 'older')} after.\r\n`, `Before.\r\n${OURS} after.\r\n`],
  ['A mark: <!-- specloop: end -->', `A mark: <!-- specloop: end -->\n\n${OURS}`],
])('our part of %j is added or renewed, and every byte of others stays (R-PR-12)', (before, after) => {
  expect(withOurPart(before, 'ours')).toBe(after);
  expect(withOurPart(after, 'ours')).toBe(after);
});
