import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { apps_updateAvatar, createClient } from '@mooring/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startS3 } from '../../test-support/s3.ts';
import { createForm, png } from '../../tools/samples/images.ts';
import { createToken, expectError, getPort, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const image = { fileName: 'icon.png', type: 'image/png', content: png(16, 16) };
const address = '/v0.1/apps/ada/compass/avatar';
const newApp = { display_name: 'Compass', os: 'Android', platform: 'Java' };

let server: RunningServer;
let token: string;

beforeAll(async () => {
  server = await startServer();
  token = (await createToken(server)).api_token;
  await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: newApp });
});
afterAll(() => server?.stop());

/** Fetches the image at a URL from the server, over plain http. */
async function read(url: string, from: RunningServer = server): Promise<Buffer | number> {
  const answer = await fetch(from.httpUrl + new URL(url).pathname);
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : answer.status;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  );

test('a form as curl sends it sets the icon, which is served whole and cacheable', async () => {
  const { type, body } = createForm(image);
  const answer = await send('POST', server.httpUrl + address, { token, raw: body, headers: { 'content-type': type } });
  expect(answer.status, answer.text).toBe(200);
  const { icon_url } = answer.json<{ icon_url: string }>();
  expect(icon_url.startsWith(`${server.httpUrl}/avatars/`)).toBe(true);
  const served = await fetch(server.httpUrl + new URL(icon_url).pathname);
  expect(Buffer.from(await served.arrayBuffer()).equals(image.content)).toBe(true);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
  });
});

test('the typed client sends a file, and the image before it is removed', async () => {
  const call = createClient({ baseUrl: server.httpUrl, token });
  const params = { owner_name: 'ada', app_name: 'compass' };
  const file = new File([new Uint8Array(image.content)], 'icon.png', { type: 'image/png' });
  const { icon_url: first = '' } = await call(apps_updateAvatar, { params, file });
  const { icon_url: second = '' } = await call(apps_updateAvatar, { params, file });
  await vi.waitFor(async () => expect(await read(first)).toBe(404), { timeout: 20_000 });
  expect(await read(second)).toEqual(image.content);
});

test('a form with broken part headers is rejected immediately', async () => {
  const { type, body } = createForm(image);
  const broken = Buffer.from(body.toString('latin1').replace('image/png\r\n', 'image/png?\n'), 'latin1');
  const headers = { 'content-type': type };
  expectError(await send('POST', server.httpUrl + address, { token, raw: broken, headers }), 'BadRequest');
});

test('an endless form is cut off while it arrives, with a 413 for clients that read it in time', async () => {
  const socket = connect(getPort(server), '127.0.0.1');
  const boundary = 'x';
  socket.write(
    `POST ${address} HTTP/1.1\r\nHost: localhost\r\nX-API-Token: ${token}\r\nTransfer-Encoding: chunked\r\n` +
      `Content-Type: multipart/form-data; boundary=${boundary}\r\n\r\n`,
  );
  const chunk = (data: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n`;
  socket.write(chunk(Buffer.from(head)));
  const received: Buffer[] = [];
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('data', (data) => received.push(Buffer.from(data)));
  socket.on('error', () => undefined);
  // One chunk per turn: a failed write would close the socket before the response is read.
  while (received.length === 0 && !socket.destroyed) {
    socket.write(chunk(Buffer.alloc(60_000)));
    await setImmediate();
  }
  await ended;
  // NOTE: if the server closes a socket with unread data, the system resets the connection, which may overtake the
  // response.
  expect(Buffer.concat(received).toString()).toMatch(
    /^$|^HTTP\/1\.1 413 [\s\S]*The file exceeds the limit of 1048576 bytes/,
  );
});

test('an interrupted upload leaves nothing behind', async () => {
  const blobs = path.join(server.dataDir, 'blobs');
  const before = filesIn(blobs);
  const { type, body } = createForm({ ...image, content: Buffer.concat([image.content, Buffer.alloc(500_000)]) });
  const socket = connect(getPort(server), '127.0.0.1');
  socket.write(
    `POST ${address} HTTP/1.1\r\nHost: localhost\r\nX-API-Token: ${token}\r\nContent-Length: ${body.length}\r\n` +
      `Content-Type: ${type}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.write(body.subarray(0, 300_000), () => resolve()));
  socket.destroy();
  // Sends a whole request afterwards, so that the server has handled the broken one.
  const app = await send('GET', `${server.httpUrl}/v0.1/apps/ada/compass`, { token });
  expect(app.status).toBe(200);
  expect(filesIn(blobs)).toEqual(before);
});

test('rejects files that are not images', async () => {
  const { type, body } = createForm({ ...image, content: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  const answer = await send('POST', server.httpUrl + address, { token, raw: body, headers: { 'content-type': type } });
  expectError(answer, 'UnsupportedMediaType');
});

test('images may be stored in a bucket, and are still there after a restart', async () => {
  const s3 = await startS3();
  const { endpoint, credentials } = s3.options;
  const env = {
    MOORING_BLOB_STORE: `s3://mooring/images?endpoint=${endpoint}`,
    MOORING_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    MOORING_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  try {
    const first = await startServer({ env });
    const owner = (await createToken(first)).api_token;
    await send('POST', `${first.httpUrl}/v0.1/apps`, { token: owner, body: newApp });
    const { type, body } = createForm(image);
    const headers = { 'content-type': type };
    const answer = await send('POST', first.httpUrl + address, { token: owner, raw: body, headers });
    const { icon_url } = answer.json<{ icon_url: string }>();
    await first.stop({ keepData: true });

    const second = await startServer({ env, dataDir: first.dataDir });
    expect(await read(icon_url, second)).toEqual(image.content);
    await send('DELETE', second.httpUrl + address, { token: owner });
    await vi.waitFor(async () => expect(await read(icon_url, second)).toBe(404), { timeout: 20_000 });
    await second.stop();
  } finally {
    await s3.stop();
  }
});

test('a server that cannot store files does not start, and says why', async () => {
  const s3 = await startS3();
  const { endpoint } = s3.options;
  const env = {
    MOORING_BLOB_STORE: `s3://nowhere?endpoint=${endpoint}`,
    MOORING_S3_ACCESS_KEY_ID: 'S3RVER',
    MOORING_S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
  try {
    await expect(startServer({ env })).rejects.toThrow(
      /Mooring can't start: can't write files to MOORING_BLOB_STORE \(The specified bucket does not exist\)/,
    );
  } finally {
    await s3.stop();
  }
});
