import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createZip } from '../../../tools/samples/zips.ts';
import { basic, createToken, send } from '../../harness/http.ts';
import { admin, type RunningServer, startServer } from '../../harness/server.ts';
import { createDevice, type RemotePackage, type Sdk } from './device.ts';

const require = createRequire(import.meta.url);
const home = '/v0.1/apps/ada/Compass/deployments';
/** Stays the same, so that a diff is worthwhile. */
const image = Buffer.from(Array.from({ length: 50_000 }, (_, n) => Math.imul(n ^ (n >>> 3), 2_654_435_761) >>> 24));

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  // Devices get URLs that are reachable from this machine.
  token = (await createToken(server, {}, basic(admin.name, admin.password))).api_token;
  const app = { display_name: 'Compass', name: 'Compass', os: 'Android', platform: 'React-Native' };
  const made = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
  expect(made.status, made.text).toBe(201);
});
afterAll(() => server.stop());

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await send(method, `${server.httpUrl}${home}${path}`, { token, ...(body ? { body } : {}) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return (answer.text ? JSON.parse(answer.text) : undefined) as T;
}

async function release(name: string, text: string, options: object = {}) {
  const id = randomUUID();
  const content = createZip([
    { path: 'CodePush/index.android.bundle', content: text },
    { path: 'CodePush/a.png', content: image },
    { path: `CodePush/only-in-${text}.txt`, content: text },
  ]);
  const headers = { 'x-api-token': token, 'content-type': 'application/zip' };
  const url = `${server.httpUrl}${home}/${name}/uploads/${id}`;
  expect((await fetch(url, { method: 'PUT', headers, body: new Uint8Array(content) })).status).toBe(200);
  const body = { release_upload: { id }, target_binary_version: '1.0.0', ...options };
  return call<{ label: string; size: number }>('POST', `/${name}/releases`, body);
}

/** Downloads are on the same server. */
const here = (update: RemotePackage): RemotePackage => ({
  ...update,
  downloadUrl: server.httpUrl + new URL(update.downloadUrl).pathname,
});

/** The JavaScript half of a plug-in for React Native: the SDK that it depends on, and how it sends requests. */
function requirePlugin(name: string): { sdk: Sdk; requester: object } {
  const ofPlugin = createRequire(require.resolve(`${name}/package.json`));
  return {
    sdk: ofPlugin('code-push/script/acquisition-sdk.js') as Sdk,
    requester: ofPlugin('./request-fetch-adapter.js') as object,
  };
}

const requireSdk = (module: string): { sdk: Sdk; requester?: object } => ({ sdk: require(module) as Sdk });

describe.each([
  ['code-push 4.2.3', () => requireSdk('code-push/script/acquisition-sdk.js')],
  ['code-push 2.0.6, with the paths of older SDKs', () => requireSdk('code-push-old/script/acquisition-sdk.js')],
  ['@code-push-next/react-native-code-push 10.4.2', () => requirePlugin('@code-push-next/react-native-code-push')],
  ['@revopush/react-native-code-push 1.6.0', () => requirePlugin('@revopush/react-native-code-push')],
])('%s', (_name, load) => {
  it('checks, downloads whole packages and diffs, verifies them, reports, and rolls back', async () => {
    const name = `D${randomUUID().slice(0, 8)}`;
    const { key } = await call<{ key: string }>('POST', '', { name });
    const { sdk, requester } = load();
    const configuration = {
      serverUrl: server.httpUrl,
      deploymentKey: key,
      appVersion: '1.0.0',
      clientUniqueId: 'phone',
    };
    const device = createDevice(sdk, configuration, requester);
    const update = async (): Promise<RemotePackage> => here((await device.check()) as RemotePackage);
    const metrics = () => call<object[]>('GET', `/${name}/metrics`);

    expect(await device.check()).toBeNull();
    await device.reportBinary();
    expect(await metrics()).toEqual([{ label: '1.0.0', active: 1 }]);

    await release(name, 'one', { description: 'The first', mandatory: true });
    const first = await update();
    expect(first).toMatchObject({ label: 'v1', description: 'The first', isMandatory: true, appVersion: '1.0.0' });
    expect((await device.install(first)).isDiff).toBe(false);
    await device.reportSuccess();
    expect(await device.check()).toBeNull();
    expect(await metrics()).toEqual([
      { label: '1.0.0', active: 0 },
      { label: 'v1', active: 1, downloaded: 1, failed: 0, installed: 1 },
    ]);

    const { size } = await release(name, 'two');
    await vi.waitFor(async () => expect((await update()).packageSize).toBeLessThan(size), { timeout: 30_000 });
    const { isDiff, bytes } = await device.install(await update());
    expect([isDiff, bytes < 2000]).toEqual([true, true]);
    expect([...device.files.keys()].sort()).toEqual([
      'CodePush/a.png',
      'CodePush/index.android.bundle',
      'CodePush/only-in-two.txt',
    ]);
    await device.goBack();
    expect((await metrics()).at(-1)).toEqual({ label: 'v2', active: 0, downloaded: 1, failed: 1, installed: 0 });

    await call('POST', `/${name}/rollback_release`, {});
    expect(await device.check()).toBeNull();
    const other = createDevice(sdk, { ...configuration, clientUniqueId: 'tablet', appVersion: '0.9.0' }, requester);
    expect(await other.check()).toEqual({ updateAppVersion: true, appVersion: '1.0.0' });
    const stranger = createDevice(sdk, { ...configuration, deploymentKey: 'nobody-has-this-key' });
    await expect(stranger.check()).rejects.toThrow('404: No deployment has this key.');
  });
});
