import { badRequest } from '../../../kernel/errors.ts';
import { isTooDeep, parseJson } from '../../../kernel/text/json.ts';

export const MAX_BODY_DEPTH = 1000;

/** Smaller bodies cannot be nested deeply enough to need much memory, and scanning costs half as much as parsing. */
const SCANNED_FROM_LENGTH = 256 * 1024;

/** Decodes UTF-8, without the byte order mark that some clients send. */
export function decodeText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

export function parseBodyText(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}.`);
  }
}

export const createDepthError = () => badRequest(`The body is nested more than ${MAX_BODY_DEPTH} levels deep.`);

/** Parses the body of a request, which may be anything. */
export function parseBody(body: Uint8Array): unknown {
  const text = decodeText(body);
  if (text.length > SCANNED_FROM_LENGTH && isTooDeep(text, MAX_BODY_DEPTH)) throw createDepthError();
  return parseBodyText(text);
}
