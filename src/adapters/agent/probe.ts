import type { AgentAbout, SignedIn } from './agent-kind.ts';
import { compareVersions } from './compare-versions.ts';
import { agentVersion, type VersionQuestion } from './find-program.ts';

/** What an agent's program says about itself. */
export interface ProbedAgent {
  readonly version: string | undefined;
  /** Why there is no version, one sentence. */
  readonly problem?: string;
  readonly signedIn: SignedIn;
  /** Whether this version was tried out; absent if none was, or it is not known. */
  readonly isTested?: boolean;
  /** Whether it knows the option to work unattended; absent if it was not asked. */
  readonly worksUnattended?: boolean;
}

const ANSWER_WALL_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/**
 * Asks an agent's program for its version and its sign-in, contained, for ten seconds each at most. Nothing of that starts
 * any work. One that is older than any that was tried out is asked no more than its version: what it would make of other
 * questions is not known.
 */
export async function probeAgent(program: string, about: AgentAbout, question: VersionQuestion): Promise<ProbedAgent> {
  const { tested } = about;
  const told = await agentVersion(program, question);
  const hasKey = about.keys?.some((key) => (question.env[key] ?? '') !== '') ?? false;
  const signedInByKey = hasKey ? 'yes' : 'unknown';
  if (told.how === 'not-told') return { version: undefined, problem: told.problem, signedIn: signedInByKey };
  const version = /\d+(?:\.\d+)+[-\w.]*/.exec(told.version)?.[0] ?? told.version;
  const isOlder = tested !== undefined && compareVersions(version, tested.from) < 0;
  const isTested = tested && !isOlder && compareVersions(version, tested.to) <= 0;
  const known = { version, ...(isTested !== undefined && { isTested }) };
  if (isOlder) return { ...known, signedIn: signedInByKey };
  const ask = (args: readonly string[]) => answerOf([program, ...args], question);
  const [signIn, help] = await Promise.all([
    about.signIn && ask(about.signIn.args),
    about.unattended && ask(about.unattended.args),
  ]);
  const signedIn = signIn && about.signIn ? about.signIn.read(signIn) : 'unknown';
  return {
    ...known,
    signedIn: hasKey ? 'yes' : signedIn,
    ...(help?.code === 0 && about.unattended && { worksUnattended: help.stdout.includes(about.unattended.option) }),
  };
}

async function answerOf(argv: readonly [string, ...string[]], { processes, env, cwd }: VersionQuestion) {
  const limits = { wallMs: ANSWER_WALL_MS };
  const ended = await processes.run({ argv, cwd, env, limits, tailBytesMax: ANSWER_BYTES_MAX });
  return ended.how === 'exited' ? { code: ended.code, stdout: ended.stdout.text } : undefined;
}
