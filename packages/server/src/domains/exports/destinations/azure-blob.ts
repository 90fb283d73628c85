import { createHmac } from 'node:crypto';
import { SECOND } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import type { OutboundFetch, OutboundResponse } from '../../../outbound/fetch.ts';
import { DestinationError, excerptOf, type FileStore, withoutSlashes } from './destination.ts';

const CONTAINER = 'archive';
const API_VERSION = '2021-12-02';
const TIMEOUT = 120 * SECOND;
const TAG_HEADER = 'x-ms-meta-mooring';

export interface StorageAccount {
  name: string;
  key: Buffer;
  /** Where its blobs are, without a slash at the end. */
  endpoint: string;
}

/** `DefaultEndpointsProtocol=https;AccountName=…;AccountKey=…;EndpointSuffix=core.windows.net`, or with `BlobEndpoint`. */
export function readConnectionString(text: string): StorageAccount {
  const given = new Map(
    text.split(';').flatMap((part): [string, string][] => {
      const at = part.indexOf('=');
      return at > 0 ? [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]] : [];
    }),
  );
  const name = given.get('accountname') ?? '';
  const key = Buffer.from(given.get('accountkey') ?? '', 'base64');
  const protocol = given.get('defaultendpointsprotocol') ?? 'https';
  const suffix = given.get('endpointsuffix') ?? 'core.windows.net';
  const endpoint = given.get('blobendpoint') ?? `${protocol}://${name}.blob.${suffix}`;
  if (!/^[a-z0-9]{3,24}$/.test(name) || key.length === 0) {
    throw badRequest(
      'connection_string must be that of a storage account, with AccountName and AccountKey; the portal of Azure shows it under "Access keys".',
    );
  }
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw badRequest('connection_string has no address that begins with https:// for its blobs.');
  }
  return { name, key, endpoint: withoutSlashes(endpoint) };
}

/** Shared Key, as the service documents it: an HMAC over the verb, some headers, and what is asked for. */
function authorization(
  { name, key }: StorageAccount,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
): string {
  const standard = [
    'content-encoding',
    'content-language',
    'content-length',
    'content-md5',
    'content-type',
    'date',
    'if-modified-since',
    'if-match',
    'if-none-match',
    'if-unmodified-since',
    'range',
  ].map((header) => (header === 'content-length' && headers[header] === '0' ? '' : (headers[header] ?? '')));
  const own = Object.keys(headers)
    .filter((header) => header.startsWith('x-ms-'))
    .sort()
    .map((header) => `${header}:${headers[header]}\n`);
  const asked = [...url.searchParams].sort().map(([parameter, value]) => `\n${parameter}:${value}`);
  const text = [method, ...standard, `${own.join('')}/${name}${url.pathname}${asked.join('')}`].join('\n');
  return `SharedKey ${name}:${createHmac('sha256', key).update(text, 'utf8').digest('base64')}`;
}

/** Block blobs in the container `archive` of a storage account. */
export function azureBlobStore(fetch: OutboundFetch, account: StorageAccount, now: () => number): FileStore {
  const call = (
    method: 'PUT' | 'HEAD' | 'DELETE',
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: Buffer } = {},
  ): Promise<OutboundResponse> => {
    const url = new URL(`${account.endpoint}/${path}`);
    const sent: Record<string, string> = {
      'x-ms-date': new Date(now()).toUTCString(),
      'x-ms-version': API_VERSION,
      ...(method === 'PUT' ? { 'content-length': String(body?.length ?? 0) } : {}),
      ...headers,
    };
    sent.authorization = authorization(account, method, url, sent);
    return fetch(url.href, { method, headers: sent, timeoutMs: TIMEOUT, ...(body ? { body } : {}) });
  };

  const refused = ({ status, headers, body }: OutboundResponse): DestinationError => {
    const code = String(headers['x-ms-error-code'] ?? excerptOf(body));
    const isLasting = status === 401 || status === 403 || (status === 400 && code !== 'OutOfRangeInput');
    const what =
      status === 401 || status === 403 ? 'The storage account refuses the key' : 'The storage account refuses';
    return new DestinationError(`${what}: ${status} ${code}.`, { isLasting });
  };

  async function makeContainer(): Promise<void> {
    const made = await call('PUT', `${CONTAINER}?restype=container`);
    const isThere = made.headers['x-ms-error-code'] === 'ContainerAlreadyExists';
    if (made.status !== 201 && !isThere) throw refused(made);
  }

  const store: FileStore = {
    kind: 'files',
    async put({ path, bytes, type, tag }) {
      const write = () =>
        call('PUT', `${CONTAINER}/${path}`, {
          headers: {
            'content-type': type,
            'if-none-match': '*',
            'x-ms-blob-type': 'BlockBlob',
            [TAG_HEADER]: tag,
          },
          body: bytes,
        });
      let answer = await write();
      if (answer.status === 404) {
        await makeContainer();
        answer = await write();
      }
      if (answer.status === 201) return 'written';
      if (answer.status !== 409 && answer.status !== 412) throw refused(answer);
      const there = await call('HEAD', `${CONTAINER}/${path}`);
      // Something else is in the way, such as a container that is being deleted.
      if (there.status !== 200) throw refused(answer);
      return there.headers[TAG_HEADER] === tag ? 'written' : 'taken';
    },
    async check() {
      const path = `mooring-check-${now()}`;
      await store.put({
        path,
        bytes: Buffer.from('Mooring looks whether it can write here.\n'),
        type: 'text/plain',
        tag: path,
        isRecords: false,
      });
      const gone = await call('DELETE', `${CONTAINER}/${path}`);
      if (gone.status !== 202 && gone.status !== 404) throw refused(gone);
    },
  };
  return store;
}
