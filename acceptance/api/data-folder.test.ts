import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createForm, png } from '../../tools/samples/images.ts';
import { createToken, send } from '../harness/http.ts';
import { runMooring } from '../harness/mooring.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-folder-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

async function start(): Promise<RunningServer> {
  const server = await startServer({ dataDir });
  onTestFinished(() => server.stop({ keepData: true }).then(() => undefined));
  return server;
}

/** Lists files that other users of the machine could read, relative to the folder. */
const openToOthers = (): string[] =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(path.join(dataDir, name)).mode & 0o077) !== 0,
  );

async function useEverything(server: RunningServer): Promise<void> {
  const { api_token: token } = await createToken(server);
  const app = { display_name: 'Compass', os: 'Android', platform: 'Java' };
  expect((await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app })).status).toBe(201);
  const { type, body } = createForm({ fileName: 'icon.png', type: 'image/png', content: png(16, 16) });
  const upload = { token, raw: body, headers: { 'content-type': type } };
  expect((await send('POST', `${server.httpUrl}/v0.1/apps/ada/compass/avatar`, upload)).status).toBe(200);
  const backup = await runMooring(['backup', path.join(dataDir, 'copy.gz')], { MOORING_DATA_DIR: dataDir });
  expect(backup.code, backup.stderr).toBe(0);
}

test('other users can read nothing of the server in a folder that existed before and that they may enter', async () => {
  chmodSync(dataDir, 0o755);
  const server = await start();
  await useEverything(server);
  expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['mooring.db', 'mooring.db-wal', 'mooring.db-shm']));
  expect(openToOthers()).toEqual([]);
  expect(server.output()).toContain(`Others on this machine can read ${dataDir}.`);
  expect(server.output()).toContain(`chmod go-rwx ${dataDir}`);
});

test('files that an earlier version left readable are protected at the next start', async () => {
  chmodSync(dataDir, 0o755);
  await (await start()).stop({ keepData: true });
  const database = path.join(dataDir, 'mooring.db');
  chmodSync(database, 0o644);
  chmodSync(path.join(dataDir, 'secret.key'), 0o644);
  // Files that an earlier version created beside it are as readable as the database was.
  const earlier = new DatabaseSync(database);
  earlier.exec('PRAGMA journal_mode = WAL; SELECT count(*) FROM users');
  onTestFinished(() => earlier.close());
  expect(openToOthers().sort()).toEqual(['mooring.db', 'mooring.db-shm', 'mooring.db-wal', 'secret.key']);
  const server = await start();
  await useEverything(server);
  expect(openToOthers()).toEqual([]);
});

test('a start that waits for another process says so, and continues when it may', async () => {
  await (await start()).stop({ keepData: true });
  const lock = new DatabaseSync(path.join(dataDir, 'mooring.db-lock'));
  lock.exec('BEGIN EXCLUSIVE');
  let printed = '';
  const starting = startServer({ dataDir, onOutput: (text) => (printed = text) });
  await vi.waitFor(() => expect(printed).toContain('waiting for another process, which is migrating the database'), {
    timeout: 20_000,
  });
  expect(printed).toContain('mooring.db-lock');
  lock.close();
  const server = await starting;
  expect((await send('GET', `${server.httpUrl}/readyz`)).status).toBe(200);
  await server.stop({ keepData: true });
});

test('warns about a second server on the same folder with another public URL', async () => {
  const first = await startServer({ dataDir, env: { MOORING_PUBLIC_URL: 'https://a.example.com' } });
  onTestFinished(() => first.stop({ keepData: true }).then(() => undefined));
  expect(first.output()).not.toContain('with other settings');
  const second = await startServer({ dataDir, env: { MOORING_PUBLIC_URL: 'https://b.example.com' } });
  onTestFinished(() => second.stop({ keepData: true }).then(() => undefined));
  await expect
    .poll(() => second.output())
    .toContain(`uses the data folder ${dataDir} with other settings: MOORING_PUBLIC_URL.`);
});
