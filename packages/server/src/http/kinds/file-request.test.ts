import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { endpoint, file, json } from '@mooring/contract';
import Type from 'typebox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { formOf } from '../../../../../tools/images.ts';
import { serve } from '../../../test/harness/endpoints.ts';
import { forbidden } from '../../kernel/errors.ts';
import { route } from '../mount.ts';
import type { IncomingFile } from './incoming-file.ts';

const common = { method: 'POST', tag: 'files', access: 'public', effect: 'change' } as const;
const Stored = Type.Object({ size: Type.Integer(), sha256: Type.String(), name: Type.Optional(Type.String()) });
const response = json(Stored, { status: 201, description: 'Stored.' });
const limits = { types: ['application/octet-stream'], maxBytes: 100_000 } as const;
const raw = endpoint({ ...common, id: 'raw', path: '/v0.1/raw', summary: 'x', request: file(limits), response });
const formed = endpoint({
  ...common,
  id: 'formed',
  path: '/v0.1/formed',
  summary: 'x',
  request: file({ ...limits, field: 'package' }),
  response,
});
const refusing = endpoint({ ...raw, id: 'refusing', path: '/v0.1/refusing' });

async function opened() {
  const done: Promise<unknown>[] = [];
  const store = async (ctx: Parameters<Parameters<typeof route<typeof raw>>[1]>[0], file: IncomingFile) => {
    const work = ctx.blobs.put('files/one', file.content, { type: 'text/plain', maxBytes: 1_000_000 });
    done.push(work.catch((error: unknown) => error));
    const { size } = await work;
    return { size, sha256: file.sha256(), name: file.name };
  };
  const { deps, http, url } = await serve(
    route(raw, (ctx, { file }) => store(ctx, file)),
    route(formed, (ctx, { file }) => store(ctx, file)),
    route(refusing, async () => {
      throw forbidden('Not you.');
    }),
  );
  return {
    url,
    done,
    stored: async () => {
      const blob = await deps.blobs.get('files/one');
      return blob && text(blob.stream);
    },
    async send(path: string, payload: Buffer | string, headers: Record<string, string> = {}) {
      const type = { 'content-type': 'application/octet-stream' };
      const answer = await http.inject({ method: 'POST', url: path, payload, headers: { ...type, ...headers } });
      return { status: answer.statusCode, ...answer.json() };
    },
  };
}

const sum = (content: string | Buffer, encoding: 'hex' | 'base64') =>
  createHash('sha256').update(content).digest(encoding);

test('a body goes to the blobs as it comes, with its size and sum', async () => {
  const { send, stored } = await opened();
  expect(await send('/v0.1/raw', 'moor')).toEqual({ status: 201, size: 4, sha256: sum('moor', 'hex') });
  expect(await stored()).toBe('moor');
});

test('a file in a form does too, with the name that it has there', async () => {
  const { send, stored } = await opened();
  const { type, body } = formOf({ field: 'package', fileName: 'a.bin', content: 'moor' });
  expect(await send('/v0.1/formed', body, { 'content-type': type })).toMatchObject({ size: 4, name: 'a.bin' });
  expect(await stored()).toBe('moor');
});

test('a body whose sum was promised must have it, and leaves nothing otherwise', async () => {
  const { send, stored } = await opened();
  const digest = (content: string) => ({ 'content-digest': `md5=:x:, sha-256=:${sum(content, 'base64')}:` });
  expect(await send('/v0.1/raw', 'moor', digest('other'))).toMatchObject({
    status: 400,
    error: { message: 'The body is not the one that Content-Digest sums up; send it again.' },
  });
  expect(await stored()).toBeUndefined();
  expect(await send('/v0.1/raw', 'moor', digest('moor'))).toMatchObject({ status: 201 });
});

