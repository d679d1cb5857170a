import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ADMISSIONS, findAdmission, readAdmissions } from './contradiction.ts';

const ADMISSIONS = [
  'The last step requires manual setup.',
  'This cannot be automated here.',
  'I COULD NOT COMPLETE the migration.',
  'It needs human review.',
  'Manual intervention is needed.',
  'The deploy requires manual approval by an owner.',
  'I could not complete the integration tests.',
  "I couldn't complete the integration tests.",
  'I couldn’t complete the integration tests.',
  'Logging in to the console can not be automated.',
  "The captcha can't be automated.",
  'The rest requires\nmanual work in the browser.',
  'Everything else is done; the DNS record requires manual creation.',
  'All tests pass, but the key rotation needs human approval.',
  'No tests fail, but publishing requires manual login.',
  'There is no token, so the upload requires manual work.',
  'There is no API for this, it requires manual setup.',
  'There is no API for this and it requires manual setup.',
  'Because there is no token it requires manual setup.',
  'With no database I could not complete the migration.',
  'The database is not reachable and I could not complete the migration.',
  'I do not have the rights so I could not complete the migration.',
  'It does not work without manual intervention.',
  'The release cannot be finished without manual intervention.',
  'Without the key I could not complete this.',
  'It does not build yet and manual intervention is needed.',
  'No network, could not complete.',
  'I never said it works; it requires manual setup.',
  'Manual intervention: yes',
  'It requires manual work\nNo tests were run',
  'DNS requires manual: no API is there.',
  'It is not possible to go on without manual intervention.',
  'The service will not start because it requires manual configuration.',
  'Not everything is done: the last step requires manual testing.',
  'It works with no changes except manual intervention at step 3.',
  'The migration not only requires manual work, it also takes hours.',
  'No doubt this requires manual work.',
  'No. It requires manual setup.',
  '- Done: code and tests\n- Open: the certificate requires manual installation',
  '## Open points\n\nManual intervention\n',
  '**Requires manual** setup of the queue.',
  'The `deploy` job requires manual approval.',
  'The script fails without a token — it requires manual input.',
  'Status: blocked, needs manual intervention',
  'The work is complete. Manual intervention is not optional for the rollout, though.',
  'It requires manually creating a token.',
  'The last part needs human-in-the-loop approval.',
  'Could not complete the second half.',
  'None of the tests fail, yet, as the last one requires manual login, it was skipped.',
  'The upload is untested, since it needs human credentials.',
  'I never got access (the server needs human approval).',
  'Nothing is missing in the code, however the rollout requires manual steps.',
  'If no key is set it requires manual setup.',
  'The first step is automated, the second requires manual work',
  'I stubbed the payment call, which means the live check requires manual verification.',
  'The change is in. The cache could not complete its warm-up without manual intervention.',
  '1. Wrote the parser\n2. The licence check cannot be automated',
];

const DENIALS = [
  'No manual intervention was needed.',
  'Nothing here requires manual work.',
  'It works without manual intervention.',
  'The setup does not need manual intervention.',
  'This does not involve any manual intervention.',
  "It doesn't need manual intervention any more.",
  'It never needs human review.',
  'I did not need manual intervention.',
  "It didn't call for manual intervention.",
  'No step requires manual work.',
  'No part of it needs human help.',
  'None of the steps requires manual work.',
  'Neither the build nor the release requires manual work.',
  'It does not fail nor needs human help.',
  'The flow no longer requires manual setup.',
  'There is nothing that cannot be automated.',
  'There is nothing here that I could not complete.',
  'There is no step that I could not complete.',
  'There was nothing I could not complete.',
  'I found no case where it could not complete.',
  'There is no need for manual intervention.',
  'Nor does it need manual intervention.',
  'This is done with neither prompts nor manual intervention.',
  'Verified: nothing requires manual setup.',
  'Manual intervention is not needed.',
  'Manual intervention was not required.',
  'Manual intervention is no longer necessary.',
  "Manual intervention isn't required.",
  'Manual intervention should not be needed.',
  'Manual intervention is unnecessary now.',
  'Manual intervention: none',
  'Manual intervention required: no',
  'Manual intervention: not needed',
  '**Manual intervention**: **None**\n**Tests**: pass',
  '- **Manual intervention**: none',
  '| Manual intervention | none |',
  '## Manual intervention\n\nNone.',
  'Manual intervention needed? No.',
  'The script restarts instead of manual intervention.',
  'It retries by itself rather than asking for manual intervention.',
  'This avoids manual intervention.',
  'I replaced the manual intervention with a script.',
  'I removed the step that requires manual setup.',
  'It runs without prompts and manual intervention.',
  'The tests passed, without any further manual intervention.',
  'It ran because no manual intervention is needed.',
  'The output needs human-readable dates, which it has now.',
  'The log needs human readable dates.',
  '> this step requires manual setup\n\nis gone now.',
  '```\nthrow new Error("could not complete")\n```',
  '~~~\nrequires manual\n~~~\nAll good.',
  'I added the message `could not complete` to the catalogue.',
  'I added the message `it\ncould not complete` to the catalogue.',
  'The task says "requires manual approval"; the approval is a test now.',
  'The task says “needs human review”; that is covered.',
  '<!-- requires manual -->\nAll done.',
  'Added a test:\n\n    expect(text).toBe("could not complete");\n\nIt passes.',
  'All done.',
  '',
  'The command requires `manual` as its first argument.',
  'I wrote the user manual and the human resources page.',
  'The handler covers automated and manual runs.',
];

