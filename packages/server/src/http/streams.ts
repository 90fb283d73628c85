import { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { BodyStream } from '@mooring/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, Failure } from '../kernel/errors.ts';

/** A body that has arrived to its end, read piece by piece from the disk. */
export interface StreamedBody {
  type: string;
  bytes: number;
  sha256: string;
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const tooLarge = ({ maxBytes }: BodyStream) =>
  new Failure('PayloadTooLarge', `The body is larger than ${maxBytes} bytes.`);

const CHUNK = 65_536;

/** Makes the operations of this scope take these types and nothing else. */
export function acceptStreams(scope: FastifyInstance, types: readonly string[]): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...types], (_request, _payload, done) => done(null));
}

/**
 * Puts a body on the disk before it is worked on: work that is slower than the sender would otherwise run into the time
 * that a request may take to arrive, and one that breaks off has changed nothing.
 */
export async function readStream(request: FastifyRequest, stream: BodyStream, folder: string): Promise<StreamedBody> {
  if (Number(request.headers['content-length'] ?? 0) > stream.maxBytes) throw tooLarge(stream);
  const file = path.join(folder, `body-${randomUUID()}.tmp`);
  const handle = await open(file, 'wx+', 0o600);
  // Without a name it is gone with the process, however that ends.
  await unlink(file);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > stream.maxBytes) throw tooLarge(stream);
      hash.update(chunk);
      await handle.appendFile(chunk);
    }
  } catch (error) {
    await handle.close();
    if (error instanceof Failure) throw error;
    if (request.raw.destroyed) throw badRequest('The body broke off before its end.');
    // The rest goes by unread, or the next request on this connection would wait behind it.
    request.raw.resume();
    throw error;
  }
  return {
    type: request.headers['content-type'] ?? '',
    bytes,
    sha256: hash.digest('hex'),
    async *chunks() {
      for (let at = 0; at < bytes; ) {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at);
        if (bytesRead === 0) throw new Error('a body on the disk is shorter than it was');
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    close: () => handle.close(),
  };
}

const LINES = 'application/x-ndjson';

export const wantsLines = ({ headers }: FastifyRequest): boolean => headers.accept?.includes(LINES) ?? false;

interface Work {
  reply: FastifyReply;
  run(tell: (progress: object) => void): Promise<object>;
  /** A failure in the shape of the operation's family; throws what is none of the caller's business. */
  describe(error: Error): object;
}

/** Answers with lines: the first one opens the answer, so what fails after it is a line too. */
export async function answerInLines({ reply, run, describe }: Work): Promise<void> {
  const lines = new PassThrough();
  let isOpen = false;
  const write = (line: object): void => {
    if (!isOpen) reply.type(LINES).send(lines);
    isOpen = true;
    // Whoever reads no more does not stop the work.
    if (!lines.destroyed) lines.write(`${JSON.stringify(line)}\n`);
  };
  try {
    write({ report: await run((progress) => write({ progress })) });
  } catch (error) {
    if (!isOpen) throw error;
    write({ error: describe(error as Error) });
  }
  lines.end();
}
