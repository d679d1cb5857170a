/** What a command of a simulated plan would exit with in a tree that holds these files. */
export function exitCodeOf(command: string, files: ReadonlyMap<string, string>): number {
  for (const part of command.split(' && ')) {
    const code = partCode(part.trim().split(/\s+/), files);
    if (code !== 0) return code;
  }
  return 0;
}

/** Lines that a merge leaves in conflict. */
const MARKER = /^(?:<{7}|>{7})/m;

function partCode([program, ...args]: readonly string[], files: ReadonlyMap<string, string>): number {
  switch (program) {
    case 'true':
    // All that the lifecycle asks it for holds by then.
    case 'gh':
      return 0;
    case '!':
      return partCode(args, files) === 0 ? 1 : 0;
    case 'git': {
      const named = args.includes('--') ? args.slice(args.indexOf('--') + 1) : [...files.keys()];
      return named.some((path) => MARKER.test(files.get(path) ?? '')) ? 0 : 1;
    }
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
