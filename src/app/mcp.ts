import { FOLDER_VARIABLE, TOKEN_VARIABLE } from '../adapters/mcp/channel.ts';
import { type McpSession, serveTools } from '../adapters/mcp/server.ts';

/** Serves the tools of the attempt that the environment names until its agent leaves; resolves with `false` if it names none (R-AGT-9). */
export async function serveAttempt(
  env: Readonly<Record<string, string | undefined>>,
  session: Omit<McpSession, 'folder' | 'token'>,
): Promise<boolean> {
  const folder = env[FOLDER_VARIABLE];
  const token = env[TOKEN_VARIABLE];
  if (folder === undefined || token === undefined) return false;
  await serveTools({ ...session, folder, token });
  return true;
}
