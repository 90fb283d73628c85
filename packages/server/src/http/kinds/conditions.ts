import type { IncomingHttpHeaders } from 'node:http';
import { SECOND } from '../../kernel/clock.ts';

export interface Version {
  /** Strong, with quotes. */
  etag: string;
  /** Undefined if another change may follow within the same second, which the header can't distinguish. */
  lastModified?: number | undefined;
}

const inSeconds = (time: number): number => Math.floor(time / SECOND);

/** True if the client already has this version. ETags take precedence over times. */
export function isKnown(headers: IncomingHttpHeaders, { etag, lastModified }: Version): boolean {
  const { 'if-none-match': etags, 'if-modified-since': since } = headers;
  if (etags !== undefined) {
    return etags.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
  }
  return lastModified !== undefined && inSeconds(lastModified) <= inSeconds(Date.parse(String(since)));
}

export const versionHeaders = ({ etag, lastModified }: Version): Record<string, string> => ({
  etag,
  ...(lastModified === undefined ? {} : { 'last-modified': new Date(lastModified).toUTCString() }),
});

/** Untrusted content may be opened in a browser, but must not run there. */
export const inertHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
};
