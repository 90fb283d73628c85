import type { IncomingHttpHeaders } from 'node:http';
import { SECOND } from '../../kernel/clock.ts';

export interface Version {
  /** Strong, in its quotation marks. */
  etag: string;
  /** Absent while another change may come within the same second, which a header could not tell. */
  lastModified?: number | undefined;
}

const inSeconds = (time: number): number => Math.floor(time / SECOND);

/** Whether the reader has this version already; what it says about ETags comes before what it says about times. */
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

/** What others wrote may be opened in a browser; nothing of it may run there. */
export const inertHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
};
