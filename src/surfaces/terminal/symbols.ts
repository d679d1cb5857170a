/** The signs of the screen. All of them take one cell. */
export interface Symbols {
  readonly spinner: readonly string[];
  readonly done: string;
  readonly rejected: string;
  readonly arrow: string;
  readonly dot: string;
  readonly ellipsis: string;
}

export const unicodeSymbols: Symbols = {
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  done: '✔',
  rejected: '✖',
  arrow: '▸',
  dot: '·',
  ellipsis: '…',
};

/** For terminals whose locale is not UTF-8. */
export const asciiSymbols: Symbols = {
  spinner: ['|', '/', '-', '\\'],
  done: '+',
  rejected: 'x',
  arrow: '>',
  dot: '-',
  ellipsis: '~',
};
