/** What the agent of the demo does, task by task and attempt by attempt: it follows a script, so no model is needed. */

const ENGLISH = `const greetings = {
  en: (name) => \`Hello, \${name}!\`,
};

export function greet(name, language) {
  return greetings[language](name);
}
`;

const FRENCH = ENGLISH.replace(
  '};',
  `  fr: (name) => \`Bonjour, \${name} !\`,
};`,
);

const WRONG = FRENCH.replace('Bonjour, ', 'Bonjour ');

const CLI = `import { greet } from './greet.js';

const [name, language] = process.argv.slice(2);
console.log(greet(name, language));
`;

const USAGE = `
## Usage

    node cli.js Ada fr
`;

const ONE_PLACE = FRENCH.replace(
  '  return greetings[language](name);',
  '  return greetings[language](checked(name));',
).concat(`
function checked(name) {
  return name;
}
`);

const REFUSES = ONE_PLACE.replace(
  '  return name;',
  "  if (name === '') throw new Error('The name is missing.');\n  return name;",
);

const FAILED = `Task 1.1: Refuse an empty name FAILED
- Error: there is no single place where a name can be checked
- Attempted fix: checked the name for each language, which missed one
- Status: blocked
`;

/** Says so on a line of its own, which is all that a completion signal is. */
const done = (sentence) => ({ print: `${sentence}\n\nTASK_COMPLETE\n` });

export const greetingScript = {
  1.1: [[{ write: { 'greet.js': ENGLISH } }, done('greet() greets in English.')]],
  1.2: [
    [{ write: { 'greet.js': WRONG } }, done('greet() greets in French too.')],
    [{ write: { 'greet.js': FRENCH } }, done('Now with the comma.')],
  ],
  2.1: [[{ write: { 'cli.js': CLI } }, done('cli.js prints the greeting.')]],
  2.2: [[{ append: { 'README.md': USAGE } }, done('The README says how to use it.')]],
};

export const politenessScript = {
  1.1: [[{ print: FAILED }], [{ write: { 'greet.js': REFUSES } }, done('An empty name is refused.')]],
  '1.1.1': [[{ write: { 'greet.js': ONE_PLACE } }, done('Each name now passes one function.')]],
};
