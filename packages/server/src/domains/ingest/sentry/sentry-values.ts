import { hash } from 'node:crypto';
import { cutText } from '../../../kernel/text/cut-text.ts';

/** Data from devices may have any shape; these functions extract usable values. */
export type Fields = Readonly<Record<string, unknown>>;

export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export function toText(value: unknown, length = 256): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isText ? cutText(String(value), length).trim() : '';
  return text === '' ? undefined : text;
}

const id = /^[0-9a-f]{32}$/;

/** An ID as 32 hexadecimal digits in lower case; SDKs write it with and without dashes, in either case. */
export function toHexId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 50) return undefined;
  const plain = value.trim().replaceAll('-', '').toLowerCase();
  return id.test(plain) ? plain : undefined;
}

const withDashes = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** A UUID in lower case: the value itself, or one derived from it. */
export function toUuid(value: string): string {
  return withDashes(toHexId(value) ?? hash('md5', value.toLowerCase(), 'hex'));
}

/** One install for everything of an app that names none, such as a server. */
export const UNKNOWN_INSTALL = '00000000-0000-4000-8000-000000000000';

const SECONDS_END = 1e11;
const MILLISECONDS_END = 1e14;
const MICROSECONDS_END = 1e17;
const NANOSECONDS_END = 1e20;

/** Parses seconds since 1970 with fractions, RFC 3339, or a number in a smaller unit, to epoch ms. */
export function parseSentryTime(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === 'string') {
    const at =
      number.length > 40 ? Number.NaN : Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(number) ? number : `${number}Z`);
    return Number.isNaN(at) ? undefined : at;
  }
  if (typeof number !== 'number' || !(number >= 0 && number < NANOSECONDS_END)) return undefined;
  if (number < SECONDS_END) return Math.round(number * 1000);
  if (number < MILLISECONDS_END) return Math.round(number);
  return Math.round(number / (number < MICROSECONDS_END ? 1000 : 1_000_000));
}

const MINUTE = 60_000;
/** Smaller differences are delays of the network. */
const MIN_DRIFT = 55 * MINUTE;

/** Milliseconds to add to the times of a device, if its clock differs much from that of the server. */
export function findDrift(sentAt: unknown, now: number): number {
  const sent = parseSentryTime(sentAt);
  if (sent === undefined) return 0;
  const drift = now - sent;
  return Math.abs(drift) >= MIN_DRIFT ? drift : 0;
}

const YEAR_10000 = Date.UTC(10_000, 0);

/** When something happened, in ISO 8601; the arrival if the device sent no usable time. */
export function toIsoTime(sentAt: unknown, { drift, now }: { drift: number; now: number }): string {
  const at = (parseSentryTime(sentAt) ?? Number.NaN) + drift;
  return new Date(at >= 0 && at < YEAR_10000 ? at : now).toISOString();
}

export interface Release {
  namespace: string;
  version: string;
  build: string;
}

/** Parses `com.example.app@1.4.0+140`; each part may be missing. */
export function parseRelease(release: unknown, dist: unknown): Release {
  const text = toText(release, 250) ?? '';
  const at = text.lastIndexOf('@');
  const numbered = text.slice(at + 1);
  const plus = numbered.indexOf('+');
  return {
    namespace: at < 0 ? '' : text.slice(0, at),
    version: plus < 0 ? numbered : numbered.slice(0, plus),
    build: (plus < 0 ? '' : numbered.slice(plus + 1)) || (toText(dist, 64) ?? ''),
  };
}

/** Splits `sentry.java.android/8.53.0`. */
export function parseClient(client: string | undefined): { name: string; version: string } {
  const [name = '', version = ''] = (toText(client, 200) ?? '').split('/');
  return { name, version };
}
