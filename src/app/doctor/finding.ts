/** One thing that `doctor` looked at. What is not `ok` says how to put it right. */
export type Finding =
  | { readonly level: 'ok'; readonly about: string; readonly message: string }
  | { readonly level: 'warn' | 'fail'; readonly about: string; readonly message: string; readonly fix: string };

export function ok(about: string, message: string): Finding {
  return { level: 'ok', about, message };
}

export function warn(about: string, message: string, fix: string): Finding {
  return { level: 'warn', about, message, fix };
}

export function fail(about: string, message: string, fix: string): Finding {
  return { level: 'fail', about, message, fix };
}
