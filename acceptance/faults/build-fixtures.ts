import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGitHost } from '../../test-support/git-host.ts';
import { createToken, send } from '../harness/http.ts';
import { launcher, runMooring } from '../harness/mooring.ts';
import { admin, startServer } from '../harness/server.ts';
import type { Installation } from './installation.ts';

const ENDS_WITHIN = 240_000;

/** Checks that bubblewrap is installed and may create a sandbox. */
export const canContain = (): boolean =>
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

export async function until<T>(what: string, poll: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + ENDS_WITHIN; Date.now() < end; await sleep(50)) {
    const found = await poll().catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error(`Timed out after ${ENDS_WITHIN / 1000} s waiting for ${what}.`);
}

/** The connection between the runner and the server, which can be cut. */
export async function startWire(target: () => number) {
  const open = new Set<Socket>();
  let isCut = false;
  const wire = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const other = connect(target(), '127.0.0.1');
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(one);
          // Delivers received data first. Cutting the wire destroys both sides.
          two.destroySoon();
        });
      one.pipe(two);
    }
  }).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  return {
    url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    async cut(ms: number) {
      isCut = true;
      for (const socket of open) socket.destroy();
      await sleep(ms);
      isCut = false;
    },
    close() {
      for (const socket of open) socket.destroy();
      wire.close();
    },
  };
}

/** Processes whose command line starts with this text. */
export function listProcesses(commandLine: string): number[] {
  try {
    return execFileSync('pgrep', ['-f', '--', `^${commandLine}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The final state of a build. */
export interface Built {
  status: string;
  result: string;
  failure?: string;
}

export interface RunnerSettings {
  sandbox: 'bubblewrap' | 'host';
  /** Additional options of `runner start`. */
  options?: readonly string[];
  /** Additional settings of the server. */
  env?: Record<string, string>;
}

/** Starts a server with an app and its repository, and a runner of that app whose connection can be cut. */
export async function startBuildFixtures(
  settings: Installation['settings'],
  { sandbox, options: usual = [], env: more = {} }: RunnerSettings,
) {
  const host = await startGitHost();
  const start = () =>
    startServer({
      ...settings,
      env: { ...settings.env, MOORING_OUTBOUND_ALLOW: '127.0.0.0/8', MOORING_RATE_LIMIT: '0', ...more },
    });
  const first = await start();
  const folder = mkdtempSync(path.join(settings.dataDir, 'runner-'));
  const app = path.basename(folder);
  const env = {
    MOORING_CONFIG_DIR: path.join(settings.dataDir, 'config'),
    MOORING_RUNNER_DIR: folder,
    MOORING_SERVER: first.httpUrl,
  };
  const startRunner = (options: readonly string[]): ChildProcess =>
    spawn(process.execPath, [launcher, 'runner', 'start', '--sandbox', sandbox, '--reserve-mb', '1', ...options], {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    });
  const token = (await createToken(first)).api_token;
  const callApi = async <T = Record<string, unknown>>(method: string, rest: string, body?: object): Promise<T> => {
    const address = `${fixtures.server.httpUrl}/v0.1/apps/${admin.name}/${app}${rest}`;
    const answer = await send(method, address, { token, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, `${method} ${rest}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? ({} as T) : answer.json<T>();
  };
  const wire = await startWire(() => Number(new URL(fixtures.server.httpUrl).port));
  const fixtures = {
    ...{ host, folder, wire, callApi },
    server: first,
    runner: undefined as unknown as ChildProcess,
    async startServer() {
      fixtures.server = await start();
    },
    startRunner(options = usual) {
      fixtures.runner = startRunner(options);
    },
    getLog: async (id: number): Promise<string[]> =>
      (await callApi<{ value: string[] }>('GET', `/builds/${id}/logs`)).value,
    waitForEnd: (id: number): Promise<Built> =>
      until(`build ${id} to finish`, async () => {
        const found = await callApi<Built>('GET', `/builds/${id}`);
        return found.status === 'completed' ? found : undefined;
      }),
    async stop() {
      fixtures.runner?.kill('SIGTERM');
      wire.close();
      await fixtures.server.stop({ keepData: true });
      await host.stop();
    },
  };
  try {
    const body = { name: app, display_name: 'Tide', os: 'Android', platform: 'Java' };
    await send('POST', `${first.httpUrl}/v0.1/apps`, { token, body });
    await callApi('POST', '/repo_config', { repo_url: host.url });
    const { code } = await callApi<{ code: string }>('POST', '/runners/codes', {});
    const registered = await runMooring(['runner', 'register', wire.url, '--code', code, '--name', 'box'], env);
    assert.equal(registered.code, 0, registered.stderr);
    fixtures.startRunner();
    return fixtures;
  } catch (error) {
    await fixtures.stop();
    throw error;
  }
}

export type BuildFixtures = Awaited<ReturnType<typeof startBuildFixtures>>;

/** Starts the fixtures for `use`, and stops them even if it fails. */
export async function withRunner<T>(
  settings: Installation['settings'],
  runner: RunnerSettings,
  use: (fixtures: BuildFixtures) => Promise<T>,
): Promise<T> {
  const fixtures = await startBuildFixtures(settings, runner);
  try {
    return await use(fixtures);
  } finally {
    await fixtures.stop();
  }
}
