import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const isRoot = process.getuid?.() === 0;
const UNPRIVILEGED_UID = 65_534;

/** Polls until the condition holds, or the test times out. */
async function until<T>(poll: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await poll();
    if (found !== undefined) return found;
    await setTimeout(100);
  }
}

interface Listed {
  id: string;
  name: string;
  is_online: boolean;
  labels: string[];
  version?: string;
}

/** Finds the process that works in this folder, and its user. */
const findProgram = (printed: string): { pid: number } | undefined => {
  const found = /"pid":(\d+)[^\n]*the built-in runner started/.exec(printed);
  return found ? { pid: Number(found[1]) } : undefined;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie has ended as well.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('the built-in runner is a child process under its own user, ends with the server in any case, and keeps its identity after a restart', async () => {
  const folders: string[] = [];
  onTestFinished(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const start = async (dataDir?: string): Promise<RunningServer> => {
    const server = await startServer({
      ...(dataDir ? { dataDir } : {}),
      env: dataDir ? builtIn(dataDir) : {},
    });
    onTestFinished(async () => void (await server.stop({ keepData: true })));
    return server;
  };
  const builtIn = (dataDir: string): Record<string, string> => ({
    MOORING_BUILT_IN_RUNNER: isRoot ? 'host' : 'bubblewrap',
    MOORING_BUILT_IN_RUNNER_DIR: `${dataDir}-runner`,
    ...(isRoot ? { MOORING_BUILT_IN_RUNNER_USER: String(UNPRIVILEGED_UID) } : {}),
  });
  const plain = await start();
  const { dataDir } = plain;
  folders.push(dataDir, `${dataDir}-runner`);
  const { api_token: token } = await createToken(plain);
  const listRunners = async (server: RunningServer) =>
    (await send('GET', `${server.httpUrl}/v0.1/admin/runners`, { token })).json<Listed[]>();
  expect(await listRunners(plain)).toEqual([]);
  await plain.stop({ keepData: true });

  const first = await start(dataDir);
  const waits = (server: RunningServer) => until(async () => findProgram(server.output()));
  const online = (server: RunningServer) =>
    until(async () => (await listRunners(server)).find(({ version }) => version !== undefined));
  const runner = await online(first);
  expect(runner).toMatchObject({ name: expect.stringContaining('built-in'), is_online: true });
  expect(runner.labels).toContain(process.platform);
  const { pid } = await waits(first);
  const file = path.join(`${dataDir}-runner`, 'runner.json');
  const { uid, mode } = statSync(file);
  expect((mode & 0o777).toString(8)).toBe('600');
  if (isRoot) {
    expect(uid).toBe(UNPRIVILEGED_UID);
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(
      new RegExp(`^Uid:\\s+${UNPRIVILEGED_UID}\\s+${UNPRIVILEGED_UID}`, 'm'),
    );
  }
  // The runner inherits none of the server's environment except the PATH.
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/MOORING_(ADMIN|DATA|HTTP)/);
  first.process.kill('SIGKILL');
  await until(async () => (isAlive(pid) ? undefined : true));

  const second = await start(dataDir);
  const { pid: next } = await waits(second);
  expect((await online(second)).id).toBe(runner.id);
  // A runner that exits is restarted, unless it was deleted.
  process.kill(next);
  const third = await until(async () =>
    findProgram(second.output().slice(second.output().lastIndexOf('restarting in'))),
  );
  await send('DELETE', `${second.httpUrl}/v0.1/admin/runners/${runner.id}`, { token });
  process.kill(third.pid);
  await until(async () => (second.output().includes('is not restarted') ? true : undefined));
  expect(isAlive(third.pid)).toBe(false);
  expect(await second.stop({ keepData: true })).toBe(0);
});
