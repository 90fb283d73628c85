import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FileRequest } from '@mooring/contract';
import type { FastifyRequest } from 'fastify';
import { SECOND } from '../../kernel/clock.ts';
import { badRequest, Failure } from '../../kernel/errors.ts';
import { letTakeLong } from '../long-requests.ts';
import type { IncomingFile } from './incoming-file.ts';
import type { MountRequest } from './kind.ts';

const tooLarge = (what: string, { maxBytes }: FileRequest) =>
  new Failure('PayloadTooLarge', `The ${what} is larger than ${maxBytes} bytes.`);

const declaredLength = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

/** Counts and sums up what passes; a sum that was promised must come out. */
function counted(file: Pick<IncomingFile, 'type' | 'name' | 'content' | 'isOwned'>, promised?: string): IncomingFile {
  const hash = createHash('sha256');
  const sha256 = () => hash.copy().digest('hex');
  let received = 0;
  async function* pass(isSummed: boolean): AsyncGenerator<Buffer> {
    for await (const chunk of file.content) {
      received += chunk.length;
      if (isSummed) hash.update(chunk);
      yield chunk;
    }
    if (promised !== undefined && sha256() !== promised) {
      throw badRequest('The body is not the one that Content-Digest sums up; send it again.');
    }
  }
  return {
    type: file.type,
    name: file.name,
    content: pass(true),
    isOwned: file.isOwned === true,
    unsummed: pass(promised !== undefined),
    get received() {
      return received;
    },
    sha256,
  };
}

/** `sha-256=:…:` as RFC 9530 has it: what arrives with another sum is refused at its end. */
function promisedSum({ headers }: FastifyRequest): string | undefined {
  const [, sum] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]{44}):/.exec(String(headers['content-digest'] ?? '')) ?? [];
  return sum && Buffer.from(sum, 'base64').toString('hex');
}

async function* rawContent(request: FastifyRequest, declared: FileRequest): AsyncGenerator<Buffer> {
  const { raw } = request;
  let received = 0;
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > declared.maxBytes) throw tooLarge('body', declared);
      yield chunk;
    }
  } catch (error) {
    throw raw.destroyed && !(error instanceof Failure) ? badRequest('The body broke off before its end.') : error;
  } finally {
    // The rest goes by unread, or the next request on this connection would wait behind it.
    if (!raw.destroyed) raw.resume();
  }
}

function readRaw(request: FastifyRequest, declared: FileRequest): IncomingFile {
  if (declaredLength(request) > declared.maxBytes) throw tooLarge('body', declared);
  const type = request.headers['content-type'] ?? '';
  const content = rawContent(request, declared);
  return counted({ type, name: undefined, content, isOwned: true }, promisedSum(request));
}

/** What a form may have beside its file: boundaries, headers, fields that nobody asked for. */
const ENVELOPE_BYTES = 65_536;
/**
 * NOTE: no limit of parts: a form that breaks off behind it raises an error that nobody hears, which ends the process.
 * Files and fields are limited, and parts that are neither go by unread.
 */
const limits = {
  parts: Number.POSITIVE_INFINITY,
  files: 5,
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 10_000,
  headerPairs: 20,
};

/** A form that has arrived is read at once, or not at all. */
const UNREAD_MS = 2 * SECOND;

interface FormWatch {
  trouble: Promise<never>;
  /** Waits for the next part, which a form that has arrived hands over at once. */
  next<T>(part: Promise<T>): Promise<T>;
  stop(): void;
}

/** Rejects when the form turns out too long, or when it has arrived and still has no part to hand over. */
function watchForm({ raw }: FastifyRequest, declared: FileRequest): FormWatch {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  let received = 0;
  let isArrived = false;
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  // A form without a length is refused as soon as it is too long; the answer then ends the connection.
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > declared.maxBytes + ENVELOPE_BYTES) reject(tooLarge('file', declared));
  };
  // A part whose headers are broken is never handed over, so the form would never end. Who reads what was, may take their time.
  const arm = () => {
    clearTimeout(timer);
    const unread = badRequest('The form cannot be read: the headers of a part are broken.');
    if (isArrived && isWaiting) timer = setTimeout(() => reject(unread), UNREAD_MS);
  };
  const end = () => {
    isArrived = true;
    arm();
  };
  raw.on('data', count).once('end', end);
  return {
    trouble: promise,
    async next(part) {
      isWaiting = true;
      arm();
      try {
        return await Promise.race([part, promise]);
      } finally {
        isWaiting = false;
        clearTimeout(timer);
      }
    },
    stop() {
      clearTimeout(timer);
      raw.off('data', count).off('end', end);
    },
  };
}

