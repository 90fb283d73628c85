import type { Ctx, UserActor } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { HOUR, MINUTE } from '../../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto.ts';
import { signText, verifyText } from '../../../kernel/sealed.ts';
import { type Client, findClient } from '../clients/clients.ts';
import { findStanding } from '../clients/consents.store.ts';
import { issueAccessToken } from '../tokens/access-tokens.ts';
import { audiencesOf } from '../tokens/tenant.ts';
import { type Asked, checks, firstRefusal, flowOf, modeOf, type Person, SCOPE } from './authorize-checks.ts';
import { insertCode } from './codes.store.ts';

export const AUTHORIZE_PATH = '/common/oauth2/authorize';
export const CODE_LIFETIME = MINUTE;

/** What is carried along to the pages and back must fit into an address there too. */
const MAX_QUERY = 4000;
/** How long a person may take to sign in and to answer. */
const PATIENCE = HOUR;
const PURPOSE = 'oauth-asked-at';

/** Where the browser goes next, or what it shows because it must not be sent anywhere. */
export type Outcome = { location: string } | { problem: string };

const marker = /&asked=(\d{1,15})\.([\w-]{43})$/;

/** Notes in a request, so that nobody can change it, when the person was first asked. */
export const markRequest = ({ clock, secretKey }: Ctx, query: string): string => {
  const now = clock.now();
  return `${query}&asked=${now}.${signText(secretKey, PURPOSE, `${now} ${query}`)}`;
};

/** The request without that note, and when it says; a note that is old or forged is none. */
export function readRequest({ clock, secretKey }: Ctx, raw: string): { query: string; askedAt: number | undefined } {
  const [note, time = '', signature = ''] = marker.exec(raw) ?? [];
  if (!note) return { query: raw, askedAt: undefined };
  const query = raw.slice(0, -note.length);
  const isOurs = verifyText(secretKey, PURPOSE, `${time} ${query}`, signature);
  const isCurrent = Number(time) > clock.now() - PATIENCE;
  return { query, askedAt: isOurs && isCurrent ? Number(time) : undefined };
}

/** An answer to a client, in the fragment or the query. Spaces become %20, which every client can read. */
export function answerTo(query: URLSearchParams, values: Record<string, string | number | undefined>): string {
  const uri = query.get('redirect_uri') ?? '';
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...values, state: query.get('state') ?? undefined })) {
    if (value !== undefined) text.set(name, String(value));
  }
  const sign = modeOf(query) === 'fragment' ? '#' : uri.includes('?') ? '&' : '?';
  return `${uri}${sign}${text.toString().replaceAll('+', '%20')}`;
}

/** Only a browser that is signed in counts: a token must not make further tokens. */
const sessionOf = ({ actor }: Ctx): (UserActor & { credential: { kind: 'session'; id: string } }) | undefined =>
  actor.kind === 'user' && actor.credential.kind === 'session' ? { ...actor, credential: actor.credential } : undefined;

async function findPerson(ctx: Ctx, client: Client | undefined): Promise<Person | undefined> {
  const actor = sessionOf(ctx);
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

/** What is known about a request, or why it cannot even be looked at. */
export async function readAsked(ctx: Ctx, raw: string): Promise<(Asked & { text: string }) | { problem: string }> {
  const { query: text, askedAt } = readRequest(ctx, raw);
  if (text.length > MAX_QUERY) return { problem: `The request is longer than ${MAX_QUERY} characters.` };
  if (!/^[\x21\x22\x24-\x7e]*$/.test(text))
    return { problem: 'The request has characters in it that must be escaped.' };
  const query = new URLSearchParams(text);
  const client = await findClient(ctx, query.get('client_id') ?? '');
  const person = await findPerson(ctx, client);
  return { text, query, client, person, askedAt, audiences: audiencesOf(ctx) };
}

/** Decides about a request at the authorize endpoint: an answer for the client, or what the person has to do first. */
export async function authorize(ctx: Ctx, raw: string): Promise<Outcome> {
  const asked = await readAsked(ctx, raw);
  if ('problem' in asked) return asked;
  const { query, text, askedAt } = asked;
  const refusal = firstRefusal(checks.all, asked);
  if (!refusal) return { location: answerTo(query, await grant(ctx, asked)) };
  if ('page' in refusal) return { problem: refusal.page };
  if ('error' in refusal) {
    return { location: answerTo(query, { error: refusal.error, error_description: refusal.description }) };
  }
  const marked = askedAt === undefined ? markRequest(ctx, text) : raw;
  return { location: refusal.next === 'consent' ? `/consent?${marked}` : signInPage(asked, marked) };
}

function signInPage({ query, person }: Asked, request: string): string {
  const page = new URLSearchParams({ next: `${AUTHORIZE_PATH}?${request}` });
  if (person) page.set('again', 'true');
  const hint = query.get('login_hint');
  if (hint) page.set('login', hint);
  return `/sign-in?${page}`;
}

async function grant(ctx: Ctx, { query, client, audiences }: Asked): Promise<Record<string, string | number>> {
  const actor = sessionOf(ctx);
  if (!actor || !client) throw new Error('A request passed the checks without a person or a client.');
  const holder = { user: actor.user, sessionId: actor.credential.id, clientId: client.id };
  const audience = query.get('resource') || (audiences[0] ?? '');
  ctx.log.info({ client: client.id, user: actor.user.id, flow: flowOf(query) }, 'access granted');
  if (flowOf(query) === 'code') {
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
