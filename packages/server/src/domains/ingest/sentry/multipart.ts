import { badRequest } from '../../../kernel/errors.ts';

/** A part of a form. */
export interface FormPart {
  name: string;
  /** Undefined for a field. */
  filename: string | undefined;
  contentType: string | undefined;
  bytes: Uint8Array;
}

const MAX_PARTS = 200;
const MAX_BOUNDARY = 200;
const MAX_HEADERS = 8 * 1024;
const END_OF_LINE = '\r\n';

const malformed = (what: string) => badRequest(`The form is malformed: ${what}.`);

/** A parameter such as `name="x"`, in quotes or not. */
function readParameter(header: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"([^"]{0,1000})"|([^\\s;]{1,1000}))`, 'i').exec(header) ?? [];
  return quoted ?? plain;
}

function readHeaders(text: string): Omit<FormPart, 'bytes'> {
  const headers = new Map(
    text.split(END_OF_LINE).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const disposition = headers.get('content-disposition') ?? '';
  return {
    name: readParameter(disposition, 'name') ?? '',
    filename: readParameter(disposition, 'filename'),
    contentType: headers.get('content-type'),
  };
}

/** Reads a form that was received completely. Its first line is the boundary, so no header is needed. */
export function readForm(body: Uint8Array): FormPart[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const first = bytes.subarray(0, MAX_BOUNDARY).indexOf(END_OF_LINE);
  if (first < 3 || bytes[0] !== 0x2d || bytes[1] !== 0x2d) throw malformed('it does not begin with a boundary');
  const boundary = Buffer.concat([Buffer.from(END_OF_LINE), bytes.subarray(0, first)]);
  const parts: FormPart[] = [];
  for (let at = first; ; ) {
    if (bytes.subarray(at, at + 2).toString('latin1') === '--') return parts;
    if (parts.length === MAX_PARTS) throw malformed(`it has more than ${MAX_PARTS} parts`);
    const from = at + END_OF_LINE.length;
    const blank = bytes.subarray(from, from + MAX_HEADERS).indexOf(END_OF_LINE + END_OF_LINE);
    const end = bytes.indexOf(boundary, blank < 0 ? from : from + blank);
    if (blank < 0 || end < 0) throw malformed('a part has no end');
    const headers = bytes.toString('utf8', from, from + blank);
    parts.push({ ...readHeaders(headers), bytes: bytes.subarray(from + blank + 4, end) });
    at = end + boundary.length;
  }
}
