import { compose, type Readable, type Writable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { FileResponse } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlobInfo } from '../../blobs/index.ts';
import type { Ctx } from '../../context.ts';
import { Failure, notFound } from '../../kernel/errors.ts';
import { freeBytes } from '../../kernel/free-bytes.ts';
import { inertHeaders, isKnown, type Version, versionHeaders } from './conditions.ts';
import type { MountResponse } from './kind.ts';

/** What a handler answers with a file: where it is among the blobs. */
export interface FileAnswer extends Version {
  key: string;
  /** The type that it was stored with, if absent. */
  type?: string;
  /** What it is saved as; without one a browser shows it. */
  name?: string;
  /** What a missing one is called. */
  what: string;
  /** Told when its beginning is sent: somebody gets it, who does not only look or go on. */
  onSent?(): void;
  /** It is kept compressed with zstd, and sent as it was before: whole, since a part of it is not known. */
  isPacked?: boolean;
  /** Where it is to be had instead, for a while. */
  location?: string | undefined;
}

interface Range {
  start: number;
  end: number;
}

/** `bytes=a-b`, `bytes=a-` or `bytes=-n`. Several ranges, and other units, are left out of account, as HTTP allows. */
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

/** A range counts only of the version that the reader has the rest of. */
const rangeWanted = ({ headers }: FastifyRequest, etag: string): string | undefined =>
  headers['if-range'] === undefined || headers['if-range'] === etag ? headers.range : undefined;

/** RFC 6266: a plain name for old readers, the true one beside it. */
export function disposition(name: string | undefined): string {
  if (name === undefined) return 'inline';
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Passes a stream on at the speed of its reader, and gives back the memory of each part that is on its way. */
async function pump(stream: Readable, target: Writable): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const failed = await new Promise((done) => target.write(chunk, done));
    if (failed) return;
    freeBytes(chunk);
  }
  target.end();
}

/** A stream of which nobody else has the bytes. What breaks off is heard of by whoever sends it. */
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
  { key, name, type, what, onSent }: FileAnswer,
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

async function send(request: FastifyRequest, reply: FastifyReply, answer: FileAnswer): Promise<FastifyReply> {
  const { blobs } = request.ctx as Ctx;
  const { key, name, what } = answer;
  const info = await blobs.stat(key);
  if (!info) throw notFound(what);
  reply.headers(versionHeaders(answer));
  if (isKnown(request.headers, answer)) return reply.code(304).send();
  if (answer.isPacked) return sendPacked(request, reply, answer, info);
  const range = readRange(rangeWanted(request, answer.etag), info.size);
  if (range === 'unsatisfiable') {
    const message = `The file has ${info.size} bytes; the range that was asked for lies outside of it.`;
    throw new Failure('RangeNotSatisfiable', message, { 'content-range': `bytes */${info.size}` });
  }
  reply.type(answer.type ?? info.type).header('content-disposition', disposition(name));
  reply.header('content-length', range ? range.end - range.start + 1 : info.size);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${info.size}`);
  else reply.code(200);
  if (request.method === 'HEAD') return reply.send('');
  const blob = await blobs.get(key, range);
  // It may have been deleted in between.
  if (!blob) throw notFound(what);
  if (!range || range.start === 0) answer.onSent?.();
  return reply.send(freeing(blob.stream));
}

export const mountFileResponse: MountResponse<FileResponse> = ({ cache = 'no-store', isEmbeddable }) => ({
  async answer(request, reply, run) {
    const answer = (await run()) as FileAnswer;
    reply.headers({ 'cache-control': cache, 'accept-ranges': 'bytes', ...inertHeaders });
    if (answer.location !== undefined) return reply.redirect(answer.location, 302);
    if (isEmbeddable) reply.header('cross-origin-resource-policy', 'cross-origin');
    return send(request, reply, answer);
  },
});
