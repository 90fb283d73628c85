import { createHmac, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../../kernel/errors.ts';

/** What a listing needs to go on where a page ended. */
export interface SkipToken {
  /** For whom the page was made: a token of one subscription is of no use at another. */
  reader: string;
  filter: string | undefined;
  search: string | undefined;
  /** Events from this time on. */
  from: number | undefined;
  sortAt: number;
  name: string;
}

const SIGNATURE = 16;

const sign = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE);

/** base64url throughout: some clients cut an address at a second question mark. */
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
    const message = '$skipToken is not one that this server gave out for this list; leave it away for the first page.';
    throw new Failure('InvalidSkipToken', message);
  }
  const [filter, from, sortAt, name, search] = JSON.parse(text) as [
    string | null,
    number | null,
    number,
    string,
    string?,
  ];
  return { reader, filter: filter ?? undefined, search, from: from ?? undefined, sortAt, name };
}
