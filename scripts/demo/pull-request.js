/** What the agent, CI and people do in the act of the pull request. */

const VAR = `export function leave(name) {
  var words = 'Goodbye, ' + name + '.';
  return words;
}
`;

const CONST = VAR.replace('var ', 'const ');

const SHORT = `/** What is said to somebody who leaves. */
export function leave(name) {
  return \`Goodbye, \${name}.\`;
}
`;

const done = (sentence) => ({ print: `${sentence}\n\nTASK_COMPLETE\n` });

export const farewellScript = {
  1.1: [[{ write: { 'leave.js': VAR } }, done('leave() says goodbye.')]],
  2.3: [[{ write: { 'leave.js': CONST } }, done('It is const now.')]],
  2.4: [[{ write: { 'leave.js': SHORT } }, done('One template, and a comment.')]],
  'reviewer:2.4': [[{ print: 'The comment is there, and the template too.\n\nREVIEW_PASS\n' }]],
  'reviewer:*': [[{ print: 'It does what the task says.\n\nREVIEW_PASS\n' }]],
};

const LOG = `2026-01-01T10:00:00.0000000Z ##[group]Run node test/style.js
2026-01-01T10:00:00.0100000Z node test/style.js
2026-01-01T10:00:00.0200000Z ##[endgroup]
2026-01-01T10:00:00.3000000Z AssertionError [ERR_ASSERTION]: leave.js: write const or let, not var
2026-01-01T10:00:00.3100000Z ##[error]Process completed with exit code 1.
`;

/** CI is red once, then green; then Ada, who may write to the repository, has a wish. */
export const farewellScenario = {
  people: { ada: { permission: 'write' } },
  pendingLooks: 1,
  checks: { 'CI / style': { state: 'passed' } },
  steps: [
    { afterPush: 1, checks: { 'CI / style': { state: 'failed', log: LOG } } },
    {
      afterPush: 2,
      threads: {
        wish: {
          by: 'ada',
          path: 'leave.js',
          line: 2,
          body: 'Please use a template, and say in a comment what it is for.',
        },
      },
    },
  ],
};
