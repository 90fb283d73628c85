/** A body as it came over the wire. */
export interface SentBytes {
  encoding: 'identity' | 'gzip';
  bytes: Uint8Array;
}
