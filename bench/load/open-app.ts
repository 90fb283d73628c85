import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import type { Bench, Contestant } from '../harness.ts';

const launcher = path.join(import.meta.dirname, '../../packages/cli/bin/mooring.mjs');

export type Headers = Record<string, string>;

/** An app, and a caller with access to it. */
export async function openApp({ port }: Contestant, display_name: string) {
  const server = `http://127.0.0.1:${port}`;
  const send = async (method: string, url: string, headers: Headers, body?: object | Buffer) => {
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    const type = isJson ? 'application/json' : 'application/octet-stream';
    const answer = await fetch(`${server}${url}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : new Uint8Array(body as Buffer) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
    return { location: answer.headers.get('location') ?? '', body: text === '' ? undefined : JSON.parse(text) };
  };
  const authorization = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
  const { api_token } = (await send('POST', '/v0.1/api_tokens', { authorization }, {})).body;
  const token = { 'x-api-token': api_token as string };
  const made = (await send('POST', '/v0.1/apps', token, { display_name, os: 'Android', platform: 'Java' })).body;
  const home = `/v0.1/apps/${made.owner.name}/${made.name}`;
  const request = (method: string, rest: string, body?: object) => send(method, `${home}${rest}`, token, body);
  return {
    server,
    home,
    token,
    send,
    callApi: request,
    code: async () => (await request('POST', '/runners/codes', {})).body.code as string,
  };
}

export type OpenApp = Awaited<ReturnType<typeof openApp>>;

/** A real runner on this machine, without a sandbox. */
export async function startRunner(
  bench: Bench,
  app: OpenApp,
  more: Record<string, string> = {},
): Promise<ChildProcess> {
  const env = {
    PATH: process.env.PATH,
    ...more,
    MOORING_RUNNER_DIR: bench.at('runner'),
    MOORING_CONFIG_DIR: bench.at('config'),
  };
  const register = ['runner', 'register', app.server, '--code', await app.code(), '--name', 'box'];
  execFileSync(process.execPath, [launcher, ...register], { env });
  const args = [launcher, 'runner', 'start', '--sandbox', 'host', '--reserve-mb', '1'];
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