test('what is too large leaves nothing, whether its length was said or not', async () => {
  const { url, send, stored } = await opened();
  const message = 'The body is larger than 100000 bytes.';
  expect(await send('/v0.1/raw', Buffer.alloc(100_001))).toMatchObject({ status: 413, error: { message } });
  const body = new Blob([new Uint8Array(300_000)]).stream();
  const headers = { 'content-type': 'application/octet-stream' };
  const chunked = await fetch(`${url}/v0.1/raw`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  expect([chunked.status, await chunked.json()]).toMatchObject([413, { error: { message } }]);
  const { type, body: form } = formOf({ field: 'package', fileName: 'a', content: Buffer.alloc(100_001) });
  expect(await send('/v0.1/formed', form, { 'content-type': type })).toMatchObject({ status: 413 });
  expect(await stored()).toBeUndefined();
});

test.each([
  ['raw', 'content-type: application/octet-stream\r\ncontent-length: 5000\r\n\r\n'],
  [
    'formed',
    'content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n\r\n--b\r\ncontent-disposition: form-data; name="package"; filename="a"\r\n\r\n',
  ],
])('a %s file that breaks off in the middle leaves nothing', async (path, head) => {
  const { url, done, stored } = await opened();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`POST /v0.1/${path} HTTP/1.1\r\nhost: localhost\r\n${head}${'a'.repeat(2000)}`);
  await expect.poll(() => done.length).toBe(1);
  socket.destroy();
  expect(await done[0]).toBeInstanceOf(Error);
  expect(await stored()).toBeUndefined();
});

test('a form with a second file leaves nothing of the first', async () => {
  const { send, stored } = await opened();
  const one = { field: 'package', fileName: 'a', content: 'moor' };
  for (const parts of [
    [one, one],
    [one, { ...one, field: 'other' }],
    [{ ...one, field: 'other' }, one],
  ]) {
    const { type, body } = formOf(...parts);
    expect(await send('/v0.1/formed', body, { 'content-type': type })).toMatchObject({
      status: 400,
      error: { message: 'The form must have one file, in the field "package".' },
    });
  }
  expect(await stored()).toBeUndefined();
});

test('a form with too many fields is refused, and the rest of it is not parsed', async () => {
  const { url } = await opened();
  const unpipe = vi.spyOn(Readable.prototype, 'unpipe');
  onTestFinished(() => unpipe.mockRestore());
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const field = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n';
  const head = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 90000\r\n\r\n';
  socket.write(`POST /v0.1/formed HTTP/1.1\r\nhost: localhost\r\n${head}${field.repeat(30)}`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 .*/);
  expect(unpipe).toHaveBeenCalled();
});

test('a refusal before the body is read leaves the connection for the next request', async () => {
  const { url } = await opened();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answers = text(socket);
  const head = 'HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/octet-stream\r\n';
  socket.write(`POST /v0.1/refusing ${head}content-length: 50000\r\n\r\n${'a'.repeat(50_000)}`);
  socket.write(`POST /v0.1/raw ${head}content-length: 4\r\nconnection: close\r\n\r\nmoor`);
  expect((await answers).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 201']);
});

test('whoever sends far too much is told so, and can use the connection afterwards', async () => {
  const { url } = await opened();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answers = text(socket);
  const head = 'HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/octet-stream\r\n';
  const body = Buffer.alloc(16 * 1_048_576, 'a');
  socket.write(`POST /v0.1/raw ${head}content-length: ${body.length}\r\n\r\n`);
  socket.write(body);
  socket.write(`POST /v0.1/raw ${head}content-length: 4\r\nconnection: close\r\n\r\nmoor`);
  expect((await answers).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 201']);
});

test('other types are refused', async () => {
  const { send } = await opened();
  expect(await send('/v0.1/raw', '{}', { 'content-type': 'application/json' })).toMatchObject({
    status: 415,
    error: { message: 'The body must be sent with Content-Type: application/octet-stream.' },
  });
  expect(await send('/v0.1/formed', 'x')).toMatchObject({ status: 415 });
});
