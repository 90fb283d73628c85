import { createVerify, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createAab, createApk, createIpa } from '../../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { HOUR } from '../../../kernel/clock.ts';

const B = '/v0.1/apps/ada/compass';
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const account = { client_email: 'publisher@example.com', private_key: privateKey, private_key_id: 'k1', type: 'more' };

/** A PEM key with random numbers of the right length: version, modulus, exponents, primes and coefficient. */
function oddKey(bits: number): string {
  const tagged = (tag: number, content: Buffer) =>
    Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 255]), content]);
  const number = (size: number) => tagged(2, Buffer.alloc(size / 8, 0x7f));
  const wide = tagged(2, Buffer.concat([Buffer.from([0]), Buffer.alloc(bits / 8, 0xff)]));
  const halves = Array.from({ length: 5 }, () => number(bits / 2));
  const der = tagged(
    0x30,
    Buffer.concat([tagged(2, Buffer.from([0])), wide, tagged(2, Buffer.from([1, 0, 1])), number(bits), ...halves]),
  );
  return `-----BEGIN RSA PRIVATE KEY-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END RSA PRIVATE KEY-----\n`;
}

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const MIB = 1024 * 1024;

/** Describes a violation of the published API in a call. */
function faultIn({ method, url, headers, body }: Seen): string | undefined {
  const isJson = headers['content-type']?.startsWith('application/json');
  if (url === '/token') {
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    const kind = new URLSearchParams(body.toString()).get('grant_type');
    return method === 'POST' && isForm && kind?.endsWith(':jwt-bearer') ? undefined : 'no such grant';
  }
  if (headers.authorization !== 'Bearer at') return 'no token';
  if (url.startsWith('/upload/')) {
    const isSized = /^\d+$/.test(String(headers['x-upload-content-length']));
    const isTyped = headers['x-upload-content-type'] === 'application/octet-stream';
    return method === 'POST' && isSized && isTyped && body.length === 0 ? undefined : 'what is coming is not said';
  }
  if (url === '/session/1') {
    const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
    const isLast = Number(end) + 1 === Number(size);
    const fits = Number(end) + 1 - Number(start) === body.length;
    return method === 'PUT' && fits && (isLast || body.length % (256 * 1024) === 0) ? undefined : 'an odd range';
  }
  if (url.endsWith(':commit')) return method === 'POST' && body.length === 0 ? undefined : 'no commit';
  return method === (url.includes('/tracks/') ? 'PUT' : 'POST') && isJson ? undefined : 'no JSON';
}

