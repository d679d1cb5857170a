/** What has to be done before the calls, where there is no repository. */
export const NO_REPOSITORY =
  'There is no git repository here, and specloop works only in one: ask the user to create it first, with "git init".';

/** A spec, as the hooks tell of it. Paths are relative to the repository. */
export interface HookSpec {
  readonly name: string;
  /** It is in a git repository: without one, specloop does no task. */
  readonly hasRepository: boolean;
  readonly stateFile: string;
  readonly planFile: string;
  /** The command lines that go on with it. */
  readonly calls: { readonly next: string; readonly resetState: string };
}
