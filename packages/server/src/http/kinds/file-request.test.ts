import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { endpoint, file, json } from '@mooring/contract';
import Type from 'typebox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createForm } from '../../../../../tools/samples/images.ts';
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
      const received = await http.inject({ method: 'POST', url: path, payload, headers: { ...type, ...headers } });
      return { status: received.statusCode, ...received.json() };
    },
  };
}

const sum = (content: string | Buffer, encoding: 'hex' | 'base64') =>
  createHash('sha256').update(content).digest(encoding);

test('streams a body to the blobs, with its size and digest', async () => {
  const { send, stored } = await opened();
  expect(await send('/v0.1/raw', 'moor')).toEqual({ status: 201, size: 4, sha256: sum('moor', 'hex') });
  expect(await stored()).toBe('moor');
});

test('streams a file in a form to the blobs, with its name', async () => {
  const { send, stored } = await opened();
  const { type, body } = createForm({ field: 'package', fileName: 'a.bin', content: 'moor' });
  expect(await send('/v0.1/formed', body, { 'content-type': type })).toMatchObject({ size: 4, name: 'a.bin' });
  expect(await stored()).toBe('moor');
});

test('rejects a body that does not match its checksum and leaves nothing behind', async () => {
  const { send, stored } = await opened();
  const digest = (content: string) => ({ 'content-digest': `md5=:x:, sha-256=:${sum(content, 'base64')}:` });
  expect(await send('/v0.1/raw', 'moor', digest('other'))).toMatchObject({
    status: 400,
    error: { message: 'The body does not match Content-Digest. Send it again.' },
  });
  expect(await stored()).toBeUndefined();
  expect(await send('/v0.1/raw', 'moor', digest('moor'))).toMatchObject({ status: 201 });
});

test('an oversized body leaves nothing behind, with or without a declared length', async () => {
  const { url, send, stored } = await opened();
  const message = 'The body exceeds the limit of 100000 bytes.';
  expect(await send('/v0.1/raw', Buffer.alloc(100_001))).toMatchObject({ status: 413, error: { message } });
  const body = new Blob([new Uint8Array(300_000)]).stream();
  const headers = { 'content-type': 'application/octet-stream' };
  const chunked = await fetch(`${url}/v0.1/raw`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  expect([chunked.status, await chunked.json()]).toMatchObject([413, { error: { message } }]);
  const { type, body: form } = createForm({ field: 'package', fileName: 'a', content: Buffer.alloc(100_001) });
  expect(await send('/v0.1/formed', form, { 'content-type': type })).toMatchObject({ status: 413 });
  expect(await stored()).toBeUndefined();
});

test.each([
  ['raw', 'content-type: application/octet-stream\r\ncontent-length: 5000\r\n\r\n'],
  [
    'formed',
    'content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n\r\n--b\r\ncontent-disposition: form-data; name="package"; filename="a"\r\n\r\n',
  ],
])('stores nothing of a %s file that breaks off', async (path, head) => {
  const { url, done, stored } = await opened();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`POST /v0.1/${path} HTTP/1.1\r\nhost: localhost\r\n${head}${'a'.repeat(2000)}`);
  await expect.poll(() => done.length).toBe(1);
  socket.destroy();
  expect(await done[0]).toBeInstanceOf(Error);
  expect(await stored()).toBeUndefined();
});

test('stores nothing of a form with a second file', async () => {
  const { send, stored } = await opened();
  const one = { field: 'package', fileName: 'a', content: 'moor' };
  for (const parts of [
    [one, one],
    [one, { ...one, field: 'other' }],
    [{ ...one, field: 'other' }, one],
  ]) {
    const { type, body } = createForm(...parts);
    expect(await send('/v0.1/formed', body, { 'content-type': type })).toMatchObject({
      status: 400,
      error: { message: 'The form must contain exactly one file, in the field "package".' },
    });
  }
  expect(await stored()).toBeUndefined();
});

test('refuses a form with too many fields without parsing the rest', async () => {
  const { url } = await opened();
  const unpipe = vi.spyOn(Readable.prototype, 'unpipe');
  onTestFinished(() => unpipe.mockRestore());
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const field = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n';
  const head = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 90000\r\n\r\n';
  socket.write(`POST /v0.1/formed HTTP/1.1\r\nhost: localhost\r\n${head}${field.repeat(30)}`);
  const [received] = await once(socket, 'data');
  expect(String(received)).toMatch(/^HTTP\/1\.1 400 .*/);
  expect(unpipe).toHaveBeenCalled();
});

test('keeps the connection usable after a refusal before the body is read', async () => {
  const { url } = await opened();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const responses = text(socket);
  const head = 'HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/octet-stream\r\n';
  socket.write(`POST /v0.1/refusing ${head}content-length: 50000\r\n\r\n${'a'.repeat(50_000)}`);
  socket.write(`POST /v0.1/raw ${head}content-length: 4\r\nconnection: close\r\n\r\nmoor`);
  expect((await responses).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 201']);
});

test('rejects an oversized file and keeps the connection usable', async () => {
  const { url } = await opened();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const responses = text(socket);
  const head = 'HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/octet-stream\r\n';
  const body = Buffer.alloc(16 * 1_048_576, 'a');
  socket.write(`POST /v0.1/raw ${head}content-length: ${body.length}\r\n\r\n`);
  socket.write(body);
  socket.write(`POST /v0.1/raw ${head}content-length: 4\r\nconnection: close\r\n\r\nmoor`);
  expect((await responses).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 201']);
});

test('refuses other types', async () => {
  const { send } = await opened();
  expect(await send('/v0.1/raw', '{}', { 'content-type': 'application/json' })).toMatchObject({
    status: 415,
    error: { message: 'The body must be sent with Content-Type: application/octet-stream.' },
  });
  expect(await send('/v0.1/formed', 'x')).toMatchObject({ status: 415 });
});
