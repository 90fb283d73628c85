import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApk, createIpa } from '../../tools/samples/packages.ts';
import { androidBuild, appleBuild, type Installed, readReturn, requestUpdate } from '../clients/sdks/updates.ts';
import { createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let token: string;

beforeAll(async () => {
  server = await startServer();
  ({ api_token: token } = await createToken(server, {}));
});
afterAll(() => server.stop());

const call = (method: string, path: string, body?: unknown) =>
  send(method, server.httpUrl + path, { token, ...(body === undefined ? {} : { body }) });

/** An app with two builds; the older one is installed. */
async function prepare(os: 'Android' | 'iOS', builds: [Buffer, Buffer], isPublic: boolean) {
  const name = `app-${randomUUID().slice(0, 8)}`;
  const made = await call('POST', '/v0.1/apps', { name, display_name: name, os, platform: 'Custom' });
  const { app_secret: secret, owner } = made.json<{ app_secret: string; owner: { name: string } }>();
  const B = `/v0.1/apps/${owner.name}/${name}`;
  const upload = async (bytes: Buffer) => {
    const query = `file_name=app.${os === 'iOS' ? 'ipa' : 'apk'}`;
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = await send('PUT', `${server.httpUrl}${B}/releases/uploads?${query}`, { token, raw: bytes, headers });
    const { id } = sent.json<{ id: string }>();
    await expect
      .poll(async () => (await call('GET', `${B}/uploads/releases/${id}`)).json().upload_status, { timeout: 30_000 })
      .toBe('readyToBePublished');
  };
  for (const build of builds) await upload(build);
  const { id } = (await call('POST', `${B}/distribution_groups`, { name: 'Crew' })).json<{ id: string }>();
  if (isPublic) await call('PATCH', `${B}/distribution_groups/Crew`, { is_public: true });
  await call('POST', `${B}/distribution_groups/Crew/members`, { user_emails: ['ada@example.com'] });
  const distribute = (release: number, mandatory_update = false) =>
    call('POST', `${B}/releases/${release}/groups`, { id, mandatory_update, notify_testers: false });
  return { B, secret, groupId: id, distribute };
}

const uuids = ['0f8fad5b-d9cb-469f-a165-70867728950e', '1f8fad5b-d9cb-469f-a165-70867728950e'] as const;
const systems = [
  {
    system: 'Android',
    os: 'Android',
    builds: [createApk(), createApk({ version: 141, shortVersion: '1.4.1' })],
    installed: androidBuild('com.example.compass', '1.4.0', '140'),
    updated: androidBuild('com.example.compass', '1.4.1', '141'),
    redirectId: () => 'com.example.compass',
  },
  {
    system: 'Apple',
    os: 'iOS',
    builds: [createIpa({ uuid: uuids[0] }), createIpa({ uuid: uuids[1], version: '43' })],
    installed: appleBuild(uuids[0], '1.2.3', '42'),
    updated: appleBuild(uuids[1], '1.2.3', '43'),
    redirectId: (secret: string) => `appcenter-${secret}`,
  },
] as const;

test.each(systems)(
  'the $system SDK updates an app of a public group, and reports the installed release',
  async (one) => {
    const { B, secret, groupId, distribute } = await prepare(one.os, [...one.builds], true);
    const installId = randomUUID();
    const checkForUpdate = (installed: Installed, more = {}) =>
      requestUpdate(server.httpUrl, secret, one.system, installed, { installId, ...more });
    expect(await checkForUpdate(one.installed)).toEqual({ kind: 'none', keepsToken: true });
    await distribute(1);
    expect((await checkForUpdate(one.installed)).kind).toBe('none');
    await distribute(2, true);
    const answer = await checkForUpdate(one.installed);
    expect(answer).toMatchObject({ kind: 'update', update: { id: 2, isMandatory: true, groupId } });
    const { downloadUrl, installUrl, size } = answer.kind === 'update' ? answer.update : { downloadUrl: '', size: 0 };
    const file = await fetch(downloadUrl.replace(/^https?:\/\/[^/]+/, server.httpUrl));
    expect((await file.arrayBuffer()).byteLength).toBe(size);
    if (one.system === 'Apple')
      expect(installUrl).toMatch(/^itms-services:\/\/\?action=download-manifest&url=https?%3A/);
    const query = { groupId, downloadedReleaseId: 2 };
    expect((await checkForUpdate(one.updated, query)).kind).toBe('none');
    const counts = { releases: [{ release: '2', distribution_group: groupId }] };
    await expect
      .poll(async () => (await call('POST', `${B}/analytics/distribution/release_counts`, counts)).json().total)
      .toBe(1);
  },
);

test.each(systems)('the $system SDK gets a token through its tester, and keeps it while it is valid', async (one) => {
  const { B, secret, groupId, distribute } = await prepare(one.os, [...one.builds], false);
  await distribute(1);
  const [installId, requestId] = [randomUUID(), randomUUID()];
  const body = {
    release_hash: one.installed.hash,
    redirect_id: one.redirectId(secret),
    request_id: requestId,
    platform: one.os,
  };
  const setUp = await call('POST', `/v0.1/sdk/apps/${secret}/private_update_setup`, body);
  const values = readReturn(setUp.json<{ redirect_url: string }>().redirect_url, one.system, requestId);
  expect(values).toMatchObject({ distribution_group_id: groupId });
  const checkForUpdate = () =>
    requestUpdate(server.httpUrl, secret, one.system, one.installed, { installId, token: values.update_token });
  expect(await checkForUpdate()).toEqual({ kind: 'none', keepsToken: true });
  await distribute(2);
  expect(await checkForUpdate()).toMatchObject({ kind: 'update', update: { id: 2, groupId } });
  await call('DELETE', `${B}/releases/2/groups/${groupId}`);
  await call('DELETE', `${B}/releases/1/groups/${groupId}`);
  expect(await checkForUpdate()).toEqual({ kind: 'none', keepsToken: true });
  const [device] = (await call('GET', '/v0.1/user/update_tokens')).json<{ id: string }[]>();
  await call('DELETE', `/v0.1/user/update_tokens/${device?.id}`);
  expect(await checkForUpdate()).toEqual({ kind: 'none', keepsToken: false });
});
