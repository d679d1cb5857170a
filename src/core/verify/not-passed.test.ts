import { describe, expect, test } from 'vitest';
import { missedVariables, notPassedText, READ_BY_TOOLS, readWithout } from './not-passed.ts';

const withheld = ['JAVA_HOME', 'MY_TOKEN', 'EDITOR', 'GRADLE_OPTS', 'lower'];

describe('what a command that failed may have missed (R-SEC-2)', () => {
  test.each([
    ['sh check.sh', []],
    ['./gradlew test', ['GRADLE_OPTS', 'JAVA_HOME']],
    ['test -n "$EDITOR"', ['EDITOR']],
    ['java -jar a.jar: MY_TOKEN is not set', ['MY_TOKEN', 'GRADLE_OPTS', 'JAVA_HOME']],
    ['EDITOR, lower, MY_TOKENS', []],
    ['echo $\u007Blower}', ['lower']],
    ['make sure that go is there', []],
  ])('of `%s` it is %j', (text, names) => {
    expect(missedVariables({ texts: [text], withheld }, READ_BY_TOOLS)).toEqual(names);
  });

  test.each([
    ['sh check.sh', '', ['GRADLE_OPTS', 'JAVA_HOME']],
    ['./scripts/check', '\n', ['GRADLE_OPTS', 'JAVA_HOME']],
    ['sh check.sh', 'sum is 41', []],
    ['test -f a.txt', '', []],
  ])('of `%s`, which printed %j, it is %j', (command, output, names) => {
    expect(missedVariables({ texts: [command, output], withheld }, READ_BY_TOOLS)).toEqual(names);
  });

  test('is reported with the way to pass it, and bounded', () => {
    expect(notPassedText([])).toBe('');
    expect(notPassedText(['JAVA_HOME'])).toBe('Set here but not passed: JAVA_HOME; see --pass-env.');
    expect(notPassedText(Array.from({ length: 10 }, (_, n) => `A${n}`))).toMatch(/A7 and 2 more;/);
  });
});

test.each([
  ['test -n "$JAVA_HOME"', ['JAVA_HOME']],
  ['echo $\u007BJAVA_HOME:-x} $EDITOR', ['EDITOR', 'JAVA_HOME']],
  ['JAVA_HOME=/x; echo $JAVA_HOME', []],
  ['for EDITOR in a b; do echo $EDITOR; done', []],
  ['read -r EDITOR; echo $EDITOR', []],
  ['echo $JAVA_HOMES', []],
])('before a run, `%s` reads %j without getting it (R-UX-1)', (command, names) => {
  expect(readWithout(command, withheld)).toEqual(names);
});
