import { createHmac, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../../kernel/errors.ts';
import { parseOwnJson } from '../../../kernel/text/json.ts';

/** The position and parameters for the next page of a listing. */
export interface SkipToken {
  /** Reader of the page; the token is invalid for another subscription. */
  reader: string;
  filter: string | undefined;
  search: string | undefined;
  /** Lower bound of lastUpdateTime. */
  from: number | undefined;
  sortAt: number;
  name: string;
}

const SIGNATURE = 16;

const sign = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE);

/** All base64url: some clients cut URLs at a second question mark. */
export function writeSkipToken(key: Buffer, { reader, filter, search, from, sortAt, name }: SkipToken): string {
  const text = JSON.stringify([filter ?? null, from ?? null, sortAt, name, ...(search ? [search] : [])]);
  return Buffer.concat([sign(key, `${reader}\n${text}`), Buffer.from(text)]).toString('base64url');
}

export function readSkipToken(key: Buffer, reader: string, token: string): SkipToken {
  const bytes = Buffer.from(token, 'base64url');
  const text = bytes.subarray(SIGNATURE).toString();
  const isOurs =
    bytes.length > SIGNATURE && timingSafeEqual(bytes.subarray(0, SIGNATURE), sign(key, `${reader}\n${text}`));
  if (!isOurs) {
    const message = 'Invalid $skipToken for this list. Omit it to get the first page.';
    throw new Failure('InvalidSkipToken', message);
  }
  const [filter, from, sortAt, name, search] =
    parseOwnJson<[string | null, number | null, number, string, string?]>(text);
  return { reader, filter: filter ?? undefined, search, from: from ?? undefined, sortAt, name };
}
