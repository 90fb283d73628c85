import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runWarmMooring, startMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let scratch: string;

const surroundings = () => ({ MOORING_CONFIG_DIR: scratch, NODE_EXTRA_CA_CERTS: server.caFile });
const mooring = (...words: string[]) => runWarmMooring(words, surroundings());

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-webhooks-'));
  server = await startServer();
  const login = ['login', '--server', server.httpsUrl, '--user', 'ada', '--password-stdin'];
  await runWarmMooring(login, surroundings(), admin.password);
  await mooring('apps', 'create', 'Buoy', '--name', 'buoy', '--os', 'Android', '--platform', 'Java');
  await mooring('orgs', 'create', 'Harbour', '--name', 'harbour');
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

it.each([
  ['an app', ['--app', 'ada/buoy']],
  ['an organization', ['--org', 'harbour']],
])('deliveries of %s are printed as they are made and change, and the command ends cleanly', async (_, of) => {
  const made = await mooring('webhooks', 'create', 'https://hooks.invalid/x', ...of, '--events', 'newAppReleased');
  expect(made).toMatchObject({ code: 0 });
  const [id = ''] = made.rows[0] ?? [];
  const test = async () =>
    (await mooring('webhooks', 'test', id, ...of, '--event', 'newAppReleased')).rows[0]?.[0] ?? '';
  const first = await test();
  const { printed, end } = startMooring(['webhooks', 'deliveries', id, ...of, '--follow'], surroundings());
  await expect.poll(() => printed.stderr, { timeout: 30_000 }).toContain('Ctrl-C ends it');
  expect(printed.stdout).toContain(first);
  const second = await test();
  // Nobody is there: it is told again once that is known.
  await expect
    .poll(() => printed.stdout.split('\n').filter((line) => line.startsWith(second)).length, { timeout: 30_000 })
    .toBeGreaterThan(1);
  expect(await end()).toBe(0);
});

it('does not follow in another order', async () => {
  const refused = await mooring('webhooks', 'deliveries', 'x', '--app', 'ada/buoy', '--follow', '--sort', 'state');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('leave --sort away') });
});
