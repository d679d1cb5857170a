import { settings } from '../../config/setting.ts';
import type { Call, Option, OptionValue } from './command.ts';

/** Each setting that has an option, as that option. */
export const settingOptions: readonly Option[] = settings.flatMap((setting) => {
  const { flag, group, kind, description, fallback } = setting;
  if (flag === undefined) return [];
  const byDefault = fallback === undefined || isEmpty(fallback) ? '' : ` (default: ${fallback})`;
  return {
    flag,
    ...(group === undefined ? {} : { group }),
    ...(kind.placeholder === undefined ? { negatable: true } : { placeholder: kind.placeholder }),
    ...(kind.repeats === undefined ? {} : { repeats: true }),
    summary: `${description}${byDefault}`,
  };
});

/** The settings that a call makes by its options. */
export function flagsOf({ options }: Call): Readonly<Record<string, OptionValue>> {
  const given = settings.flatMap(({ key, flag }) => {
    const value = flag === undefined ? undefined : options.get(flag);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(given);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
