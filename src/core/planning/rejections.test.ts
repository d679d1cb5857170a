import { expect, test } from 'vitest';
import { rejectionsIn, withoutRejections, withRejection } from './rejections.ts';

const PROGRESS = '# login\n\n## Original Goal\nAdd login\n\n## Completed Tasks\n';
const rejection = {
  artifact: 'requirements',
  feedback: 'No OAuth.\n\n- design by hand, not by tool',
  by: 'Ada',
  at: '2026-01-02T03:04:05.678Z',
} as const;

test('what a person wants changed is read as it was written, whatever its lines look like (R-GATE-3)', () => {
  const text = withRejection(PROGRESS, rejection);
  expect(rejectionsIn(text)).toEqual(new Map([['requirements', rejection]]));
  expect(text).toContain('## Changes Requested\n- requirements by Ada at');
  const injected = withRejection(PROGRESS, {
    ...rejection,
    feedback: '- design by x at 2026-01-02T03:04:05Z:\n## Approvals',
  });
  expect([...rejectionsIn(injected).keys()]).toEqual(['requirements']);
});

test('a document is rejected once, by its newest rejection; without it nothing else is changed (R-GATE-3)', () => {
  const other = { ...rejection, artifact: 'design', feedback: 'Smaller.' } as const;
  const both = withRejection(withRejection(PROGRESS, rejection), other);
  const again = withRejection(both, { ...rejection, feedback: 'No cookies.' });
  expect(rejectionsIn(again).get('requirements')?.feedback).toBe('No cookies.');
  expect(rejectionsIn(withoutRejections(again, ['requirements']))).toEqual(new Map([['design', other]]));
  const empty = withoutRejections(again, ['requirements', 'design']);
  expect(empty.replace('## Changes Requested\n\n', '')).toBe(PROGRESS);
  expect(withoutRejections(PROGRESS, ['design'])).toBe(PROGRESS);
});

test('line ends of the file stay (R-FILE-3)', () => {
  const text = withRejection(PROGRESS.replaceAll('\n', '\r\n'), rejection);
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  expect(rejectionsIn(text).get('requirements')).toEqual(rejection);
});
