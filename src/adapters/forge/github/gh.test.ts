import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Ended, Launch, Processes } from '../../../ports/process.ts';
import { ghApi } from './gh.ts';

const top = mkdtempSync(join(tmpdir(), 'specloop-gh-'));
const bin = join(top, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'gh'), '');
chmodSync(join(bin, 'gh'), 0o755);
afterAll(() => rmSync(top, { recursive: true }));

type Outcome = {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly code?: number;
  readonly isCut?: boolean;
  readonly end?: Pick<Ended, 'how'> & object;
};

/** A `gh` that ends like this; `launches` are those it was asked for. */
function gh({ stdout = '', stderr = '', code = 0, isCut = false, end }: Outcome, env: Record<string, string> = {}) {
  const launches: Launch[] = [];
  const printed = (text: string) => ({ text, truncated: isCut, bytes: text.length });
  const rest = { stdout: printed(stdout), stderr: printed(stderr), durationMs: 1, leftovers: 0 };
  const run = async (launch: Launch): Promise<Ended> => {
    launches.push(launch);
    return { how: 'exited', code, ...end, ...rest } as Ended;
  };
  const processes = { run } as unknown as Processes;
  return { launches, gh: ghApi({ processes, env: { PATH: bin, ...env }, cwd: top, host: 'git.corp' }) };
}

