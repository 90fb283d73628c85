import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { startGitHost } from '../../../test-support/git-host.ts';
import { createToken, send } from '../../harness/http.ts';
import { launcher, runMooring } from '../../harness/mooring.ts';
import { startServer } from '../../harness/server.ts';
import { type Call, clientAt } from './client.ts';
import { readable } from './patterns.ts';

const B = '/v0.1/apps/ada/compass';
const CTRL_C = '\u0003';

export interface Followed {
  /** The last line of the log: the client shows it and runs until Ctrl+C. */
  last: string;
  /** A push has queued the build. */
  isPushed?: boolean;
}

/** A server with an app, a repository over smart HTTP, a runner of the app, and the unmodified client. */
export async function startBuilding(sandbox: 'bubblewrap' | 'host' = 'host') {
  const scratch = mkdtempSync(path.join(tmpdir(), 'mooring-builds-'));
  const host = await startGitHost({ password: 'open sesame' });
  const server = await startServer({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  const token = (await createToken(server)).api_token;
  const env = {
    MOORING_SERVER: server.httpUrl,
    MOORING_TOKEN: token,
    MOORING_CONFIG_DIR: path.join(scratch, 'config'),
    MOORING_RUNNER_DIR: path.join(scratch, 'runner'),
    NODE_EXTRA_CA_CERTS: server.caFile,
  };
  const request = async <T = Record<string, unknown>>(method: string, rest: string, body?: object): Promise<T> => {
    const sent = body ?? (method === 'POST' ? {} : undefined);
    const answer = await send(method, `${server.httpUrl}${B}${rest}`, { token, ...(sent ? { body: sent } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json<T>();
  };
  const mooring = async (...args: string[]): Promise<string> => {
    const printed = await runMooring(args, env);
    expect(printed.code, printed.stderr).toBe(0);
    return printed.stdout.trim();
  };
  const app = { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' };
  await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
  host.push('main', {});
  await request('POST', '/repo_config', { repo_url: host.url, username: 'ada', password: 'open sesame' });
  const code = await mooring('runner', 'code', '--app', 'ada/compass');
  await mooring('runner', 'register', server.httpUrl, '--code', code, '--name', 'box');
  const runner: ChildProcess = spawn(
    process.execPath,
    [launcher, 'runner', 'start', '--sandbox', sandbox, '--reserve-mb', '1'],
    { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const home = mkdtempSync(path.join(scratch, 'home-'));
  const appcenter = clientAt(server, home);
  const run = async (line: string, call: Call = {}): Promise<string> => {
    const { exit, stdout, stderr } = await appcenter(`${line} --disable-telemetry`, call);
    expect(exit, stdout + stderr).toBe(0);
    return readable(stdout + stderr);
  };
  // With only a token, the client would call App Center.
  await run(`login --env local --token ${token}`);
  const ended = (id: number) =>
    vi.waitFor(async () => expect(await request('GET', `/builds/${id}`)).toMatchObject({ status: 'completed' }), {
      timeout: 120_000,
      interval: 200,
    });
  const getLog = async (id: number): Promise<string[]> =>
    (await request<{ value: string[] }>('GET', `/builds/${id}/logs`)).value;
  const show = async (branch: string): Promise<string> =>
    run(`build branches show --app ada/compass --branch ${branch}`);

  /** All commands of the client for a build, including downloads. */
  async function buildByClient(branch: string, { last, isPushed = false }: Followed) {
    const queued = isPushed ? await show(branch) : await run(`build queue --app ada/compass --branch ${branch}`);
    const id = Number(/Build ID: (\d+)/.exec(queued)?.[1]);
    const followed = await run(`build logs --app ada/compass --id ${id} --continue`, { dialog: [[last, CTRL_C]] });
    await ended(id);
    const summary = `Branch: ${branch}\nBuild ID: ${id}\nBuild status: completed\nBuild result: succeeded\n`;
    expect(await show(branch)).toContain(summary);
    expect(await run('build branches list --app ada/compass')).toContain(summary);
    const log = await getLog(id);
    expect(followed.split('\n')).toEqual(expect.arrayContaining(log.map(readable).filter((line) => line !== '')));
    return { id, log };
  }
  const download = async (id: number, type: 'build' | 'bundle' | 'logs' | 'symbols') => {
    const to = path.join(home, `${id}-${type}`);
    await run(`build download --app ada/compass --id ${id} --type ${type} --dest ${to}`);
    const [name = ''] = readdirSync(to);
    return { file: path.join(to, name), content: readFileSync(path.join(to, name)) };
  };

  return {
    ...{ server, host, env, scratch, home, callApi: request, mooring, run, ended, getLog, buildByClient, download },
    async stop() {
      runner.kill('SIGTERM');
      await once(runner, 'exit');
      await server.stop();
      await host.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

export type Building = Awaited<ReturnType<typeof startBuilding>>;
