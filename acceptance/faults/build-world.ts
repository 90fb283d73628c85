import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGitHost } from '../../tools/git-host.ts';
import { createToken, send } from '../harness/http.ts';
import { launcher, runMooring } from '../harness/mooring.ts';
import { admin, startServer } from '../harness/server.ts';
import type { Installation } from './installation.ts';

const ENDS_WITHIN = 240_000;

/** Whether bubblewrap is there, and may do something. */
export const canContain = (): boolean =>
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + ENDS_WITHIN; Date.now() < end; await sleep(50)) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not happen within ${ENDS_WITHIN / 1000} s.`);
}

/** Between the runner and the server; it can be cut. */
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
          // What was said before is heard; whoever cuts the wire destroys both.
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

/** Processes whose command line begins so. */
export function processesOf(words: string): number[] {
  try {
    return execFileSync('pgrep', ['-f', '--', `^${words}`], { encoding: 'utf8' })
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

/** How a build has ended. */
export interface Built {
  status: string;
  result: string;
  failure?: string;
}

export interface RunnerSettings {
  sandbox: 'bubblewrap' | 'host';
  /** More options of `runner start`. */
  options?: readonly string[];
  /** More settings of the server. */
  env?: Record<string, string>;
}

/** A server with an app and its repository, and a runner of that app behind a wire. */
export async function startBuildWorld(
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
  const ask = async <T = Record<string, unknown>>(method: string, rest: string, body?: object): Promise<T> => {
    const address = `${world.server.httpUrl}/v0.1/apps/${admin.name}/${app}${rest}`;
    const answer = await send(method, address, { token, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, `${method} ${rest}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? ({} as T) : answer.json<T>();
  };
  const wire = await startWire(() => Number(new URL(world.server.httpUrl).port));
  const world = {
    ...{ host, folder, wire, ask },
    server: first,
    runner: undefined as unknown as ChildProcess,
    async startServer() {
      world.server = await start();
    },
    startRunner(options = usual) {
      world.runner = startRunner(options);
    },
    logOf: async (id: number): Promise<string[]> => (await ask<{ value: string[] }>('GET', `/builds/${id}/logs`)).value,
    endOf: (id: number): Promise<Built> =>
      until(`The end of build ${id}`, async () => {
        const found = await ask<Built>('GET', `/builds/${id}`);
        return found.status === 'completed' ? found : undefined;
      }),
    async stop() {
      world.runner?.kill('SIGTERM');
      wire.close();
      await world.server.stop({ keepData: true });
      await host.stop();
    },
  };
  try {
    const body = { name: app, display_name: 'Tide', os: 'Android', platform: 'Java' };
    await send('POST', `${first.httpUrl}/v0.1/apps`, { token, body });
    await ask('POST', '/repo_config', { repo_url: host.url });
    const { code } = await ask<{ code: string }>('POST', '/runners/codes', {});
    const registered = await runMooring(['runner', 'register', wire.url, '--code', code, '--name', 'box'], env);
    assert.equal(registered.code, 0, registered.stderr);
    world.startRunner();
    return world;
  } catch (error) {
    await world.stop();
    throw error;
  }
}

export type BuildWorld = Awaited<ReturnType<typeof startBuildWorld>>;

/** One for `use`, gone afterwards however it ends. */
export async function withRunner<T>(
  settings: Installation['settings'],
  runner: RunnerSettings,
  use: (world: BuildWorld) => Promise<T>,
): Promise<T> {
  const world = await startBuildWorld(settings, runner);
  try {
    return await use(world);
  } finally {
    await world.stop();
  }
}
