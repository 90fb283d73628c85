import type { Ctx, UserActor } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { HOUR, MINUTE } from '../../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto/crypto.ts';
import { signText, verifyText } from '../../../kernel/crypto/sealed.ts';
import { type Client, findClient } from '../clients/clients.ts';
import { findStanding } from '../clients/consents.store.ts';
import { issueAccessToken } from '../tokens/access-tokens.ts';
import { listAudiences } from '../tokens/tenant.ts';
import {
  type AuthorizeRequest,
  checks,
  firstRefusal,
  getResponseMode,
  getResponseType,
  type Person,
  SCOPE,
} from './authorize-checks.ts';
import { insertCode } from './codes.store.ts';

export const AUTHORIZE_PATH = '/common/oauth2/authorize';
export const CODE_LIFETIME = MINUTE;

/** The request is carried through the pages of this server in a URL, so it must fit into one. */
const MAX_QUERY = 4000;
/** Maximum time for the user to sign in and consent. */
const PATIENCE = HOUR;
const PURPOSE = 'oauth-asked-at';

/** The next URL of the browser, or a problem to show on a page of this server. */
export type Outcome = { location: string } | { problem: string };

const marker = /&asked=(\d{1,15})\.([\w-]{43})$/;

/** Adds a signed note to a request with the time when the user was first asked. */
export const markRequest = ({ clock, secretKey }: Ctx, query: string): string => {
  const now = clock.now();
  return `${query}&asked=${now}.${signText(secretKey, PURPOSE, `${now} ${query}`)}`;
};

/** Splits off that note and returns its time; an old or forged note counts as missing. */
export function readRequest({ clock, secretKey }: Ctx, raw: string): { query: string; promptedAt: number | undefined } {
  const [note, time = '', signature = ''] = marker.exec(raw) ?? [];
  if (!note) return { query: raw, promptedAt: undefined };
  const query = raw.slice(0, -note.length);
  const isOurs = verifyText(secretKey, PURPOSE, `${time} ${query}`, signature);
  const isCurrent = Number(time) > clock.now() - PATIENCE;
  return { query, promptedAt: isOurs && isCurrent ? Number(time) : undefined };
}

/**
 * Builds the response to a client, in the fragment or the query. Encodes spaces as %20, which every client can decode.
 */
export function buildRedirect(query: URLSearchParams, values: Record<string, string | number | undefined>): string {
  const uri = query.get('redirect_uri') ?? '';
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...values, state: query.get('state') ?? undefined })) {
    if (value !== undefined) text.set(name, String(value));
  }
  const sign = getResponseMode(query) === 'fragment' ? '#' : uri.includes('?') ? '&' : '?';
  return `${uri}${sign}${text.toString().replaceAll('+', '%20')}`;
}

/** Only accepts a signed-in browser: a token must not create further tokens. */
const getSessionActor = ({ actor }: Ctx): (UserActor & { credential: { kind: 'session'; id: string } }) | undefined =>
  actor.kind === 'user' && actor.credential.kind === 'session' ? { ...actor, credential: actor.credential } : undefined;

async function findPerson(ctx: Ctx, client: Client | undefined): Promise<Person | undefined> {
  const actor = getSessionActor(ctx);
  if (!actor) return undefined;
  const ids = { sessionId: actor.credential.id, userId: actor.user.id, clientId: client?.id ?? '' };
  const row = await findStanding.first(ctx.db, ids);
  if (!row) return undefined;
  const consent =
    row.granted_at === null || row.loopback_origin === null
      ? undefined
      : { origin: row.loopback_origin, grantedAt: row.granted_at };
  return { name: row.name, email: row.email, signedInAt: row.signed_in_at, consent };
}

/** Loads the resources that a request names, or returns why it cannot be processed. */
export async function readAuthorizeRequest(
  ctx: Ctx,
  raw: string,
): Promise<(AuthorizeRequest & { text: string }) | { problem: string }> {
  const { query: text, promptedAt } = readRequest(ctx, raw);
  if (text.length > MAX_QUERY) return { problem: `The request is longer than ${MAX_QUERY} characters.` };
  if (!/^[\x21\x22\x24-\x7e]*$/.test(text))
    return { problem: 'The request contains characters that must be percent-encoded.' };
  const query = new URLSearchParams(text);
  const client = await findClient(ctx, query.get('client_id') ?? '');
  const person = await findPerson(ctx, client);
  return { text, query, client, person, promptedAt, audiences: listAudiences(ctx) };
}

/** Processes a request to the authorize endpoint: returns a response for the client, or the next step for the user. */
export async function authorize(ctx: Ctx, raw: string): Promise<Outcome> {
  const request = await readAuthorizeRequest(ctx, raw);
  if ('problem' in request) return request;
  const { query, text, promptedAt } = request;
  const refusal = firstRefusal(checks.all, request);
  if (!refusal) return { location: buildRedirect(query, await grant(ctx, request)) };
  if ('page' in refusal) return { problem: refusal.page };
  if ('error' in refusal) {
    return { location: buildRedirect(query, { error: refusal.error, error_description: refusal.description }) };
  }
  const marked = promptedAt === undefined ? markRequest(ctx, text) : raw;
  return { location: refusal.next === 'consent' ? `/consent?${marked}` : signInPage(request, marked) };
}

function signInPage({ query, person }: AuthorizeRequest, request: string): string {
  const page = new URLSearchParams({ next: `${AUTHORIZE_PATH}?${request}` });
  if (person) page.set('again', 'true');
  const hint = query.get('login_hint');
  if (hint) page.set('login', hint);
  return `/sign-in?${page}`;
}

async function grant(
  ctx: Ctx,
  { query, client, audiences }: AuthorizeRequest,
): Promise<Record<string, string | number>> {
  const actor = getSessionActor(ctx);
  if (!actor || !client) throw new Error('A request passed the checks without a user or a client.');
  const holder = { user: actor.user, sessionId: actor.credential.id, clientId: client.id };
  const audience = query.get('resource') || (audiences[0] ?? '');
  ctx.log.info({ client: client.id, user: actor.user.id, flow: getResponseType(query) }, 'access granted');
  if (getResponseType(query) === 'code') {
    const code = randomBase62(43);
    await tx(ctx, ({ db, clock }) =>
      insertCode.run(db, {
        hash: sha256(code),
        client_id: client.id,
        user_id: actor.user.id,
        session_id: actor.credential.id,
        redirect_uri: query.get('redirect_uri') ?? '',
        audience,
        challenge: query.get('code_challenge') ?? '',
        expires_at: clock.now() + CODE_LIFETIME,
      }),
    );
    return { code };
  }
  const { value, expiresIn } = await issueAccessToken(ctx, { ...holder, audience });
  return { access_token: value, token_type: 'Bearer', expires_in: expiresIn, scope: SCOPE };
}
