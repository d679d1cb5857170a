import { findProgram } from '../../src/adapters/agent/find-program.ts';

/** The Claude Code to test: the one on the `PATH`. Its licence does not let us install it for you. */
export function claudeProgram(): { readonly path: string } | { readonly obstacle: string } {
  if (process.env.SPECLOOP_TEST_AGENTS !== '1') return { obstacle: 'set SPECLOOP_TEST_AGENTS=1 to run it' };
  const path = findProgram('claude', { path: process.env.PATH ?? '', cwd: process.cwd() });
  return path === undefined ? { obstacle: 'there is no "claude" on the PATH' } : { path };
}

/** What it needs to talk to a model of ours, and to no one else. */
export function claudeVariables(home: string, url: string): Readonly<Record<string, string>> {
  return {
    HOME: home,
    ANTHROPIC_API_KEY: 'sk-ant-fake',
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_AUTOUPDATER: '1',
    // It refuses to let root do everything unless it is told that this is a sandbox.
    ...(process.getuid?.() === 0 && { IS_SANDBOX: '1' }),
  };
}
