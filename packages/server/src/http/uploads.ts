import multipart from '@fastify/multipart';
import type { Upload } from '@mooring/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECOND } from '../kernel/clock.ts';
import { badRequest, Failure } from '../kernel/errors.ts';

/** A file that came in a form; its type is what the sender claims. */
export interface UploadedFile {
  type: string;
  bytes: Buffer;
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

/** Makes the operations of this scope take forms and nothing else. */
export async function acceptUploads(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, { limits });
}

/** Returns the one file of a form, once the form has arrived to its end. */
export async function readUpload(request: FastifyRequest, upload: Upload): Promise<UploadedFile> {
  const most = upload.maxBytes + ENVELOPE_BYTES;
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(upload);
  const overflow = Promise.withResolvers<never>();
  const form = readForm(request, upload);
  let received = 0;
  // A form without a length is refused as soon as it is too long; the answer then ends the connection.
  request.raw.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > most) overflow.reject(tooLarge(upload));
  });
  // A part whose headers are broken is never handed over, so the form would never end.
  let timer: NodeJS.Timeout | undefined;
  request.raw.once('end', () => {
    const unread = badRequest('The form cannot be read: the headers of a part are broken.');
    timer = setTimeout(() => overflow.reject(unread), UNREAD_MS);
  });
  return Promise.race([form, overflow.promise]).finally(() => clearTimeout(timer));
}

/** A form that has arrived is read at once, or not at all. */
const UNREAD_MS = 2 * SECOND;

const tooLarge = ({ maxBytes }: Upload) => new Failure('PayloadTooLarge', `The file is larger than ${maxBytes} bytes.`);

async function readForm(request: FastifyRequest, upload: Upload): Promise<UploadedFile> {
  const { field, maxBytes } = upload;
  let file: UploadedFile | undefined;
  let isStrange = false;
  try {
    for await (const part of request.parts({ limits: { ...limits, fileSize: maxBytes } })) {
      if (part.type !== 'file') continue;
      if (part.fieldname === field && !file) file = { type: part.mimetype, bytes: await part.toBuffer() };
      else {
        isStrange = true;
        part.file.resume();
      }
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw code === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge(upload) : badRequest(`The form cannot be read: ${message}.`);
  }
  if (isStrange) throw badRequest(`The form must have one file, in the field "${field}".`);
  if (!file) throw badRequest(`${field} is missing: send a file in the field "${field}" of multipart/form-data.`);
  return file;
}
