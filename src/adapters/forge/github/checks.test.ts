import { describe, expect, test } from 'vitest';
import type { CheckRunFacts, StatusFacts } from './answers.ts';
import { checksOf } from './checks.ts';

function run(
  name: string,
  change: Partial<CheckRunFacts> & { workflow?: string; runId?: number; event?: string } = {},
) {
  const { workflow = 'CI', runId = 1, event = 'push', ...facts } = change;
  const checkRun: CheckRunFacts = {
    __typename: 'CheckRun',
    databaseId: 7,
    name,
    status: 'COMPLETED',
    conclusion: 'SUCCESS',
    isRequired: true,
    checkSuite: {
      app: { slug: 'github-actions' },
      workflowRun: { databaseId: runId, event, workflow: { name: workflow } },
    },
    ...facts,
  };
  return checkRun;
}

function status(context: string, state: string): StatusFacts {
  return { __typename: 'StatusContext', context, state, isRequired: false };
}

const names = (...contexts: Parameters<typeof checksOf>[0]) => checksOf(contexts).map(({ name }) => name);

describe('checks of GitHub (R-PR-10)', () => {
  test.each([
    ['SUCCESS', 'passed'],
    ['NEUTRAL', 'passed'],
    ['SKIPPED', 'passed'],
    ['FAILURE', 'failed'],
    ['ACTION_REQUIRED', 'failed'],
    ['CANCELLED', 'cut-off'],
    ['TIMED_OUT', 'cut-off'],
    ['STARTUP_FAILURE', 'cut-off'],
    ['STALE', 'cut-off'],
    ['A_NEW_WORD', 'cut-off'],
  ])('a run that concluded with %s has %s', (conclusion, state) => {
    expect(checksOf([run('build', { conclusion })])).toMatchObject([{ state }]);
  });

  test.each(['QUEUED', 'IN_PROGRESS', 'WAITING', 'PENDING', 'REQUESTED'])('a run that is %s is pending', (state) => {
    expect(checksOf([run('build', { status: state, conclusion: null })])).toMatchObject([{ state: 'pending' }]);
  });

  test.each([
    ['SUCCESS', 'passed'],
    ['FAILURE', 'failed'],
    ['ERROR', 'failed'],
    ['PENDING', 'pending'],
    ['EXPECTED', 'pending'],
  ])('a status of %s has %s', (state, expected) => {
    expect(checksOf([status('deploy', state)])).toEqual([{ name: 'deploy', state: expected, isRequired: false }]);
  });

  test('a job of a workflow can be addressed; a run of another program, or a status, cannot', () => {
    const other = run('scan', { checkSuite: { app: { slug: 'scanner' }, workflowRun: null } });
    expect(checksOf([run('build'), other, status('deploy', 'SUCCESS')]).map(({ job }) => job)).toEqual([
      '7',
      undefined,
      undefined,
    ]);
  });

  test('names are unique: with the workflow, and where needed with the event or a number', () => {
    expect(names(run('build'), run('build', { workflow: 'Nightly' }))).toEqual(['CI / build', 'Nightly / build']);
    expect(names(run('build'), run('build', { event: 'pull_request' }))).toEqual([
      'CI / build (push)',
      'CI / build (pull_request)',
    ]);
    expect(names(run('build'), run('build'))).toEqual(['CI / build (push)', 'CI / build (push) #2']);
    const scan = (slug: string) => run('scan', { checkSuite: { app: { slug }, workflowRun: null } });
    expect(names(scan('one'), scan('two'))).toEqual(['scan (one)', 'scan (two)']);
  });

  test('a later run of the same workflow, for the same event, replaces an earlier one', () => {
    const earlier = run('build', { runId: 10, conclusion: 'CANCELLED' });
    expect(checksOf([run('build', { runId: 11 }), earlier])).toMatchObject([{ name: 'CI / build', state: 'passed' }]);
  });

  test('what is required and has not begun is pending, by the name of a job or of a status (R-PR-2)', () => {
    const required = new Set(['build', 'deploy', 'scan']);
    const checks = checksOf([run('build'), status('deploy', 'SUCCESS')], required);
    expect(checks.map(({ name, state, isRequired }) => [name, state, isRequired])).toEqual([
      ['CI / build', 'passed', true],
      ['deploy', 'passed', false],
      ['scan', 'pending', true],
    ]);
  });

  test('what a check says is one line of bounded length (R-PR-4)', () => {
    const [check] = checksOf([run('build', { title: `a\n\u001b[31m${'b'.repeat(1000)}`, detailsUrl: 'https://x' })]);
    expect(check).toMatchObject({ summary: expect.stringMatching(/^a b{297}…$/), url: 'https://x' });
  });
});
