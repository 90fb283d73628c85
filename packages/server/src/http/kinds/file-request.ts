import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FileRequest } from '@mooring/contract';
import type { FastifyRequest } from 'fastify';
import { badRequest, Failure } from '../../kernel/errors.ts';
import { letTakeLong } from '../network/long-requests.ts';
import { declaredLength, ENVELOPE_BYTES, formLimits, pass, watchForm } from './form-parts.ts';
import type { IncomingFile } from './incoming-file.ts';
import type { MountRequest } from './kind.ts';

const tooLarge = (what: string, { maxBytes }: FileRequest) =>
  new Failure('PayloadTooLarge', `The ${what} exceeds the limit of ${maxBytes} bytes.`);

/** Counts and hashes the content. Throws at the end if it does not match a promised digest. */
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
      throw badRequest('The body does not match Content-Digest. Send it again.');
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

/** Reads `sha-256=:…:` as in RFC 9530. Content with another digest is refused at its end. */
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
    throw raw.destroyed && !(error instanceof Failure)
      ? badRequest('The connection closed before the body was complete. Send it again.')
      : error;
  } finally {
    // Discards the rest; otherwise the next request on this connection would wait behind it.
    if (!raw.destroyed) raw.resume();
  }
}

function readRaw(request: FastifyRequest, declared: FileRequest): IncomingFile {
  if (declaredLength(request) > declared.maxBytes) throw tooLarge('body', declared);
  const type = request.headers['content-type'] ?? '';
  const content = rawContent(request, declared);
  return counted({ type, name: undefined, content, isOwned: true }, promisedSum(request));
}

/** Finds the file in a form. Its content ends only once the form is complete, without another file. */
async function readForm(request: FastifyRequest, declared: FileRequest, field: string): Promise<IncomingFile> {
  if (declaredLength(request) > declared.maxBytes + ENVELOPE_BYTES) throw tooLarge('file', declared);
  const parts = request.parts({ limits: { ...formLimits, fileSize: declared.maxBytes } });
  const { failure, next, stop } = watchForm(request, declared.maxBytes + ENVELOPE_BYTES, () =>
    tooLarge('file', declared),
  );
  const strange = badRequest(`The form must contain exactly one file, in the field "${field}".`);
  let isStrange = false;

  const wrong = (error: unknown): Failure => {
    stop();
    if (error instanceof Failure) return error;
    const { code, message } = error as { code?: string; message: string };
    return code === 'FST_REQ_FILE_TOO_LARGE'
      ? tooLarge('file', declared)
      : badRequest(`The form is invalid: ${message}.`);
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
        const { value, done } = await Promise.race([chunks.next(), failure]);
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
        // Discards the rest; otherwise the next request on this connection would wait behind it.
        request.raw.unpipe();
        request.raw.resume();
      }
    }
  }

  const part = await nextFile(true).catch((error) => {
    // Discards the rest of a form with too many fields, because parsing thousands of parts takes long.
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
      await scope.register(multipart, { limits: formLimits });
    },
    refusal: `The body must be multipart/form-data, with a file in the field "${field}".`,
    read: async (request) => {
      begin(request);
      return { file: await readForm(request, declared, field) };
    },
  };
};
