/** A spec, as the hooks tell of it. Paths are relative to the repository. */
export interface HookSpec {
  readonly name: string;
  readonly stateFile: string;
  readonly planFile: string;
  /** The command lines that go on with it. */
  readonly calls: { readonly next: string; readonly resetState: string };
}
