/** Whether one of these options is among the arguments, as `--option`, `--option value` or `--option=value`. */
export function hasOption(args: readonly string[], options: readonly string[]): boolean {
  return args.some((arg) => options.some((option) => arg === option || arg.startsWith(`${option}=`)));
}
