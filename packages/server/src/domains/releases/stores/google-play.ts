import { sign } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Type } from '@mooring/contract';
import type { Deps } from '../../../context.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import { OutboundError, type OutboundRequest } from '../../../outbound/fetch.ts';

const tokenCodec = jsonCodec('the token response of Google', Type.Object({ access_token: Type.String() }));
const editCodec = jsonCodec('the edit of Google Play', Type.Object({ id: Type.String() }));
const packageCodec = jsonCodec('the package of Google Play', Type.Object({ versionCode: Type.Integer() }));
const errorCodec = jsonCodec(
  'the error of Google',
  objectOutline<{ error?: { message?: unknown } | null; error_description?: unknown }>(),
);

/** The key of a Google service account, in Google's format. */
export interface ServiceAccount {
  client_email: string;
  private_key: string;
  private_key_id?: string | undefined;
}

export interface PlayPackage {
  packageName: string;
  kind: 'apk' | 'aab';
  key: string;
  size: number;
  track: string;
  notes: string | undefined;
}

/** The store rejected the request permanently. */
export class StoreRefusal extends Error {
  override name = 'StoreRefusal';
}

/** A multiple of 256 KiB, which Google requires. */
const CHUNK_SIZE = 8 * 1024 * 1024;

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Off the main thread: signing with an unusual key takes a second. */
const signInPool = promisify(sign);

async function createAssertion(
  { client_email, private_key, private_key_id }: ServiceAccount,
  audience: string,
  now: number,
): Promise<string> {
  const at = Math.floor(now / SECOND);
  const claims = {
    iss: client_email,
    scope: 'https://www.googleapis.com/auth/androidpublisher',
    aud: audience,
    iat: at,
    exp: at + HOUR / SECOND,
  };
  const head = `${base64url({ alg: 'RS256', typ: 'JWT', kid: private_key_id })}.${base64url(claims)}`;
  const signature = await signInPool('RSA-SHA256', Buffer.from(head), private_key);
  return `${head}.${signature.toString('base64url')}`;
}

/** Extracts the message for people from a response of the store. */
function messageIn(body: Buffer): string {
  try {
    const { error, error_description } = errorCodec.parse(body.toString('utf8'));
    return String(error_description ?? error?.message ?? error ?? '').slice(0, 500);
  } catch {
    return '';
  }
}

interface PlayResponse {
  status: number;
  headers: Record<string, unknown>;
  body: Buffer;
}
type Call = (url: string, request?: OutboundRequest) => Promise<PlayResponse>;

/** Temporary failures are retried; rejections are final. */
function caller({ fetch }: Pick<Deps, 'fetch'>, accepts: readonly number[] = []): Call {
  return async (url, request) => {
    const { status, headers, body } = await fetch(url, { timeoutMs: 2 * MINUTE, ...request });
    if ((status >= 200 && status < 300) || accepts.includes(status)) return { status, headers, body };
    const reason = `${new URL(url).host} responded with ${status}: ${messageIn(body)}`;
    throw status === 429 || status >= 500 ? new OutboundError('unreachable', reason) : new StoreRefusal(reason);
  };
}

const MORE = 308;

/** Bytes that the store has received: it may store fewer than were sent. */
const getReceivedBytes = ({ headers }: PlayResponse): number =>
  Number(/^bytes=0-(\d+)$/.exec(String(headers.range))?.[1] ?? -1) + 1;

const jsonBody = (value: object): OutboundRequest => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/**
 * Publishes a package on a track through the Google Play API: opens an edit, uploads the package in chunks, assigns it to the
 * track, and commits the edit. The store discards an uncommitted edit.
 */
export async function publishOnPlay(
  ctx: Pick<Deps, 'fetch' | 'blobs' | 'clock' | 'config'>,
  account: ServiceAccount,
  { packageName, kind, key, size, track, notes }: PlayPackage,
  say: (step: string) => Promise<void>,
): Promise<void> {
  const { googlePlayUrl, googleTokenUrl } = ctx.config;
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await createAssertion(account, googleTokenUrl, ctx.clock.now()),
  });
  const plain = caller(ctx);
  const signedIn = await plain(googleTokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const { access_token } = tokenCodec.parse(signedIn.body.toString('utf8'));
  await say(`Signed in as ${account.client_email}.`);
  const authorization = { authorization: `Bearer ${access_token}` };
  const call: Call = (url, request = {}) =>
    plain(url, { ...request, headers: { ...request.headers, ...authorization } });
  const path = `androidpublisher/v3/applications/${encodeURIComponent(packageName)}/edits`;
  const edits = `${googlePlayUrl}/${path}`;
  const opened = await call(edits, { method: 'POST', ...jsonBody({}) });
  const { id } = editCodec.parse(opened.body.toString('utf8'));
  await say(`Opened edit ${id}.`);

  const upload = `${googlePlayUrl}/upload/${path}/${id}/${kind === 'aab' ? 'bundles' : 'apks'}?uploadType=resumable`;
  const begun = await call(upload, {
    method: 'POST',
    headers: { 'x-upload-content-type': 'application/octet-stream', 'x-upload-content-length': String(size) },
    body: '',
  });
  const session = new URL(String(begun.headers.location));
  // The token is only sent to the store.
  if (session.origin !== new URL(googlePlayUrl).origin)
    throw new StoreRefusal('Google Play redirected the upload to another server.');
  const send = caller(ctx, [MORE]);
  let lastBody: Buffer = Buffer.alloc(0);
  for (let start = 0; start < size; ) {
    const end = Math.min(start + CHUNK_SIZE, size) - 1;
    const blob = await ctx.blobs.get(key, { start, end });
    if (!blob) throw new StoreRefusal('The file of this release no longer exists. Upload the release again.');
    const headers = { ...authorization, 'content-range': `bytes ${start}-${end}/${size}` };
    const response = await send(session.href, { method: 'PUT', headers, body: await buffer(blob.stream) });
    const received = response.status === MORE ? getReceivedBytes(response) : size;
    if (received <= start)
      throw new OutboundError('unreachable', `Google Play has received only ${received} of ${size} bytes.`);
    start = received;
    lastBody = response.body;
  }
  const { versionCode } = packageCodec.parse(lastBody.toString('utf8'));
  await say(`Uploaded ${size} bytes; Google Play detected version code ${versionCode}.`);

  const release = {
    versionCodes: [String(versionCode)],
    status: 'completed',
    ...(notes ? { releaseNotes: [{ language: 'en-US', text: notes.slice(0, 500) }] } : {}),
  };
  await call(`${edits}/${id}/tracks/${track}`, { method: 'PUT', ...jsonBody({ track, releases: [release] }) });
  await say(`Assigned the release to the track ${track}.`);
  await call(`${edits}/${id}:commit`, { method: 'POST', body: '' });
  await say('Committed.');
}