/** Lets a file go by that nobody wants; what goes wrong with it is nobody's matter, but must be heard. */
const pass = (file: Readable): Readable => file.on('error', () => undefined).resume();

/** Finds the file in a form. Its content ends only when the form has ended well, with no other file in it. */
async function readForm(request: FastifyRequest, declared: FileRequest, field: string): Promise<IncomingFile> {
  if (declaredLength(request) > declared.maxBytes + ENVELOPE_BYTES) throw tooLarge('file', declared);
  const parts = request.parts({ limits: { ...limits, fileSize: declared.maxBytes } });
  const { trouble, next, stop } = watchForm(request, declared);
  const strange = badRequest(`The form must have one file, in the field "${field}".`);
  let isStrange = false;

  const wrong = (error: unknown): Failure => {
    stop();
    if (error instanceof Failure) return error;
    const { code, message } = error as { code?: string; message: string };
    return code === 'FST_REQ_FILE_TOO_LARGE'
      ? tooLarge('file', declared)
      : badRequest(`The form cannot be read: ${message}.`);
  };
  const nextFile = async (mayBeTaken: boolean) => {
    for (;;) {
      const { value: part, done } = await next(parts.next());
      if (done) return undefined;
      if (part.type !== 'file') continue;
      if (mayBeTaken && part.fieldname === field) return part;
      isStrange = true;
      pass(part.file);
    }
  };
  async function* content(stream: Readable & { truncated: boolean }): AsyncGenerator<Buffer> {
    let isComplete = false;
    try {
      const chunks = stream[Symbol.asyncIterator]();
      for (;;) {
        const { value, done } = await Promise.race([chunks.next(), trouble]);
        if (done) break;
        yield value;
      }
      if (stream.truncated) throw tooLarge('file', declared);
      await nextFile(false);
      if (isStrange) throw strange;
      isComplete = true;
    } catch (error) {
      throw wrong(error);
    } finally {
      stop();
      if (!isComplete) {
        pass(stream).destroy();
        // The rest goes by unread, or the next request on this connection would wait behind it.
        request.raw.unpipe();
        request.raw.resume();
      }
    }
  }

  const part = await nextFile(true).catch((error) => {
    // The parser would read on to the end of a form that has too many fields, and thousands of parts take long.
    request.raw.unpipe();
    request.raw.resume();
    throw wrong(error);
  });
  if (part && !isStrange) return counted({ type: part.mimetype, name: part.filename, content: content(part.file) });
  if (part) {
    pass(part.file);
    await nextFile(false).catch(() => undefined);
  }
  stop();
  if (isStrange) throw strange;
  throw badRequest(`${field} is missing: send a file in the field "${field}" of multipart/form-data.`);
}

export const mountFileRequest: MountRequest<FileRequest> = (declared) => {
  const { field, types, isLong } = declared;
  const begin = (request: FastifyRequest) => {
    if (isLong) letTakeLong(request);
  };
  if (field === undefined) {
    return {
      accept: (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser(declared.isAnyType ? '*' : [...types], (_request, _payload, done) => done(null));
      },
      refusal: `The body must be sent with Content-Type: ${types.join(' or ')}.`,
      read: async (request) => {
        begin(request);
        return { file: readRaw(request, declared) };
      },
    };
  }
  return {
    accept: async (scope) => {
      scope.removeAllContentTypeParsers();
      await scope.register(multipart, { limits });
    },
    refusal: `The body must be multipart/form-data, with a file in the field "${field}".`,
    read: async (request) => {
      begin(request);
      return { file: await readForm(request, declared, field) };
    },
  };
};
