import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createIpa } from '../../tools/samples/packages.ts';
import { createToken, send } from '../harness/http.ts';
import { launcher, runMooring } from '../harness/mooring.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const B = '/v0.1/apps/ada/tides';
const udid = '00008030-001C2D3E4F5A6B7C';
const secret = 'correct-horse';

/** A command of an operator: checks its input, waits while a gate is closed, and exits with a chosen code. */
const script = (scratch: string) => `set -eu
echo "$MOORING_HANDOVER of $MOORING_APP on $MOORING_TRACK by $(cat "$MOORING_CREDENTIALS" | tr -d '\\n ')"
echo "token: \${MOORING_TOKEN:-none}, folder: \${MOORING_RUNNER_DIR:-none}"
sha256sum < "$MOORING_PACKAGE"
grep -q '"version"' "$MOORING_FACTS"
: > "${scratch}/begun"
while [ -e "${scratch}/gate" ]; do sleep 0.1; done
exit "$(cat "${scratch}/code")"
`;

let server: RunningServer;
let scratch: string;
let token: string;
let env: Record<string, string>;
let runner: ChildProcess;
let store: string;

const at = (name: string) => path.join(scratch, name);
const request = async <T = Record<string, unknown>>(method: string, rest: string, body?: object): Promise<T> => {
  const answer = await send(method, `${server.httpUrl}${B}${rest}`, { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<T>();
};
const ofRelease = '/distribution_stores/Apple/releases/1';
const status = async () =>
  (await request<{ status: { status: string } }>('GET', `${ofRelease}/realtimestatus`)).status.status;
const seen = (expected: string) =>
  vi.waitFor(async () => expect(await status()).toBe(expected), { timeout: 60_000, interval: 200 });
const log = async () => (await send('GET', `${server.httpUrl}${B}${ofRelease}/publish_logs`, { token })).text;

const startRunner = (): ChildProcess =>
  spawn(process.execPath, [launcher, 'runner', 'start', '--sandbox', 'host', '--reserve-mb', '1'], {
    env: {
      ...env,
      PATH: process.env.PATH,
      MOORING_PUBLISH_APPSTORE_COMMAND: `bash ${at('publish.sh')}`,
      MOORING_RESIGN_APPLE_COMMAND: `cp ${at('signed.ipa')} "$MOORING_OUTPUT/"`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
};
/** Publishes with the gate closed, and waits until the command reaches it. */
async function publishAtGate(): Promise<void> {
  rmSync(at('begun'), { force: true });
  writeFileSync(at('gate'), '');
  await request('POST', '/releases/1/stores', { id: store });
  await vi.waitFor(() => expect(existsSync(at('begun'))).toBe(true), { timeout: 60_000, interval: 100 });
}

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-handovers-'));
  server = await startServer();
  token = (await createToken(server)).api_token;
  env = {
    MOORING_SERVER: server.httpUrl,
    MOORING_TOKEN: token,
    MOORING_CONFIG_DIR: at('config'),
    MOORING_RUNNER_DIR: at('runner'),
  };
  const app = { name: 'tides', display_name: 'Tides', os: 'iOS', platform: 'Custom' };
  await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
  writeFileSync(at('tides.ipa'), createIpa());
  writeFileSync(at('signed.ipa'), createIpa({ udids: [udid] }));
  writeFileSync(at('publish.sh'), script(scratch));
  writeFileSync(at('code'), '0');
  const uploaded = await runMooring(['releases', 'upload', 'ada/tides', at('tides.ipa')], env);
  expect(uploaded.code, uploaded.stderr).toBe(0);
  const made = { type: 'apple', name: 'Apple', track: 'testflight-internal' };
  store = String((await request('POST', '/distribution_stores', made)).id);
  await send('PUT', `${server.httpUrl}${B}/distribution_stores/Apple/credentials`, {
    token,
    body: { secrets: { private_key: secret } },
  });
  const { code } = await request<{ code: string }>('POST', '/runners/codes', {});
  const registered = await runMooring(['runner', 'register', server.httpUrl, '--code', code, '--name', 'mac'], env);
  expect(registered.code, registered.stderr).toBe(0);
  runner = startRunner();
});
afterAll(async () => {
  rmSync(at('gate'), { force: true });
  await end(runner, 'SIGTERM');
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

it('a command of a real runner publishes a release, with its log, and its exit code decides', async () => {
  await request('POST', '/releases/1/stores', { id: store });
  await seen('published');
  const lines = await log();
  expect(lines).toContain('publish-appstore of ada/tides on testflight-internal by {"private_key":"***"}');
  expect(lines).toContain('token: none, folder: none');
  const { fingerprint } = await request<{ fingerprint: string }>('GET', '/releases/1');
  expect(lines).toContain(fingerprint);
  expect(lines).not.toContain(secret);
  writeFileSync(at('code'), '3');
  await request('POST', '/releases/1/stores', { id: store });
  await seen('failed');
  const { message } = await request<{ message: string }>('GET', `${ofRelease}/publish_error_details`);
  expect(message).toBe('The command for publish-appstore failed with exit code 3. See its log for the reason.');
  writeFileSync(at('code'), '0');
  expect(readdirSync(at('runner/jobs'))).toEqual([]);
});

it('a canceled handover is stopped, and a killed runner repeats its job when it is back', async () => {
  await publishAtGate();
  await send('DELETE', `${server.httpUrl}${B}${ofRelease}`, { token });
  // The command has ended with all its child processes.
  await vi.waitFor(() => expect(readdirSync(at('runner/jobs'))).toEqual([]), { timeout: 60_000, interval: 200 });
  await publishAtGate();
  await end(runner, 'SIGKILL');
  expect(await status()).toBe('processing');
  rmSync(at('gate'));
  runner = startRunner();
  await seen('published');
  expect(await log()).toMatch(/The runner mac was restarted\. The job returns to the queue\.[\s\S]*publish-appstore/);
});

it('a release is re-signed for a device that was registered later', async () => {
  const { id } = (await send('GET', `${server.httpUrl}/v0.1/user`, { token })).json<{ id: string }>();
  const device = { udid, model: 'iPhone12,1' };
  await send('POST', `${server.httpUrl}/v0.1/users/${id}/devices/register`, { token, body: device });
  const { email } = (await send('GET', `${server.httpUrl}/v0.1/user`, { token })).json<{ email: string }>();
  await request('POST', '/releases/1/testers', { email, notify_testers: false });
  const printed = await runMooring(['releases', 'resign', 'ada/tides', '1', '--wait'], env);
  expect([printed.code, printed.stdout], printed.stderr).toEqual([0, expect.stringContaining('completed')]);
  const { download_url } = await request<{ download_url: string }>('GET', '/releases/1');
  const { pathname } = new URL(download_url);
  const content = Buffer.from(await (await fetch(server.httpUrl + pathname)).arrayBuffer());
  expect(content.equals(readFileSync(at('signed.ipa')))).toBe(true);
});

it('files of a runner beyond the quota of the owner are rejected, with the reason', async () => {
  const limit = (body: object) => send('PUT', `${server.httpUrl}/v0.1/admin/quotas/ada`, { token, body });
  expect((await limit({ storage_bytes: 1 })).status).toBe(200);
  const printed = await runMooring(['releases', 'resign', 'ada/tides', '1', '--wait'], env);
  expect([printed.code, `${printed.stdout}${printed.stderr}`]).toEqual([
    1,
    expect.stringMatching(
      /Can't store signed\.ipa\. ada uses \d+ of 1 bytes\. Delete files, or ask an administrator to raise the quota\./,
    ),
  ]);
  expect((await limit({})).status).toBe(200);
  const again = await runMooring(['releases', 'resign', 'ada/tides', '1', '--wait'], env);
  expect([again.code, again.stdout], again.stderr).toEqual([0, expect.stringContaining('completed')]);
});