/** A fake of the Google Play API, limited to publishing; it rejects calls that violate the order or format. */
async function startPlay(responses: Record<string, [number, object]> = {}, { maxAcceptedBytes = 64 * MIB } = {}) {
  const seen: Seen[] = [];
  let received = Buffer.alloc(0);
  const edits = '/androidpublisher/v3/applications/com.example.compass/edits';
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    seen.push({ method, url, headers, body });
    const fault = faultIn({ method, url, headers, body });
    const reply = (status: number, value: object, more: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(value));
    const forced = responses[`${method} ${url}`];
    if (forced) return reply(...forced);
    if (fault) return reply(fault === 'no token' ? 401 : 400, { error: { message: fault } });
    if (url === '/token') return reply(200, { access_token: 'at' });
    if (url === edits) return reply(200, { id: 'e1' });
    if (['apks', 'bundles'].some((kind) => url === `/upload${edits}/e1/${kind}?uploadType=resumable`)) {
      return reply(200, {}, { location: `http://${headers.host}/session/1` });
    }
    if (url === '/session/1') {
      const [, start, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
      if (Number(start) !== received.length) return reply(400, { error: { message: 'a gap' } });
      received = Buffer.concat([received, body.subarray(0, maxAcceptedBytes)]);
      if (received.length === Number(size)) return reply(200, { versionCode: 140 });
      return reply(308, {}, received.length > 0 ? { range: `bytes=0-${received.length - 1}` } : {});
    }
    if (url === `${edits}/e1/tracks/beta`) return reply(200, JSON.parse(body.toString()));
    if (url === `${edits}/e1:commit`) return reply(200, { id: 'e1' });
    return reply(404, { error: { message: 'no such thing' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { googlePlayUrl: address, googleTokenUrl: `${address}/token`, outboundAllow: ['127.0.0.0/8'] };
  return { seen, settings, received: () => received };
}

async function createFixtures(app: TestApp) {
  const ada = await app.addUser('ada');
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const call = (method: string, url: string, body?: unknown, as = token) => app.call(method, url, { token: as, body });
  const bytes = createApk();
  const headers = { 'content-type': 'application/octet-stream' };
  await app.call('PUT', `${B}/releases/uploads?file_name=app.apk`, { token, body: bytes, headers });
  await app.runJobs();
  const create = (more: object = {}) =>
    call('POST', `${B}/distribution_stores`, { type: 'googleplay', name: 'Play', track: 'beta', ...more });
  const sign = (service_account: object) =>
    call('PUT', `${B}/distribution_stores/Play/credentials`, { service_account });
  const publish = (id: string) => call('POST', `${B}/releases/1/stores`, { id });
  const ofRelease = `${B}/distribution_stores/Play/releases/1`;
  const status = async () => (await call('GET', `${ofRelease}/realtimestatus`)).json().status.status;
  return { ada, compass, token, call, create, sign, publish, status, ofRelease, bytes };
}

eachDatabase('a store', (dialect) => {
  test('no longer publishes for a former owner', async () => {
    const app = await testApp(dialect);
    const { ada, call, create, sign } = await createFixtures(app);
    await create();
    await sign(account);
    expect((await call('GET', `${B}/distribution_stores/Play`)).json()).toMatchObject({ has_credentials: true });
    await app.addOrg(ada, 'lighthouse');
    expect((await call('POST', `${B}/transfer/lighthouse`, {})).statusCode).toBe(200);
    const moved = await call('GET', '/v0.1/apps/lighthouse/compass/distribution_stores/Play');
    expect(moved.json()).toMatchObject({ has_credentials: false });
  });

  test('publishes a release through the Google Play API, in the right order and format', async () => {
    const { seen, settings, received } = await startPlay();
    const app = await testApp(dialect, settings);
    const { call, create, sign, publish, status, ofRelease, bytes } = await createFixtures(app);
    const { id } = (await create()).json();
    expect((await sign(account)).statusCode).toBe(204);
    await call('PUT', `${B}/releases/1`, { release_notes: 'Finds north' });
    expect([(await publish(id)).statusCode, await status()]).toEqual([201, 'submitted']);
    expect((await publish(id)).statusCode).toBe(201);
    await app.runJobs();
    expect(await status()).toBe('published');
    expect(received().equals(bytes)).toBe(true);
    const edits = '/androidpublisher/v3/applications/com.example.compass/edits';
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /token',
      `POST ${edits}`,
      `POST /upload${edits}/e1/apks?uploadType=resumable`,
      'PUT /session/1',
      `PUT ${edits}/e1/tracks/beta`,
      `POST ${edits}/e1:commit`,
    ]);
    const [first, , , , track] = seen;
    const assertion = new URLSearchParams(first?.body.toString()).get('assertion') ?? '';
    const [head = '', claims = '', signature = ''] = assertion.split('.');
    expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: account.client_email,
      aud: settings.googleTokenUrl,
      scope: 'https://www.googleapis.com/auth/androidpublisher',
    });
    expect(JSON.parse(track?.body.toString() ?? '')).toEqual({
      track: 'beta',
      releases: [
        { versionCodes: ['140'], status: 'completed', releaseNotes: [{ language: 'en-US', text: 'Finds north' }] },
      ],
    });
    const release = (await call('GET', `${B}/releases/1`)).json();
    expect(release.distribution_stores).toMatchObject([{ id, type: 'googleplay', publishing_status: 'published' }]);
    expect((await call('GET', `${B}/distribution_stores/Play/latest_release`)).json()).toMatchObject([{ id: 1 }]);
    expect((await call('GET', `${ofRelease}/publish_logs`)).body).toMatch(/Signed in as .*\n.*Committed\.\n$/s);
    expect((await call('DELETE', ofRelease)).statusCode).toBe(204);
    expect((await call('GET', `${B}/distribution_stores/Play/releases`)).json()).toEqual([]);
  });

  test('receives a release by an update, by name or ID, and with its notes', async () => {
    const app = await testApp(dialect);
    const { call, create, status, ofRelease } = await createFixtures(app);
    const { id } = (await create()).json();
    const update = (body: object) => call('PATCH', `${B}/releases/1`, { destination_type: 'store', ...body });
    expect((await update({ destination_name: 'play', release_notes: 'North' })).json()).toEqual({
      release_notes: 'North',
    });
    expect(await status()).toBe('submitted');
    for (const body of [{ destination_id: id }, { destinations: [{ name: 'Play' }] }, { destinations: [{ id }] }]) {
      await call('DELETE', ofRelease);
      expect([(await update(body)).statusCode, await status()]).toEqual([200, 'submitted']);
    }
    expect((await call('GET', `${B}/releases/1`)).json()).toMatchObject({
      destinations: [{ id, destination_type: 'store' }],
    });
    // All changes or none.
    expect((await update({ destination_name: 'None', release_notes: 'South' })).statusCode).toBe(404);
    expect((await call('GET', `${B}/releases/1`)).json().release_notes).toBe('North');
  });

  test('receives a bundle in chunks, each from where the store has received the one before', async () => {
    const { seen, settings, received } = await startPlay({}, { maxAcceptedBytes: 5 * MIB });
    const app = await testApp(dialect, settings);
    const { token, call, create, sign } = await createFixtures(app);
    const filler = { path: 'base/assets/filler', content: Buffer.alloc(17 * MIB, 7), isStored: true as const };
    const bytes = createAab({ version: 141, more: [filler] });
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${B}/releases/uploads?file_name=app.aab`, { token, body: bytes, headers });
    await app.runJobs();
    const { id } = (await create()).json();
    await sign(account);
    await call('POST', `${B}/releases/2/stores`, { id });
    await app.runJobs();
    expect(received().equals(bytes)).toBe(true);
    const log = (await call('GET', `${B}/distribution_stores/Play/releases/2/publish_logs`)).body;
    expect(log).toMatch(/Committed\.\n$/);
    expect(seen.filter(({ url }) => url === '/session/1').length).toBe(4);
    expect(seen.some(({ url }) => url.includes('/e1/bundles?'))).toBe(true);
  });

  test('that receives no bytes is retried later', async () => {
    const { seen, settings } = await startPlay({}, { maxAcceptedBytes: 0 });
    const app = await testApp(dialect, settings);
    const { create, sign, publish, status } = await createFixtures(app);
    const { id } = (await create()).json();
    await sign(account);
    await publish(id);
    await app.runJobs();
    expect([await status(), seen.filter(({ url }) => url === '/session/1').length]).toEqual(['processing', 1]);
  });

  test('retries an outage but not a rejection, and reports the reason', async () => {
    const edits = '/androidpublisher/v3/applications/com.example.compass/edits';
    const responses: Record<string, [number, object]> = {
      [`POST ${edits}`]: [403, { error: { message: 'The caller does not have permission' } }],
    };
    const { settings, seen } = await startPlay(responses);
    const app = await testApp(dialect, settings);
    const { call, create, sign, publish, status, ofRelease } = await createFixtures(app);
    const { id } = (await create()).json();
    await sign(account);
    await publish(id);
    await app.runJobs();
    expect([await status(), seen.length]).toEqual(['failed', 2]);
    const { message, is_log_available } = (await call('GET', `${ofRelease}/publish_error_details`)).json();
    expect([message, is_log_available]).toEqual([expect.stringContaining('does not have permission'), true]);
    responses[`POST ${edits}`] = [503, {}];
    await publish(id);
    await app.runJobs();
    expect(await status()).toBe('processing');
    const notification = async () => (await call('GET', `${B}/store_service_status`)).json();
    expect(await notification()).toEqual({ service: 'googleplay', status: 'unavailable' });
    delete responses[`POST ${edits}`];
    app.advance(HOUR);
    await app.runJobs();
    expect([await status(), await notification()]).toEqual(['published', {}]);
  });

  test('reports missing credentials, and never shows them', async () => {
    const app = await testApp(dialect);
    const { ada, call, create, sign, publish, status, ofRelease } = await createFixtures(app);
    const { id } = (await create()).json();
    await publish(id);
    await app.runJobs();
    expect(await status()).toBe('failed');
    expect((await call('GET', `${ofRelease}/publish_error_details`)).json().message).toMatch(/has no credentials/);
    const { publicKey: wrong } = generateKeyPairSync('ed25519');
    for (const private_key of ['x', String(wrong.export({ type: 'spki', format: 'pem' }))]) {
      expect((await sign({ ...account, private_key })).json().message).toMatch(/not an RSA key/);
    }
    // Signing with made-up numbers takes seconds.
    const large = await sign({ ...account, private_key: oddKey(5120) });
    expect([large.statusCode, large.json().message]).toEqual([
      400,
      expect.stringMatching(/5120 bits; the maximum is 4096/),
    ]);
    await sign(account);
    const readOnly = await app.userToken(ada, { scope: ['viewer'] });
    const shown = [
      (await call('GET', `${B}/distribution_stores`, undefined, readOnly)).body,
      (await call('GET', `${B}/distribution_stores/Play`)).body,
      JSON.stringify(await recorded(app, 'store.')),
      JSON.stringify(await app.database.query((q) => q.selectFrom('distribution_stores').selectAll())),
      await app.logged(),
    ];
    for (const text of shown) expect(text).not.toContain(privateKey.slice(40, 90));
    expect(shown[0]).toContain('"has_credentials":true');
  });

  test('has a unique name per app, accepts only supported packages and is hidden from other apps', async () => {
    const app = await testApp(dialect);
    const { call, create, publish } = await createFixtures(app);
    const { id } = (await create()).json();
    expect((await create({ name: 'PLAY' })).statusCode).toBe(409);
    expect((await create({ name: 'x', type: 'intune', track: 'beta' })).json().message).toMatch(/Intune has no tracks/);
    expect((await create({ name: 'x', intune_details: {} })).json().message).toMatch(
      /only allowed for stores of type intune/,
    );
    expect((await create({ name: 'x', track: 'testflight-internal' })).statusCode).toBe(400);
    await call('POST', '/v0.1/apps', { name: 'tides', display_name: 'Tides', os: 'iOS', platform: 'Custom' });
    const headers = { 'content-type': 'application/octet-stream' };
    const mary = await app.addUser('mary');
    const stranger = await app.userToken(mary);
    const other = '/v0.1/apps/ada/tides';
    const owner = (await call('POST', '/v0.1/api_tokens', { description: 'x' })).json().api_token;
    await app.call('PUT', `${other}/releases/uploads?file_name=a.ipa`, { token: owner, body: createIpa(), headers });
    await app.runJobs();
    expect((await call('POST', `${other}/releases/1/stores`, { id })).statusCode).toBe(404);
    const its = (await call('POST', `${other}/distribution_stores`, { type: 'googleplay', name: 'Play' })).json();
    expect((await call('POST', `${other}/releases/1/stores`, { id: its.id })).json().message).toMatch(
      /accepts .apk and .aab/,
    );
    expect((await call('GET', `${B}/distribution_stores`, undefined, stranger)).statusCode).toBe(404);
    expect((await publish(id)).statusCode).toBe(201);
    expect((await call('DELETE', `${B}/releases/1/stores/${id}`)).statusCode).toBe(200);
    await app.runJobs();
    expect((await call('DELETE', `${B}/distribution_stores/Play`)).statusCode).toBe(204);
    expect((await call('GET', `${B}/distribution_stores/Play`)).statusCode).toBe(404);
  });
});
