/** What a command of a simulated plan would exit with in a tree that holds these files. */
export function exitCodeOf(command: string, files: ReadonlyMap<string, string>): number {
  for (const part of command.split(' && ')) {
    const code = partCode(part.trim().split(/\s+/), files);
    if (code !== 0) return code;
  }
  return 0;
}

function partCode([program, ...args]: readonly string[], files: ReadonlyMap<string, string>): number {
  switch (program) {
    case 'true':
      return 0;
    case 'test':
      return args[0] === '!' ? Number(files.has(args[2] ?? '')) : Number(!files.has(args[1] ?? ''));
    case 'grep': {
      const [, word = '', path = ''] = args;
      return files.get(path)?.includes(word) ? 0 : 1;
    }
    default:
      return 127;
  }
}
