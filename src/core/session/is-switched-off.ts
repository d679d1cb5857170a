const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m;
const ENABLED = /^enabled:[ \t]+(["']?)(\w+)\1[ \t]*(?:#.*)?\r?$/m;

/** Whether the settings of a plugin switch its hooks off: `enabled: false` at the top level of the front matter (R-SES-5). */
export function isSwitchedOff(settings: string): boolean {
  const start = FRONT_MATTER.exec(settings);
  if (start?.index !== 0) return false;
  return ENABLED.exec(start[1] ?? '')?.[2]?.toLowerCase() === 'false';
}
