import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launcher, runWarmMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let scratch: string;

const mooring = (args: string[], input?: string) =>
  runWarmMooring(args, { MOORING_CONFIG_DIR: scratch, NODE_EXTRA_CA_CERTS: server.caFile }, input);

async function listRows(...args: string[]): Promise<string[][]> {
  const { code, stderr, rows } = await mooring(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return rows;
}

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-analytics-'));
  server = await startServer();
  await mooring(['login', '--server', server.httpsUrl, '--user', 'ada', '--password-stdin'], admin.password);
  await mooring(['apps', 'create', 'Shop', '--name', 'shop', '--os', 'Android', '--platform', 'Java']);
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const device = {
  appVersion: '1.4.0',
  appBuild: '1',
  osName: 'Android',
  osVersion: '14',
  model: 'Pixel',
  locale: 'en_US',
};
const began = Date.now() - 60_000;
const at = (second: number) => new Date(began + second * 1000).toISOString();
const event = (id: number, name: string, plan: string) => ({
  type: 'event',
  timestamp: at(id),
  sid: 's1',
  id: `0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d0${id}`,
  name,
  properties: { plan },
  device,
});

it('shows the usage of an app seconds after its devices sent data', { timeout: 180_000 }, async () => {
  const file = path.join(scratch, 'logs.json');
  const logs = [
    { type: 'startSession', timestamp: at(0), sid: 's1', device },
    event(1, 'check out', 'pro'),
    event(2, 'check out', 'free'),
    event(3, 'check out', 'pro'),
    event(4, 'open', 'pro'),
  ];
  writeFileSync(file, JSON.stringify(logs));
  for (let sent = 0; sent < 2; sent += 1) {
    const [row] = await listRows(
      'ingest',
      'send',
      'ada/shop',
      file,
      '--install',
      '9c7b1f0e-3a53-4d0c-9a61-0b4e9a0f2d01',
    );
    expect(row?.[0]).toBe('5');
  }
  await expect
    .poll(() => listRows('analytics', 'events', 'ada/shop'), { timeout: 60_000 })
    .toEqual([
      ['check out', '3', '0', '1', '3', '3'],
      ['open', '1', '0', '1', '1', '1'],
    ]);
  expect(await listRows('analytics', 'overview', 'ada/shop', '--days', '2')).toEqual([['1', '1', '1', '1', 'PT4S']]);
  expect(await listRows('analytics', 'overview', 'ada/shop', '--versions', '2.0')).toEqual([
    ['0', '0', '0', '0', 'PT0S'],
  ]);
  expect(await listRows('analytics', 'properties', 'ada/shop', 'check out')).toEqual([['plan']]);
  expect(await listRows('analytics', 'properties', 'ada/shop', 'check out', 'plan')).toEqual([
    ['pro', '2', '0'],
    ['free', '1', '0'],
  ]);
  const flow = await listRows('analytics', 'flow', 'ada/shop');
  expect(flow.map(([, type]) => type)).toEqual(
    [...Array(2)].flatMap(() => ['start_session', ...Array(4).fill('event')]),
  );
  const deleted = await mooring(['analytics', 'delete-event', 'ada/shop', 'check out']);
  expect([deleted.code, deleted.stderr]).toEqual([0, 'Deleted the data of event check out.\n']);
  expect((await listRows('analytics', 'events', 'ada/shop')).map(([name]) => name)).toEqual(['open']);
  expect(await mooring(['analytics', 'events', 'ada/shop', '--days', 'many'])).toMatchObject({ code: 2 });
});

it('prints each log once as it arrives, and exits cleanly', async () => {
  await mooring(['apps', 'create', 'Buoy', '--name', 'buoy', '--os', 'Android', '--platform', 'Java']);
  const file = path.join(scratch, 'followed.json');
  const sendEvent = async (id: number, name: string) => {
    writeFileSync(file, JSON.stringify([event(id, name, 'pro')]));
    await listRows('ingest', 'send', 'ada/buoy', file);
  };
  await sendEvent(1, 'before');
  const child = spawn(process.execPath, [launcher, 'analytics', 'flow', 'ada/buoy', '--follow'], {
    env: { PATH: process.env.PATH, MOORING_CONFIG_DIR: scratch, NODE_EXTRA_CA_CERTS: server.caFile },
  });
  const ended = once(child, 'close');
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    printed.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    printed.stderr += chunk;
  });
  await expect.poll(() => printed.stderr, { timeout: 30_000 }).toContain('Press Ctrl-C to stop');
  await sendEvent(2, 'now');
  await expect.poll(() => printed.stdout, { timeout: 30_000 }).toContain('now');
  child.kill('SIGINT');
  await ended;
  expect(child.exitCode).toBe(0);
  const names = printed.stdout.trimEnd().split('\n');
  expect(names.map((line) => line.split('\t')[2])).toEqual(['before', 'now']);
});
