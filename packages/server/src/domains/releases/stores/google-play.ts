import { sign } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Deps } from '../../../context.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { OutboundError, type OutboundRequest } from '../../../outbound/fetch.ts';

/** The key of a service account, as Google gives it out. */
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

/** The store said no, and would say it again. */
export class StoreRefusal extends Error {
  override name = 'StoreRefusal';
}

/** A multiple of 256 KiB, as the store wants it. */
const PIECE = 8 * 1024 * 1024;

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Off the main thread: a key of odd numbers takes a second to sign with. */
const signInPool = promisify(sign);

async function assertionOf(
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

/** What the store says in its own words, as far as it is meant for people. */
function messageIn(body: Buffer): string {
  try {
    const { error, error_description } = JSON.parse(body.toString('utf8'));
    return String(error_description ?? error?.message ?? error ?? '').slice(0, 500);
  } catch {
    return '';
  }
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Buffer;
}
type Call = (url: string, request?: OutboundRequest) => Promise<Answer>;

/** What cannot be answered now may be later; what was refused stays so. */
function caller({ fetch }: Pick<Deps, 'fetch'>, accepts: readonly number[] = []): Call {
  return async (url, request) => {
    const { status, headers, body } = await fetch(url, { timeoutMs: 2 * MINUTE, ...request });
    if ((status >= 200 && status < 300) || accepts.includes(status)) return { status, headers, body };
    const reason = `${new URL(url).host} answered ${status}: ${messageIn(body)}`;
    throw status === 429 || status >= 500 ? new OutboundError('unreachable', reason) : new StoreRefusal(reason);
  };
}

const MORE = 308;

/** How much the store has of what it was sent: it may keep less than came. */
const keptBy = ({ headers }: Answer): number => Number(/^bytes=0-(\d+)$/.exec(String(headers.range))?.[1] ?? -1) + 1;

const jsonBody = (value: object): OutboundRequest => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/**
 * Publishes a package on a track by the published interface of the store: an edit is opened, the package is sent in pieces, the
 * track is told of it, and only then the edit is committed; one that is not is forgotten by the store.
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
    assertion: await assertionOf(account, googleTokenUrl, ctx.clock.now()),
  });
  const plain = caller(ctx);
  const signedIn = await plain(googleTokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const { access_token } = JSON.parse(signedIn.body.toString('utf8'));
  await say(`Signed in as ${account.client_email}.`);
  const authorization = { authorization: `Bearer ${access_token}` };
  const call: Call = (url, request = {}) =>
    plain(url, { ...request, headers: { ...request.headers, ...authorization } });
  const path = `androidpublisher/v3/applications/${encodeURIComponent(packageName)}/edits`;
  const edits = `${googlePlayUrl}/${path}`;
  const opened = await call(edits, { method: 'POST', ...jsonBody({}) });
  const { id } = JSON.parse(opened.body.toString('utf8'));
  await say(`Opened edit ${id}.`);

  const upload = `${googlePlayUrl}/upload/${path}/${id}/${kind === 'aab' ? 'bundles' : 'apks'}?uploadType=resumable`;
  const begun = await call(upload, {
    method: 'POST',
    headers: { 'x-upload-content-type': 'application/octet-stream', 'x-upload-content-length': String(size) },
    body: '',
  });
  const session = new URL(String(begun.headers.location));
  // The token goes to the store alone.
  if (session.origin !== new URL(googlePlayUrl).origin) throw new StoreRefusal('The store sent the package elsewhere.');
  const send = caller(ctx, [MORE]);
  let answered: Buffer = Buffer.alloc(0);
  for (let start = 0; start < size; ) {
    const end = Math.min(start + PIECE, size) - 1;
    const blob = await ctx.blobs.get(key, { start, end });
    if (!blob) throw new StoreRefusal('The file of this release is gone.');
    const headers = { ...authorization, 'content-range': `bytes ${start}-${end}/${size}` };
    const answer = await send(session.href, { method: 'PUT', headers, body: await buffer(blob.stream) });
    const kept = answer.status === MORE ? keptBy(answer) : size;
    if (kept <= start) throw new OutboundError('unreachable', `The store has kept ${kept} of ${size} bytes.`);
    start = kept;
    answered = answer.body;
  }
  const { versionCode } = JSON.parse(answered.toString('utf8'));
  await say(`Sent ${size} bytes; the store reads version code ${versionCode}.`);

  const release = {
    versionCodes: [String(versionCode)],
    status: 'completed',
    ...(notes ? { releaseNotes: [{ language: 'en-US', text: notes.slice(0, 500) }] } : {}),
  };
  await call(`${edits}/${id}/tracks/${track}`, { method: 'PUT', ...jsonBody({ track, releases: [release] }) });
  await say(`Put it on the track ${track}.`);
  await call(`${edits}/${id}:commit`, { method: 'POST', body: '' });
  await say('Committed.');
}
