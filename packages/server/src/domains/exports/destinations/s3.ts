import { createHash, createHmac } from 'node:crypto';
import { SECOND, toIso } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import type { OutboundFetch, OutboundResponse } from '../../../outbound/fetch.ts';
import { DestinationError, type FileStore, toExcerpt, withoutSlashes } from './destination.ts';

const TIMEOUT = 120 * SECOND;
const TAG_HEADER = 'x-amz-meta-mooring';

/**
 * Codes for a full bucket, account or disk. They come with status 403 or 400, like a wrong key, but are temporary. Some
 * stores report an exceeded quota as a file that is too large.
 */
const fullCodes = /<Code>[^<]{0,60}(?:QuotaExceeded|StorageFull|EntityTooLarge|InsufficientCapacity)/;

export interface Bucket {
  bucket: string;
  /** Empty, or with a trailing slash. */
  prefix: string;
  region: string;
  /** Base URL of the store, without bucket and trailing slash. */
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export function readEndpoint(endpoint: string | undefined, region: string): string {
  if (endpoint === undefined) return `https://s3.${region}.amazonaws.com`;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain)
    throw badRequest('endpoint must be the address of an S3-compatible store, such as https://s3.example.com.');
  return withoutSlashes(url.href);
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();

/** Signature Version 4 over all headers. */
function authorization(
  { region, accessKeyId, secretAccessKey }: Bucket,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
): string {
  const time = headers['x-amz-date'] ?? '';
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    url.pathname,
    '',
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, time.slice(0, 8)));
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
}

/** Objects in a bucket of an S3-compatible store. */
export function s3Store(fetch: OutboundFetch, bucket: Bucket, now: () => number): FileStore {
  const call = (
    method: 'PUT' | 'HEAD' | 'DELETE',
    path: string,
    { headers = {}, body = Buffer.alloc(0) }: { headers?: Record<string, string>; body?: Buffer } = {},
  ): Promise<OutboundResponse> => {
    const url = new URL(`${bucket.endpoint}/${bucket.bucket}/${bucket.prefix}${path}`);
    const signed: Record<string, string> = {
      host: url.host,
      'x-amz-date': toIso(now()).replace(/[-:]|\.\d+/g, ''),
      'x-amz-content-sha256': sha256(body),
      ...headers,
    };
    const sent = {
      ...signed,
      authorization: authorization(bucket, method, url, signed),
      ...(method === 'PUT' ? { 'content-length': String(body.length) } : {}),
    };
    return fetch(url.href, { method, headers: sent, timeoutMs: TIMEOUT, ...(method === 'PUT' ? { body } : {}) });
  };

  const refused = ({ status, body }: OutboundResponse): DestinationError => {
    const isFull = [413, 507].includes(status) || fullCodes.test(body.toString('utf8'));
    const isKey = !isFull && (status === 401 || status === 403);
    const what = isFull
      ? 'The bucket is full'
      : isKey
        ? 'The bucket rejected the key'
        : status === 404
          ? 'The bucket does not exist'
          : 'The bucket rejected the request';
    return new DestinationError(`${what}: ${status} ${toExcerpt(body)}`.trim(), {
      isLasting: !isFull && (isKey || status === 404 || status === 400),
    });
  };

  /** State of an existing object; undefined if unknown. */
  async function find(path: string, tag: string): Promise<'written' | 'taken' | undefined> {
    const there = await call('HEAD', path);
    if (there.status === 404 || there.status === 403) return undefined;
    if (there.status !== 200) throw refused(there);
    return there.headers[TAG_HEADER] === tag ? 'written' : 'taken';
  }

  const store: FileStore = {
    kind: 'files',
    async put({ path, bytes, type, tag }) {
      // Some stores ignore conditional writes.
      const before = await find(path, tag);
      if (before) return before;
      const headers = { 'content-type': type, 'if-none-match': '*', [TAG_HEADER]: tag };
      const response = await call('PUT', path, { headers, body: bytes });
      if (response.status === 200) return 'written';
      if (response.status !== 409 && response.status !== 412) throw refused(response);
      // If the key can't read, write under another name instead of failing.
      return (await find(path, tag)) ?? 'taken';
    },
    async check() {
      const path = `mooring-check-${now()}`;
      await store.put({
        path,
        bytes: Buffer.from('Mooring checks whether it can write here.\n'),
        type: 'text/plain',
        tag: path,
        isRecords: false,
      });
      const deletion = await call('DELETE', path);
      // A key without the right to delete is sufficient for exports.
      if (![200, 204, 403].includes(deletion.status)) throw refused(deletion);
    },
  };
  return store;
}
