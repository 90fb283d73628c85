import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FilesRequest } from '@mooring/contract';
import type { FastifyRequest } from 'fastify';
import { badRequest, Failure } from '../../kernel/errors.ts';
import { letTakeLong } from '../network/long-requests.ts';
import { declaredLength, ENVELOPE_BYTES, formLimits, pass, watchForm } from './form-parts.ts';
import type { FormFile } from './incoming-file.ts';
import type { MountRequest } from './kind.ts';

const tooMuch = ({ maxTotalBytes }: FilesRequest) =>
  new Failure('PayloadTooLarge', `The files exceed the limit of ${maxTotalBytes} bytes per request. Send fewer.`);
const tooLarge = ({ maxBytes }: FilesRequest) =>
  new Failure('PayloadTooLarge', `A file exceeds the limit of ${maxBytes} bytes.`);

function toFailure(error: unknown, declared: FilesRequest): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = error as { code?: string; message: string };
  return code === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge(declared) : badRequest(`The form is invalid: ${message}.`);
}

/** Content of one file. A file that is not read to its end is discarded. */
async function* readContent(
  stream: Readable & { truncated: boolean },
  declared: FilesRequest,
  failure: Promise<never>,
): AsyncGenerator<Buffer> {
  let isRead = false;
  try {
    const chunks = stream[Symbol.asyncIterator]();
    for (;;) {
      const { value, done } = await Promise.race([chunks.next(), failure]).catch((error) => {
        throw toFailure(error, declared);
      });
      if (done) break;
      yield value;
    }
    if (stream.truncated) throw tooLarge(declared);
    isRead = true;
  } finally {
    if (!isRead) pass(stream);
  }
}

/** The files of a form, in turn. Throws for a file in another field, too many files, or a broken form. */
async function* readFiles(request: FastifyRequest, declared: FilesRequest): AsyncGenerator<FormFile> {
  const { fields, maxFiles, maxBytes, maxTotalBytes } = declared;
  const maxForm = maxTotalBytes + ENVELOPE_BYTES;
  if (declaredLength(request) > maxForm) throw tooMuch(declared);
  const limits = { ...formLimits, files: maxFiles + 1, fileSize: maxBytes };
  const { failure, next, stop } = watchForm(request, maxForm, () => tooMuch(declared));
  const parts = request.parts({ limits });
  let count = 0;
  try {
    for (;;) {
      const { value: part, done } = await next(parts.next());
      if (done) break;
      if (part.type !== 'file') continue;
      count += 1;
      const isExpected = fields.includes(part.fieldname);
      if (!isExpected || count > maxFiles) {
        pass(part.file);
        throw badRequest(
          isExpected
            ? `The form has more than ${maxFiles} files. Send them in several requests.`
            : `The form may contain files only in the fields ${fields.join(' and ')}.`,
        );
      }
      yield { field: part.fieldname, name: part.filename, content: readContent(part.file, declared, failure) };
    }
  } catch (error) {
    throw toFailure(error, declared);
  } finally {
    stop();
    if (!request.raw.complete) {
      // Discards the rest; otherwise the next request on this connection would wait behind it.
      request.raw.unpipe();
      request.raw.resume();
    }
  }
}

export const mountFilesRequest: MountRequest<FilesRequest> = (declared) => ({
  accept: async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { limits: { ...formLimits, files: declared.maxFiles + 1 } });
  },
  refusal: `The body must be multipart/form-data, with files in the fields ${declared.fields.join(' and ')}.`,
  read: async (request) => {
    letTakeLong(request);
    return { files: readFiles(request, declared) };
  },
});
