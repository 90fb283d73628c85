import { endpoint, file } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';
import { disposition, readRange } from './file-response.ts';

const download = endpoint({
  id: 'download',
  method: 'GET',
  path: '/v0.1/files/{name}',
  tag: 'files',
  summary: 'x',
  access: 'public',
  effect: 'read',
  params: Type.Object({ name: Type.String() }),
  response: file({ description: 'The file.', types: ['text/plain'], cache: 'private, max-age=60' }),
});

const content = '0123456789';

async function opened() {
  const { deps, http } = await serve(
    route(download, async (_ctx, { params }) => ({
      key: `files/${params.name}`,
      etag: '"v1"',
      what: 'file',
      name: 'Größe.txt',
    })),
  );
  await deps.blobs.put('files/one', [Buffer.from(content)], { type: 'text/plain', maxBytes: 100 });
  return async (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', name = 'one') => {
    const response = await http.inject({ method, url: `/v0.1/files/${name}`, headers });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  };
}

test('sends a whole file with validators for later conditional requests', async () => {
  const get = await opened();
  expect(await get()).toMatchObject({
    status: 200,
    body: content,
    headers: {
      'content-type': 'text/plain',
      'content-length': '10',
      'content-disposition': `attachment; filename="Gr__e.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`,
      etag: '"v1"',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=60',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
});

test('HEAD returns the same headers and no body', async () => {
  const get = await opened();
  const { headers: all } = await get();
  const { headers, ...head } = await get({}, 'HEAD');
  expect(head).toEqual({ status: 200, body: '' });
  for (const name of ['content-type', 'content-length', 'etag', 'content-disposition', 'accept-ranges']) {
    expect([name, headers[name]]).toEqual([name, all[name]]);
  }
  expect(await get({ range: 'bytes=2-3' }, 'HEAD')).toMatchObject({ status: 206, headers: { 'content-length': '2' } });
});

test('sends a range alone, for the version that the reader has', async () => {
  const get = await opened();
  expect(await get({ range: 'bytes=2-4' })).toMatchObject({
    status: 206,
    body: '234',
    headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3' },
  });
  expect(await get({ range: 'bytes=-3' })).toMatchObject({ status: 206, body: '789' });
  expect(await get({ range: 'bytes=7-', 'if-range': '"v1"' })).toMatchObject({ status: 206, body: '789' });
  expect(await get({ range: 'bytes=7-', 'if-range': '"v0"' })).toMatchObject({ status: 200, body: content });
  expect(await get({ range: 'bytes=0-1,4-5' })).toMatchObject({ status: 200, body: content });
  const outside = await get({ range: 'bytes=10-' });
  expect(outside).toMatchObject({
    status: 416,
    headers: { 'content-range': 'bytes */10', 'cache-control': 'no-store' },
  });
  expect(JSON.parse(outside.body).error.code).toBe('RangeNotSatisfiable');
});

test('does not resend an unchanged file', async () => {
  const get = await opened();
  for (const known of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
    expect(await get({ 'if-none-match': known })).toMatchObject({ status: 304, body: '', headers: { etag: '"v1"' } });
  }
  expect(await get({ 'if-none-match': '"v0"' })).toMatchObject({ status: 200 });
});

test('returns an uncacheable 404 for a missing file', async () => {
  const get = await opened();
  expect(await get({}, 'GET', 'two')).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
  expect(await get({}, 'HEAD', 'two')).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
});

test.each([
  [undefined, undefined],
  ['bytes=', undefined],
  ['bytes=-', undefined],
  ['bytes=5-2', undefined],
  ['lines=1-2', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-999', { start: 0, end: 9 }],
  ['bytes=-999', { start: 0, end: 9 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=10-11', 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, undefined],
])('parses the range %s of ten bytes as %o', (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});

test('finds no range in an empty file', () => {
  expect(readRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(readRange('bytes=-1', 0)).toBe('unsatisfiable');
});

test.each([
  ['a"b\\c%.txt', `attachment; filename="a_b_c_.txt"; filename*=UTF-8''a%22b%5Cc%25.txt`],
  ['a\r\nset-cookie: x', `attachment; filename="a__set-cookie: x"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x`],
  ["(it's)*", `attachment; filename="(it's)*"; filename*=UTF-8''%28it%27s%29%2A`],
])('encodes the name %j safely for its header', (name, header) => {
  expect(disposition(name)).toBe(header);
});
