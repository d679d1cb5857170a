const LINE = /^specloop token: ([0-9a-f-]{36})$/m;

/** The last line of a prompt that is handed over: it binds the answer of whoever got the prompt to the attempt (R-SES-3). */
export function withToken(prompt: string, token: string): string {
  return `${prompt.trimEnd()}\n\nspecloop token: ${token}\n`;
}

/** The token in a text that holds such a line; `undefined` if there is none. */
export function tokenIn(text: string): string | undefined {
  return LINE.exec(text)?.[1];
}
