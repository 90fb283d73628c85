import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type S3Server, startS3 } from '../../../../test-support/s3.ts';
import { createApk } from '../../../../tools/samples/packages.ts';
import { testApp } from '../../test/harness/app.ts';
import type { Config } from '../config.ts';
import { CHUNK_BYTES } from './chunks.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3({ checksSignatures: false });
});
afterAll(() => s3.stop());

const stores: Record<string, () => Partial<Config>> = {
  disk: () => ({}),
  s3: () => ({
    blobStore: { kind: 's3', ...s3.options, prefix: `${crypto.randomUUID()}/` },
    s3AccessKeyId: s3.options.credentials.accessKeyId,
    s3SecretAccessKey: s3.options.credentials.secretAccessKey,
  }),
};

/** An app package of three chunks. */
const packageFile = createApk({
  more: [{ path: 'assets/filler', content: Buffer.alloc(2 * CHUNK_BYTES + 1000, 7), isStored: true }],
});
const chunk = (number: number) =>
  new Uint8Array(packageFile.subarray((number - 1) * CHUNK_BYTES, number * CHUNK_BYTES));

describe.each(Object.keys(stores))('over a socket, on %s', (kind) => {
  async function opened(settings: Partial<Config> = {}) {
    const app = await testApp('sqlite', { ...stores[kind]?.(), ...settings });
    const httpUrl = await app.http.listen({ port: 0, host: '127.0.0.1' });
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    const home = `${httpUrl}/v0.1/apps/ada/compass`;
    const api = async (method: string, path: string, body: object = {}) => {
      const headers = { 'x-api-token': token, 'content-type': 'application/json' };
      const response = await fetch(home + path, {
        method,
        headers,
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
      return response.json();
    };
    /** The URLs contain the public address; the port of the test is here. */
    const here = (url: string) => httpUrl + new URL(url).pathname + new URL(url).search;
    const isRead = async (id: string) => {
      await api('PATCH', `/uploads/releases/${id}`, { upload_status: 'uploadFinished' });
      await app.runJobs();
      return api('GET', `/uploads/releases/${id}`);
    };
    return { app, token, httpUrl, api, here, isRead };
  }

  test('never logs a token', async () => {
    const { app, httpUrl, api, here } = await opened();
    const { id, token } = await api('POST', '/uploads/releases');
    const { upload_url, asset_token = '' } = await api('POST', '/release_uploads');
    const request = (path: string, method = 'POST') => fetch(`${httpUrl}/upload/${path}`, { method, body: 'x' });
    await request(`set_metadata/${id}?token=${token}&file_name=a.apk&file_size=1`);
    await request(`upload_chunk/${id}?token=${token}&block_number=9`);
    await request(`upload_chunk/${id}?block_number=1&token=${token}x`);
    await request(`nothing/${id}?token=${token}`);
    await request(`${id}?comp=block&blockid=QQ==&token=${token}`, 'PUT');
    await request(`finished/${id}?token=${token}`);
    await fetch(here(upload_url), { method: 'POST', body: 'x' });
    const logged = await app.logged();
    expect(logged).toContain('uploads_');
    const older = new URL(upload_url).searchParams.get('token') ?? '';
    for (const one of [token, older, asset_token].filter((one) => one !== '')) expect(logged).not.toContain(one);
    expect(older).not.toBe('');
  });

  test.each([false, true])('serves files from the bucket directly if configured: %s', async (downloadRedirect) => {
    const { httpUrl, api, here, isRead, token } = await opened({ downloadRedirect });
    const headers = { 'x-api-token': token, 'content-type': 'application/octet-stream' };
    const url = `${httpUrl}/v0.1/apps/ada/compass/releases/uploads?file_name=my%20app.apk`;
    const sent = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(packageFile) });
    await isRead((await sent.json()).id);
    const { download_url } = await api('GET', '/releases/1');
    const response = await fetch(here(download_url), { redirect: 'manual' });
    const isBucket = kind === 's3' && downloadRedirect;
    expect(response.status).toBe(isBucket ? 302 : 200);
    const file = isBucket ? await fetch(response.headers.get('location') ?? '') : response;
    if (isBucket) expect(file.url.startsWith(s3.options.endpoint)).toBe(true);
    expect(file.headers.get('content-disposition')).toContain('my');
    expect(Buffer.from(await file.arrayBuffer()).equals(packageFile)).toBe(true);
    await expect.poll(async () => (await api('GET', '/releases/1')).download_count).toBe(1);
  });

  test('accepts chunks in reverse order, and reports missing ones', async () => {
    const { httpUrl, api, isRead } = await opened();
    const { id, package_asset_id, url_encoded_token } = await api('POST', '/uploads/releases');
    const host = async (path: string, query: string, body?: Uint8Array<ArrayBuffer>) => {
      const url = `${httpUrl}/upload/${path}/${package_asset_id}?token=${url_encoded_token}${query}`;
      return (await fetch(url, { method: 'POST', ...(body ? { body } : {}) })).json();
    };
    // Clients of different ages spell the parameter differently.
    for (const size of ['file_size', 'file_Size']) {
      expect(await host('set_metadata', `&file_name=app.apk&${size}=${packageFile.length}`)).toMatchObject({
        error: false,
        chunk_size: CHUNK_BYTES,
        chunk_list: [1, 2, 3],
        resume_restart: false,
      });
    }
    await Promise.all([3, 2].map((number) => host('upload_chunk', `&block_number=${number}`, chunk(number))));
    expect(await host('finished', '&callback=')).toMatchObject({ error: true, missing_chunks: [1] });
    expect(await host('upload_chunk', '&block_number=1', chunk(1))).toEqual({
      error: false,
      chunk_num: 1,
      error_code: 'None',
    });
    expect(await host('finished', '')).toMatchObject({ error: false, state: 'Done' });
    expect(await isRead(id)).toMatchObject({ upload_status: 'readyToBePublished', release_distinct_id: 1 });
  });

  test('a cancelled upload accepts nothing, and a token of another upload is rejected', async () => {
    const { httpUrl, api } = await opened();
    const [one, two] = [await api('POST', '/uploads/releases'), await api('POST', '/uploads/releases')];
    const request = (path: string, id: string, token: string) =>
      fetch(`${httpUrl}/upload/${path}/${id}?token=${token}&file_name=a.apk&file_size=1`, {
        method: 'POST',
        ...(path === 'cancel' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
      });
    expect((await request('set_metadata', one.id, two.token)).status).toBe(403);
    expect((await request('cancel', one.id, one.token)).status).toBe(200);
    expect((await request('cancel', one.id, one.token)).status).toBe(200);
    expect((await request('set_metadata', one.id, one.token)).status).toBe(409);
    expect((await request('set_metadata', two.id, two.token)).status).toBe(200);
    const chunk = `${httpUrl}/upload/upload_chunk/${two.id}?token=${two.token}&block_number=1`;
    expect((await fetch(chunk, { method: 'POST', body: 'x' })).status).toBe(200);
    expect((await request('finished', two.id, two.token)).status).toBe(200);
    expect((await request('cancel', two.id, two.token)).status).toBe(409);
  });

  test('accepts a form with the file in the field ipa from older clients', async () => {
    const { api, here } = await opened();
    const { upload_id, upload_url } = await api('POST', '/release_uploads');
    const form = new FormData();
    form.append('upload_id', upload_id);
    form.append('ipa', new File([new Uint8Array(packageFile)], 'app.apk'));
    expect((await fetch(here(upload_url), { method: 'POST', body: form })).status).toBe(200);
    expect(await api('PATCH', `/release_uploads/${upload_id}`, { status: 'committed' })).toMatchObject({
      release_id: 1,
    });
  });

  test('accepts a whole file or a block list from clients of a blob store', async () => {
    const { httpUrl, api } = await opened();
    const put = async (id: string, token: string, query: string, body: Uint8Array<ArrayBuffer> | string) => {
      const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream' };
      return (await fetch(`${httpUrl}/upload/${id}?token=${token}${query}`, { method: 'PUT', headers, body })).status;
    };
    const one = await api('POST', '/uploads/releases');
    expect(await put(one.id, one.token, '', new Uint8Array(packageFile))).toBe(201);
    const two = await api('POST', '/uploads/releases');
    const ids = ['QQ==', 'Qg==', 'Qw=='];
    const sent = [2, 0, 1].map((at) =>
      put(two.id, two.token, `&comp=block&blockid=${encodeURIComponent(ids[at] ?? '')}`, chunk(at + 1)),
    );
    expect(await Promise.all(sent)).toEqual([201, 201, 201]);
    const list = `<BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`;
    expect(await put(two.id, two.token, '&comp=blocklist', list.replace('Qw', 'RA'))).toBe(400);
    expect(await put(two.id, two.token, '&comp=blocklist', list)).toBe(201);
  });
});
