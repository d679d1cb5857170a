import { unreachable } from '../core/unreachable.ts';

/** Who set a value; the later in this list wins. */
export type SettingOrigin =
  | { readonly from: 'default' }
  /** The settings of the older plugin in the repository. */
  | { readonly from: 'plugin'; readonly file: string; readonly place: string }
  /** The person's own file, or the one of the repository; `place` is line and column. */
  | { readonly from: 'user' | 'project'; readonly file: string; readonly place: string }
  | { readonly from: 'environment'; readonly variable: string }
  | { readonly from: 'flag'; readonly flag: string };

/** Whether a value was given for this command alone, by an option or a variable, and not in a file. */
export function isOfCommand(origin: SettingOrigin | undefined): boolean {
  return origin?.from === 'flag' || origin?.from === 'environment';
}

/** The origin in words that lead there: `specloop.config.yaml:3:1`, `SPECLOOP_JOBS`, `--jobs`. */
export function originText(origin: SettingOrigin): string {
  switch (origin.from) {
    case 'default':
      return 'default';
    case 'plugin':
    case 'user':
    case 'project':
      return `${origin.file}:${origin.place}`;
    case 'environment':
      return origin.variable;
    case 'flag':
      return origin.flag;
    default:
      return unreachable(origin);
  }
}
