/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that a command was given, by their names in the config file. */
export type Flags = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Who asks the application for something, and from where. */
export interface Host {
  /** Absolute path of the folder that is acted in. */
  readonly cwd: string;
  readonly env: Environment;
  /** Called with what a person should know on the way: a sentence or several lines, without a line break at the end. */
  readonly notify: (notice: string) => void;
  /** Settings that win over all others, where a command takes any. */
  readonly flags?: Flags;
  /**
   * Asks a person a question that is answered with yes or no; absent where no person can be asked. Resolves with
   * `interrupted` if the person stopped the command instead.
   */
  readonly confirm?: (question: string) => Promise<'yes' | 'no' | 'interrupted'>;
}
