import { createHmac } from 'node:crypto';
import { SECOND } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import type { OutboundFetch, OutboundResponse } from '../../../outbound/fetch.ts';
import { DestinationError, type FileStore, toExcerpt, withoutSlashes } from './destination.ts';

const CONTAINER = 'archive';
const API_VERSION = '2021-12-02';
const TIMEOUT = 120 * SECOND;
const TAG_HEADER = 'x-ms-meta-mooring';

export interface StorageAccount {
  name: string;
  key: Buffer;
  /** Base URL of its blobs, without a trailing slash. */
  endpoint: string;
}

/** `DefaultEndpointsProtocol=https;AccountName=…;AccountKey=…;EndpointSuffix=core.windows.net`, or with `BlobEndpoint`. */
export function readConnectionString(text: string): StorageAccount {
  const settings = new Map(
    text.split(';').flatMap((part): [string, string][] => {
      const at = part.indexOf('=');
      return at > 0 ? [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]] : [];
    }),
  );
  const name = settings.get('accountname') ?? '';
  const key = Buffer.from(settings.get('accountkey') ?? '', 'base64');
  const protocol = settings.get('defaultendpointsprotocol') ?? 'https';
  const suffix = settings.get('endpointsuffix') ?? 'core.windows.net';
  const endpoint = settings.get('blobendpoint') ?? `${protocol}://${name}.blob.${suffix}`;
  if (!/^[a-z0-9]{3,24}$/.test(name) || key.length === 0) {
    throw badRequest(
      'connection_string must be that of a storage account, with AccountName and AccountKey. The Azure portal shows it under "Access keys".',
    );
  }
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw badRequest(
      'connection_string has no https:// address for blobs. Set DefaultEndpointsProtocol=https or BlobEndpoint.',
    );
  }
  return { name, key, endpoint: withoutSlashes(endpoint) };
}

/** Shared Key authorization as documented by Azure: an HMAC over the method, some headers and the resource. */
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
  const queryLines = [...url.searchParams].sort().map(([parameter, value]) => `\n${parameter}:${value}`);
  const text = [method, ...standard, `${own.join('')}/${name}${url.pathname}${queryLines.join('')}`].join('\n');
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
    const code = String(headers['x-ms-error-code'] ?? toExcerpt(body));
    const isLasting = status === 401 || status === 403 || (status === 400 && code !== 'OutOfRangeInput');
    const what =
      status === 401 || status === 403
        ? 'The storage account rejected the key'
        : 'The storage account rejected the request';
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
      let response = await write();
      if (response.status === 404) {
        await makeContainer();
        response = await write();
      }
      if (response.status === 201) return 'written';
      if (response.status !== 409 && response.status !== 412) throw refused(response);
      const there = await call('HEAD', `${CONTAINER}/${path}`);
      // The conflict has another reason, such as a container that is being deleted.
      if (there.status !== 200) throw refused(response);
      return there.headers[TAG_HEADER] === tag ? 'written' : 'taken';
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
      const deletion = await call('DELETE', `${CONTAINER}/${path}`);
      if (deletion.status !== 202 && deletion.status !== 404) throw refused(deletion);
    },
  };
  return store;
}
