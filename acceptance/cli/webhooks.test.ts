import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runWarmMooring, startMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let scratch: string;

const surroundings = () => ({ MOORING_CONFIG_DIR: scratch, NODE_EXTRA_CA_CERTS: server.caFile });
const mooring = (...args: string[]) => runWarmMooring(args, surroundings());

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
  ['an app', ['ada/buoy']],
  ['an organization', ['harbour']],
])('deliveries of %s are printed as they are created and change, and the command exits cleanly', async (_, of) => {
  const made = await mooring('webhooks', 'create', ...of, 'https://hooks.invalid/x', '--events', 'newAppReleased');
  expect(made).toMatchObject({ code: 0 });
  const [id = ''] = made.rows[0] ?? [];
  const test = async () =>
    (await mooring('webhooks', 'test', ...of, id, '--event', 'newAppReleased')).rows[0]?.[0] ?? '';
  const first = await test();
  const { printed, end } = startMooring(['webhooks', 'deliveries', ...of, id, '--follow'], surroundings());
  await expect.poll(() => printed.stderr, { timeout: 30_000 }).toContain('Press Ctrl-C to stop');
  expect(printed.stdout).toContain(first);
  const second = await test();
  // The receiver does not exist, so a second line follows once that is known.
  await expect
    .poll(() => printed.stdout.split('\n').filter((line) => line.startsWith(second)).length, { timeout: 30_000 })
    .toBeGreaterThan(1);
  expect(await end()).toBe(0);
});

it('does not follow in another order', async () => {
  const refused = await mooring('webhooks', 'deliveries', 'ada/buoy', 'x', '--follow', '--sort', 'state');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--follow can't be combined with --sort") });
});
