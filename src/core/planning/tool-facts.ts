import { sharesWords } from './shared-words.ts';

/** Committed paths, and the texts of those that were read. */
interface ReadFiles {
  readonly paths: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

const LOCK_FILES: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'uv.lock': 'uv',
  'poetry.lock': 'poetry',
  'Pipfile.lock': 'pipenv',
  'Cargo.lock': 'cargo',
  'go.sum': 'go',
  'Gemfile.lock': 'bundler',
  'composer.lock': 'composer',
};
const SKILL = /^\.(?:claude|agents)\/skills\/([^/]+)\/SKILL\.md$/;
const SERVES = /^(?:dev|start|serve|preview)(?::|$)/;
const PORT = /(?:--port[ =]|-p |\bport:[ ]*|\bPORT[ ]*=[ ]*|localhost:|127\.0\.0\.1:|^[ \t]*- ["']?)(\d{4,5})\b/gim;
const PORTS_MAX = 5;

/** Files that say which ports a project uses, and the skills that a repository has for agents. */
export function isToolFile(path: string): boolean {
  return (
    SKILL.test(path) || /^(?:docker-)?compose\.ya?ml$|^\.env\.(?:example|sample)$|^vite\.config\.[cm]?[jt]s$/.test(path)
  );
}

/** The package managers by their lock files, in one line. */
export function packageManagers({ paths }: Pick<ReadFiles, 'paths'>): readonly string[] {
  const found = paths.flatMap((path) => {
    const name = LOCK_FILES[path.split('/').at(-1) ?? ''];
    return name === undefined ? [] : [`${name} (${path})`];
  });
  return found.length === 0 ? [] : [`Package managers: ${found.slice(0, PORTS_MAX).join(', ')}`];
}

/** How the project is started for development, and the ports that its files name. */
export function devServers(
  { texts }: Pick<ReadFiles, 'texts'>,
  scriptsOf: (path: string) => Readonly<Record<string, unknown>>,
): readonly string[] {
  const scripts = [...texts.keys()]
    .filter((path) => path.endsWith('package.json'))
    .flatMap((path) =>
      Object.entries(scriptsOf(path)).map(([name, command]) => ({ path, name, command: String(command) })),
    )
    .filter(({ name }) => SERVES.test(name));
  const read = [...texts].filter(([path]) => isToolFile(path) && !SKILL.test(path)).map(([, text]) => text);
  const ports = new Set(
    [...scripts.map(({ command }) => command), ...read].flatMap((text) =>
      [...text.matchAll(PORT)].map(([, port]) => port),
    ),
  );
  return [
    ...scripts.map(({ path, name, command }) => `Dev server: script ${name} of ${path}: ${command}`),
    ...(ports.size === 0 ? [] : [`Ports: ${[...ports].slice(0, PORTS_MAX).join(', ')}`]),
  ];
}

/** The skills of the repository that share words with the goal; the agent decides whether to use one. */
export function relatedSkills({ texts }: Pick<ReadFiles, 'texts'>, goal: string): readonly string[] {
  return [...texts].flatMap(([path, text]) => {
    const name = SKILL.exec(path)?.[1];
    const about = /^description:[ \t]*(\S.*)$/m.exec(text)?.[1] ?? '';
    return name !== undefined && sharesWords(goal, `${name.replaceAll('-', ' ')} ${about}`)
      ? [`Related skill: ${path}${about === '' ? '' : `: ${about}`}`]
      : [];
  });
}
