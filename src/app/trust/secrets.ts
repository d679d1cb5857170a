import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL/i;

/**
 * The values of an environment that are secrets by the names of their variables, for `redactor` (R-SEC-2). One of several
 * lines, such as a private key, counts by the line as well; the path of a file with a secret is none.
 */
export function secretsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && !isPath(value) ? [value, ...value.split('\n')] : [],
  );
  return [...new Set(values.map((value) => value.trim()))];
}

function isPath(value: string): boolean {
  return isAbsolute(value) && existsSync(value);
}
