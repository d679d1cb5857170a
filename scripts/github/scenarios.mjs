const ADA = { ada: { permission: 'write' } };
const GREEN = { 'CI / build': { state: 'passed' }, 'CI / test': { state: 'passed' } };
const RED = {
  'CI / build': { state: 'passed' },
  'CI / test': {
    state: 'failed',
    title: '1 test failed',
    log: '2026-01-01T00:00:00.0000000Z not ok 1 - greets\n2026-01-01T00:00:01.0000000Z ##[error]Process completed with exit code 1.\n2026-01-01T00:00:02.0000000Z Cleaning up orphan processes\n',
  },
};
const QUESTION = { by: 'ada', path: 'src/a.ts', line: 3, body: 'Please handle an empty name.' };

/** What CI and people do, by name: data that a test or a demonstration plays. */
export const scenarios = {
  'green at once': { checks: GREEN },

  'red then green': { pendingLooks: 1, checks: GREEN, steps: [{ afterPush: 1, checks: RED }] },

  'cancelled, then green': {
    checks: GREEN,
    steps: [{ afterPush: 1, checks: { ...GREEN, 'CI / test': { state: 'cut-off', rerun: 'passed' } } }],
  },

  'never starts': { checks: { 'CI / build': { state: 'queued' }, 'ci/deploy': { state: 'queued' } } },

  'one never appears': { required: ['build', 'deploy'], checks: GREEN },

  'no checks': {},

  'a thread and a review': {
    people: ADA,
    checks: GREEN,
    steps: [
      {
        afterPush: 1,
        threads: { empty: QUESTION },
        reviews: [{ by: 'ada', opinion: 'asks-for-changes', body: 'One thing to change.' }],
      },
      { afterPush: 2, reviews: [{ by: 'ada', opinion: 'approves' }] },
    ],
  },

  'many comments': {
    people: ADA,
    checks: GREEN,
    steps: [
      {
        afterPush: 1,
        threads: { long: QUESTION },
        replies: Array.from({ length: 119 }, (_, index) => ({
          thread: 'long',
          by: 'ada',
          body: `Remark ${index + 2}.`,
        })),
        comments: Array.from({ length: 120 }, (_, index) => ({ by: 'ada', body: `Comment ${index + 1}.` })),
      },
    ],
  },

  'a thread resolved meanwhile': {
    people: ADA,
    checks: GREEN,
    steps: [
      { afterPush: 1, threads: { empty: QUESTION } },
      { afterPush: 1, afterLooks: 2, resolved: ['empty'] },
    ],
  },

  'a thread edited meanwhile': {
    people: ADA,
    checks: GREEN,
    steps: [
      { afterPush: 1, threads: { empty: QUESTION } },
      { afterPush: 1, afterLooks: 2, edits: [{ thread: 'empty', body: 'Please handle a missing name.' }] },
    ],
  },

  'primary rate limit': {
    checks: GREEN,
    steps: [{ afterPush: 1, afterLooks: 1, failures: [{ limit: 'primary', seconds: 2 }] }],
  },

  'secondary rate limit': {
    checks: GREEN,
    steps: [{ afterPush: 1, afterLooks: 1, failures: [{ limit: 'secondary', seconds: 2 }] }],
  },

  'bad gateways': {
    checks: GREEN,
    steps: [{ afterPush: 1, afterLooks: 1, failures: [{ status: 502, times: 3 }] }],
  },

  'without rights': { checks: GREEN, steps: [{ afterPush: 0, permission: 'read' }] },

  'signed out': { steps: [{ afterPush: 0, isSignedOut: true }] },

  'merged by a person': { checks: GREEN, steps: [{ afterPush: 1, afterLooks: 1, isMerged: true }] },

  'closed by a person': { checks: GREEN, steps: [{ afterPush: 1, afterLooks: 1, change: { state: 'CLOSED' } }] },

  'pushed to by a person': {
    checks: GREEN,
    steps: [
      { afterPush: 1, afterLooks: 1, push: { files: { 'from-ada.txt': 'Hello.\n' }, message: 'Add a greeting' } },
    ],
  },

  'a conflict with the base': {
    checks: GREEN,
    steps: [
      { afterPush: 1, push: { branch: 'main', files: { 'a.txt': 'Of main.\n' }, message: 'Write a.txt in main' } },
    ],
  },
};
