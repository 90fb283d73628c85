import type { PartsFiles } from '@mooring/contract';
import { badRequest, Failure } from '../../kernel/errors.ts';

/** A file of a form. Its type is a claim of the sender. */
export interface SentFile {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface FormParts {
  fields: Record<string, string>;
  files: SentFile[];
}

const CRLF = '\r\n';
const MAX_HEADER_BYTES = 4096;
/** Fields besides files; forms have few. */
const MAX_FIELDS = 30;
/** Long enough for every field, and short enough to be validated quickly. */
const MAX_FIELD_BYTES = 65_536;
/** Empty files do not count as files, but take time. */
const MAX_PARTS = 100;

const malformed = (what: string): Failure => badRequest(`The form is malformed: ${what}.`);

/**
 * The boundary in a Content-Type. Clients choose at least 16 characters; in a file that consists of almost-boundaries, a short one
 * would take long to find.
 */
export function findBoundary(type: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{10,70})"|([^\s;"]{10,70}))(?=[\s;]|$)/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('its Content-Type has no boundary of 10 to 70 characters');
  return boundary;
}

interface Part {
  name: string;
  /** Undefined for a field. */
  fileName: string | undefined;
  type: string;
  content: Buffer;
}

function readDisposition(headers: string): Pick<Part, 'name' | 'fileName' | 'type'> {
  const lines = headers.split(CRLF);
  const find = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const disposition = find('content-disposition') ?? '';
  const [, name] = /;\s*name="([^"]{1,100})"/i.exec(disposition) ?? [];
  if (!/^form-data\b/i.test(disposition) || name === undefined) throw malformed('a part has no name');
  const [, fileName] = /;\s*filename\*?=("[^"]*"|[^;]*)/i.exec(disposition) ?? [];
  const type = (find('content-type') ?? '').slice(0, 100).split(';')[0]?.trim().toLowerCase() ?? '';
  return { name, fileName, type };
}

/** The parts of a complete form, in order. The content is not copied. */
function* splitParts(body: Buffer, boundary: string): Generator<Part> {
  const delimiter = Buffer.from(`${CRLF}--${boundary}`, 'latin1');
  const first = body.indexOf(delimiter.subarray(2));
  if (first !== 0) throw malformed('it does not begin with its boundary');
  for (let at = delimiter.length - 2; ; ) {
    if (body.toString('latin1', at, at + 2) === '--') return;
    if (body.toString('latin1', at, at + 2) !== CRLF) throw malformed('a boundary is not followed by a part');
    const headersEnd = body.subarray(0, at + MAX_HEADER_BYTES).indexOf(CRLF + CRLF, at + 2);
    if (headersEnd < 0) throw malformed('the headers of a part are incomplete or too long');
    const start = headersEnd + 4;
    const end = body.indexOf(delimiter, start);
    if (end < 0) throw malformed('it ends in the middle of a part');
    const headers = body.toString('utf8', at + 2, headersEnd);
    yield { ...readDisposition(headers), content: body.subarray(start, end) };
    at = end + delimiter.length;
  }
}

function toText(name: string, content: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw badRequest(`${name} is not UTF-8 text.`);
  }
  if (text.includes('\0')) throw badRequest('The form must not contain a NUL character.');
  return text;
}

/** Parses multipart/form-data in one pass, because the sender may be anonymous. Files are only accepted in one field. */
export function readParts(body: Buffer, boundary: string, { field, maxFiles, maxBytes }: PartsFiles): FormParts {
  const fields = new Map<string, string>();
  const files: SentFile[] = [];
  let parts = 0;
  for (const { name, fileName, type, content } of splitParts(body, boundary)) {
    parts += 1;
    if (parts > MAX_PARTS) throw badRequest(`The form has more than ${MAX_PARTS} parts. Send fewer.`);
    if (fileName === undefined) {
      if (fields.has(name)) throw badRequest(`A field occurs more than once. Send each field once.`);
      if (fields.size === MAX_FIELDS) throw badRequest(`The form has more than ${MAX_FIELDS} fields. Send fewer.`);
      if (content.length > MAX_FIELD_BYTES) {
        throw badRequest(`A field has more than ${MAX_FIELD_BYTES} bytes. Send a shorter text.`);
      }
      fields.set(name, toText('A field', content));
      continue;
    }
    // Browsers send an empty file if none is selected.
    if (content.length === 0) continue;
    if (name !== field) throw badRequest(`Files must be in the field "${field}".`);
    if (files.length === maxFiles) throw badRequest(`The form has more than ${maxFiles} files. Send fewer.`);
    if (content.length > maxBytes) {
      throw new Failure('PayloadTooLarge', `A file exceeds the limit of ${maxBytes} bytes. Send a smaller one.`);
    }
    files.push({ type, bytes: content });
  }
  return { fields: Object.fromEntries(fields), files };
}