const http = (status: string, headers: Record<string, string>, body: string) =>
  `HTTP/2.0 ${status}\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
const troubleOf = (outcome: Outcome) =>
  gh(outcome)
    .gh.rest({ path: 'x' }, z.object({}))
    .catch((fault: unknown) => fault);
const errorsOf = (body: unknown, headers = {}) =>
  gh({ stdout: http('200 OK', headers, JSON.stringify(body)), code: 1 })
    .gh.graphQl('query Q { a }', {}, z.unknown())
    .catch((fault: unknown) => fault);

describe('gh api (R-PR-7)', () => {
  test('it gets method, path and host as arguments, the body on stdin, and no shell', async () => {
    const { gh: api, launches } = gh(
      { stdout: http('201 Created', {}, '{"number":1}') },
      { GH_TOKEN: 't', GH_DEBUG: '1' },
    );
    const body = { title: '$(touch x) "é"' };
    const answer = await api.rest({ method: 'POST', path: 'repos/a/b/pulls', body }, z.object({ number: z.number() }));
    expect(answer).toEqual({ number: 1 });
    const argv = ['api', '--include', '--hostname', 'git.corp', '--method', 'POST', 'repos/a/b/pulls', '--input', '-'];
    expect(launches).toMatchObject([{ argv: [join(bin, 'gh'), ...argv], stdin: JSON.stringify(body), cwd: top }]);
    expect(launches[0]?.env).toMatchObject({ GH_TOKEN: 't', GH_PROMPT_DISABLED: '1' });
    expect(launches[0]?.env).not.toHaveProperty('GH_DEBUG');
  });

  test.each(['\n', '\r\n'])('status and headers are read, with a status line that ends with %j', async (lineEnd) => {
    const stdout = `HTTP/1.1 200 OK${lineEnd}Content-Type: text/plain\r\nDate: x\r\n\r\none\r\n\r\ntwo`;
    expect(await gh({ stdout }).gh.text('x', { bytesMax: 100 })).toBe('one\r\n\r\ntwo');
  });

  test('of a long text the end is taken; an answer that has to be whole is not taken without its beginning', async () => {
    expect(await gh({ stdout: 'the end', isCut: true }).gh.text('x', { bytesMax: 7 })).toBe('the end');
    expect(await troubleOf({ stdout: '"a":1}', isCut: true })).toMatchObject({ trouble: 'not-understood' });
    expect(await troubleOf({ stdout: 'of HTML', isCut: true, code: 1 })).toMatchObject({ name: 'ForgeFault' });
  });

  test('a gh that is not on the PATH is missing, and so is one that an agent could have put into the working tree', async () => {
    const work = join(top, 'work');
    mkdirSync(join(work, '.git'), { recursive: true });
    writeFileSync(join(work, 'gh'), '');
    chmodSync(join(work, 'gh'), 0o755);
    const processes = { run: async () => Promise.reject(new Error('It was started.')) } as unknown as Processes;
    for (const path of ['', work]) {
      const api = ghApi({ processes, env: { PATH: path }, cwd: work, host: 'git.corp' });
      const message = expect.stringContaining('gh auth login');
      await expect(api.rest({ path: 'x' }, z.unknown())).rejects.toMatchObject({ trouble: 'missing', message });
    }
  });

  test.each<[string, Outcome, string]>([
    ['exit code 4', { code: 4, stderr: 'To get started with GitHub CLI, please run:  gh auth login' }, 'signed-out'],
    ['no network', { code: 1, stderr: 'Get "https://api.github.com/x": dial tcp: no such host' }, 'unavailable'],
    ['no connection', { code: 1, stderr: 'error connecting to api.github.com\ncheck your internet' }, 'unavailable'],
    ['a limit of time', { end: { how: 'killed' } }, 'unavailable'],
    ['an unknown flag', { code: 1, stderr: 'unknown flag: --include' }, 'not-understood'],
    ['401', { code: 1, stdout: http('401 Unauthorized', {}, '{"message":"Bad credentials"}') }, 'signed-out'],
    ['403', { code: 1, stdout: http('403 Forbidden', {}, '{"message":"Resource not accessible"}') }, 'denied'],
    ['404', { code: 1, stdout: http('404 Not Found', {}, '{"message":"Not Found"}') }, 'gone'],
    ['410', { code: 1, stdout: http('410 Gone', {}, '') }, 'gone'],
    ['422', { code: 1, stdout: http('422 Unprocessable Entity', {}, '{"errors":[{"code":"invalid"}]}') }, 'refused'],
    ['502', { code: 1, stdout: http('502 Bad Gateway', {}, '<html>') }, 'unavailable'],
    ['a redirect', { code: 1, stdout: http('307 Temporary Redirect', {}, '') }, 'not-understood'],
    ['a page that is no JSON', { stdout: http('200 OK', {}, '<html>') }, 'not-understood'],
  ])('%s is told apart', async (_name, outcome, trouble) => {
    const wanted = { path: 'x' };
    const fault = await gh(outcome)
      .gh.rest(wanted, z.object({}))
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'ForgeFault', trouble, message: expect.stringMatching(/\.$/) });
  });

  test("a limit of requests tells when it ends, by GitHub's own clock", async () => {
    const used = { 'X-Ratelimit-Remaining': '0', 'X-Ratelimit-Reset': '1790000000' };
    const primary = http('403 Forbidden', used, '{"message":"API rate limit exceeded"}');
    const retryAt = new Date(1_790_000_000_000).toISOString();
    expect(await troubleOf({ code: 1, stdout: primary })).toMatchObject({ trouble: 'limited', retryAt });
    const date = 'Sun, 29 Nov 2026 08:00:00 GMT';
    const secondary = (headers: Record<string, string>, status = '403 Forbidden') =>
      http(status, { Date: date, ...headers }, '{"message":"You have exceeded a secondary rate limit."}');
    expect(await troubleOf({ code: 1, stdout: secondary({ 'Retry-After': '30' }) })).toMatchObject({
      trouble: 'limited',
      retryAt: '2026-11-29T08:00:30.000Z',
    });
    expect(await troubleOf({ code: 1, stdout: secondary({}, '429 Too Many Requests') })).toMatchObject({
      trouble: 'limited',
      retryAt: '2026-11-29T08:01:00.000Z',
    });
  });

  test.each([
    [{ type: 'NOT_FOUND', message: 'Could not resolve' }, 'gone'],
    [{ type: 'FORBIDDEN', message: 'Resource not accessible by personal access token' }, 'denied'],
    [{ type: 'INSUFFICIENT_SCOPES', message: 'Your token has not been granted' }, 'denied'],
    [{ type: 'UNPROCESSABLE', message: 'Thread is locked' }, 'refused'],
    [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }, 'limited'],
    [{ message: 'You have exceeded a secondary rate limit.' }, 'limited'],
    [{ message: 'Something went wrong while executing your query.' }, 'unavailable'],
    [{ message: "Field 'x' doesn't exist on type 'Y'" }, 'not-understood'],
  ])('an error of GraphQL, %j, is told apart, also where a part of the answer is there', async (error, trouble) => {
    expect(await errorsOf({ data: { a: null }, errors: [error] })).toMatchObject({ name: 'ForgeFault', trouble });
  });

  test('what GitHub says is shown without what acts on a terminal', async () => {
    const stdout = http('422 X', {}, JSON.stringify({ message: `a\u001b[31m\nb${'c'.repeat(1000)}` }));
    const { message } = (await troubleOf({ code: 1, stdout })) as Error;
    expect(message).toMatch(/^git\.corp refused it: a bc+… \(HTTP 422\)\.$/);
  });
});