describe('an admission of failure beside a completion', () => {
  test.each(ADMISSIONS)('is found in %j (R-VER-2)', (answer) => {
    expect(findAdmission(answer)).toEqual(expect.any(String));
  });

  test.each(DENIALS)('is not found in %j (R-VER-2)', (answer) => {
    expect(findAdmission(answer)).toBeUndefined();
  });

  test('is returned as the sentence it stands in (R-VER-2)', () => {
    const answer = 'All of it is there. The DNS record\nrequires manual work! The rest is fine.\n\nTASK_COMPLETE';
    expect(findAdmission(answer)).toBe('The DNS record requires manual work!');
  });

  test('is bounded and free of escapes when it is returned', () => {
    const found = findAdmission(`it requires manual \u001b[31mwork ${'x'.repeat(5_000)}`) ?? '';
    expect(found).toMatch(/^it requires manual work x+…$/);
    expect(found.length).toBeLessThanOrEqual(200);
  });

  test('after a fence that is never closed counts: doubt goes against completion', () => {
    expect(findAdmission('TASK_COMPLETE\n```\nIt requires manual work.')).toBe('It requires manual work.');
  });

  test('is looked for with the configured phrases, and with none when there are none (R-VER-2)', () => {
    expect(findAdmission('It is only a stub.', ['only a  STUB'])).toBe('It is only a stub.');
    expect(findAdmission('It requires manual work.', ['only a stub'])).toBeUndefined();
    expect(findAdmission('It requires manual work.', [])).toBeUndefined();
    expect(findAdmission('a.b is a+b', ['a.b IS a+b', ' '])).toBe('a.b is a+b');
  });

  test('alone in its sentence is found for every default phrase, in any case and spacing', () => {
    const words = fc.constantFrom(...DEFAULT_ADMISSIONS);
    const gap = fc.constantFrom(' ', '  ', '\n', '\t');
    fc.assert(
      fc.property(words, gap, fc.boolean(), (phrase, between, upper) => {
        const said = phrase.replaceAll(' ', between);
        expect(findAdmission(`It is so.\n\n${upper ? said.toUpperCase() : said} now.`)).toBeDefined();
      }),
    );
  });

  test.each(['No manual intervention. ', 'requires ', '"', '`', '``` ', 'a. ', '<!-- '])(
    'is searched in linear time, with %j over and over',
    (unit) => {
      const once = (text: string) => {
        const began = process.cpuUsage();
        findAdmission(text);
        const { user, system } = process.cpuUsage(began);
        return (user + system) / 1_000; // What else the machine does takes none of ours.
      };
      const run = (times: number) => Math.min(...[1, 2, 3].map(() => once(unit.repeat(times))));
      expect(run(40_000)).toBeLessThan(40 * Math.max(run(5_000), 5));
    },
  );
});

describe('words of an admission that speak of something else', () => {
  test.each([
    'A refund that requires manual review is queued.',
    'Each order requires manual approval above 10,000.',
    'Orders above the limit go to a queue which needs human eyes.',
  ])('are uncertain in %j (R-VER-2, R-VER-11)', (answer) => {
    const { admission, uncertain } = readAdmissions(answer, DEFAULT_ADMISSIONS);
    expect([admission, uncertain.length > 0]).toEqual([undefined, true]);
  });

  test('are none where the task itself uses them (R-VER-2)', () => {
    const block = '- [ ] 1.1 Queue what requires manual review';
    expect(readAdmissions('The refund requires manual review.', DEFAULT_ADMISSIONS, block)).toEqual({ uncertain: [] });
    expect(readAdmissions('This needs human help.', DEFAULT_ADMISSIONS, block).admission).toBe(
      'This needs human help.',
    );
  });

  test('are found with invisible characters in them (R-VER-2)', () => {
    expect(findAdmission('It requires man\u200bual work.')).toBe('It requires manual work.');
  });
});
