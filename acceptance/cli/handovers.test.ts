import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ipaOf } from '../../tools/packages.ts';
import { createToken, send } from '../harness/http.ts';
import { launcher, runMooring } from '../harness/mooring.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const B = '/v0.1/apps/ada/tides';
const udid = '00008030-001C2D3E4F5A6B7C';
const secret = 'correct-horse';

/** What an operator would write: it looks at what it was given, waits at the gate if that is shut, and ends as it is told. */
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
const ask = async <T = Record<string, unknown>>(method: string, rest: string, body?: object): Promise<T> => {
  const answer = await send(method, `${server.httpUrl}${B}${rest}`, { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<T>();
};
const ofRelease = '/distribution_stores/Apple/releases/1';
const status = async () =>
  (await ask<{ status: { status: string } }>('GET', `${ofRelease}/realtimestatus`)).status.status;
const seen = (wanted: string) =>
  vi.waitFor(async () => expect(await status()).toBe(wanted), { timeout: 60_000, interval: 200 });
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
/** Publishes while the gate is shut, until the command waits at it. */
async function publishAtGate(): Promise<void> {
  rmSync(at('begun'), { force: true });
  writeFileSync(at('gate'), '');
  await ask('POST', '/releases/1/stores', { id: store });
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
  writeFileSync(at('tides.ipa'), ipaOf());
  writeFileSync(at('signed.ipa'), ipaOf({ udids: [udid] }));
  writeFileSync(at('publish.sh'), script(scratch));
  writeFileSync(at('code'), '0');
  const uploaded = await runMooring(['releases', 'upload', 'ada/tides', at('tides.ipa')], env);
  expect(uploaded.code, uploaded.stderr).toBe(0);
  const made = { type: 'apple', name: 'Apple', track: 'testflight-internal' };
  store = String((await ask('POST', '/distribution_stores', made)).id);
  await send('PUT', `${server.httpUrl}${B}/distribution_stores/Apple/credentials`, {
    token,
    body: { secrets: { private_key: secret } },
  });
  const { code } = await ask<{ code: string }>('POST', '/runners/codes', {});
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

it('a command of a real runner publishes a release, with its log, and its exit code counts', async () => {
  await ask('POST', '/releases/1/stores', { id: store });
  await seen('published');
  const said = await log();
  expect(said).toContain('publish-appstore of ada/tides on testflight-internal by {"private_key":"***"}');
  expect(said).toContain('token: none, folder: none');
  const { fingerprint } = await ask<{ fingerprint: string }>('GET', '/releases/1');
  expect(said).toContain(fingerprint);
  expect(said).not.toContain(secret);
  writeFileSync(at('code'), '3');
  await ask('POST', '/releases/1/stores', { id: store });
  await seen('failed');
  const { message } = await ask<{ message: string }>('GET', `${ofRelease}/publish_error_details`);
  expect(message).toBe('The command for publish-appstore failed with exit code 3; its log says why.');
  writeFileSync(at('code'), '0');
  expect(readdirSync(at('runner/jobs'))).toEqual([]);
});

it('what is taken back is stopped, and a runner that was killed does it again when it is back', async () => {
  await publishAtGate();
  await send('DELETE', `${server.httpUrl}${B}${ofRelease}`, { token });
  // Nothing of it is left: the command was ended with all that it had started.
  await vi.waitFor(() => expect(readdirSync(at('runner/jobs'))).toEqual([]), { timeout: 60_000, interval: 200 });
  await publishAtGate();
  await end(runner, 'SIGKILL');
  expect(await status()).toBe('processing');
  rmSync(at('gate'));
  runner = startRunner();
  await seen('published');
  expect(await log()).toMatch(
    /The runner mac was started anew\. The job goes back to the queue\.[\s\S]*publish-appstore/,
  );
});

it('a release is signed anew for a device that was registered since', async () => {
  const { id } = (await send('GET', `${server.httpUrl}/v0.1/user`, { token })).json<{ id: string }>();
  const device = { udid, model: 'iPhone12,1' };
  await send('POST', `${server.httpUrl}/v0.1/users/${id}/devices/register`, { token, body: device });
  const { email } = (await send('GET', `${server.httpUrl}/v0.1/user`, { token })).json<{ email: string }>();
  await ask('POST', '/releases/1/testers', { email, notify_testers: false });
  const printed = await runMooring(['releases', 'resign', 'ada/tides', '1', '--wait'], env);
  expect([printed.code, printed.stdout], printed.stderr).toEqual([0, expect.stringContaining('completed')]);
  const { download_url } = await ask<{ download_url: string }>('GET', '/releases/1');
  const { pathname } = new URL(download_url);
  const content = Buffer.from(await (await fetch(server.httpUrl + pathname)).arrayBuffer());
  expect(content.equals(readFileSync(at('signed.ipa')))).toBe(true);
});

it('what a runner sends beyond the quota of the owner is refused, and the reason says so', async () => {
  const limit = (body: object) => send('PUT', `${server.httpUrl}/v0.1/admin/quotas/ada`, { token, body });
  expect((await limit({ storage_bytes: 1 })).status).toBe(200);
  const printed = await runMooring(['releases', 'resign', 'ada/tides', '1', '--wait'], env);
  expect([printed.code, `${printed.stdout}${printed.stderr}`]).toEqual([
    1,
    expect.stringMatching(
      /signed\.ipa cannot be kept\. ada uses \d+ of 1 bytes; delete something, or ask whoever runs this server for more\./,
    ),
  ]);
  expect((await limit({})).status).toBe(200);
  const again = await runMooring(['releases', 'resign', 'ada/tides', '1', '--wait'], env);
  expect([again.code, again.stdout], again.stderr).toEqual([0, expect.stringContaining('completed')]);
});
