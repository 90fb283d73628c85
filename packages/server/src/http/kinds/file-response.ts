import { compose, type Readable, type Writable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { FileResponse } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlobInfo } from '../../blobs/index.ts';
import type { Ctx } from '../../context.ts';
import { Failure, notFound } from '../../kernel/errors.ts';
import { freeBytes } from '../../kernel/files/free-bytes.ts';
import { inertHeaders, isKnown, type Version, versionHeaders } from './conditions.ts';
import type { MountResponse } from './kind.ts';

/** A file response of a handler: a blob with metadata. */
export interface FileResult extends Version {
  key: string;
  /** Default: the type it was stored with. */
  type?: string;
  /** File name for a download; without one the browser shows the file. */
  name?: string;
  /** Name of the resource in a 404. */
  what: string;
  /** Called when the first bytes are sent, so not for HEAD, 304, or a continued download. */
  onSent?(): void;
  /** The blob is compressed with zstd, and sent decompressed and whole, since its size is not known. */
  isPacked?: boolean;
  /** A temporary URL to redirect to instead. */
  location?: string | undefined;
}

interface Range {
  start: number;
  end: number;
}

/** Parses `bytes=a-b`, `bytes=a-` or `bytes=-n`. Ignores several ranges and other units, as HTTP allows. */
export function readRange(header: string | undefined, size: number): Range | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** A range only applies to the version that the client already has a part of. */
const getRequestedRange = ({ headers }: FastifyRequest, etag: string): string | undefined =>
  headers['if-range'] === undefined || headers['if-range'] === etag ? headers.range : undefined;

/** RFC 6266: an ASCII name for old clients, besides the real one. */
export function disposition(name: string | undefined): string {
  if (name === undefined) return 'inline';
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Passes a stream on at the speed of its reader, and frees the memory of each chunk once it is written. */
async function pump(stream: Readable, target: Writable): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const failed = await new Promise((done) => target.write(chunk, done));
    if (failed) return;
    freeBytes(chunk);
  }
  target.end();
}

/** Frees the chunks of a stream that no other code uses. The sender notices errors. */
function freeing(stream: Readable): Readable {
  stream.pipe = (target) => {
    pump(stream, target as unknown as Writable).catch(() => undefined);
    return target;
  };
  return stream;
}

async function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, name, type, what, onSent }: FileResult,
  info: BlobInfo,
): Promise<FastifyReply> {
  reply
    .code(200)
    .type(type ?? info.type)
    .header('content-disposition', disposition(name))
    .removeHeader('accept-ranges');
  if (request.method === 'HEAD') return reply.send('');
  const blob = await (request.ctx as Ctx).blobs.get(key);
  if (!blob) throw notFound(what);
  onSent?.();
  return reply.send(compose(blob.stream, createZstdDecompress()));
}

async function send(request: FastifyRequest, reply: FastifyReply, answer: FileResult): Promise<FastifyReply> {
  const { blobs } = request.ctx as Ctx;
  const { key, name, what } = answer;
  const info = await blobs.stat(key);
  if (!info) throw notFound(what);
  reply.headers(versionHeaders(answer));
  if (isKnown(request.headers, answer)) return reply.code(304).send();
  if (answer.isPacked) return sendPacked(request, reply, answer, info);
  const range = readRange(getRequestedRange(request, answer.etag), info.size);
  if (range === 'unsatisfiable') {
    const message = `The requested range is outside the file, which has ${info.size} bytes.`;
    throw new Failure('RangeNotSatisfiable', message, { 'content-range': `bytes */${info.size}` });
  }
  reply.type(answer.type ?? info.type).header('content-disposition', disposition(name));
  reply.header('content-length', range ? range.end - range.start + 1 : info.size);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${info.size}`);
  else reply.code(200);
  if (request.method === 'HEAD') return reply.send('');
  const blob = await blobs.get(key, range);
  // The blob may have been deleted in between.
  if (!blob) throw notFound(what);
  if (!range || range.start === 0) answer.onSent?.();
  return reply.send(freeing(blob.stream));
}

export const mountFileResponse: MountResponse<FileResponse> = ({ cache = 'no-store', isEmbeddable }) => ({
  async respond(request, reply, run) {
    const answer = (await run()) as FileResult;
    reply.headers({ 'cache-control': cache, 'accept-ranges': 'bytes', ...inertHeaders });
    if (answer.location !== undefined) return reply.redirect(answer.location, 302);
    if (isEmbeddable) reply.header('cross-origin-resource-policy', 'cross-origin');
    return send(request, reply, answer);
  },
});
