import type { UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { AUTHORIZE_PATH, answerTo, readAsked } from '../authorize/authorize.ts';
import { type Asked, checks, firstRefusal } from '../authorize/authorize-checks.ts';
import { consentEnded } from '../identity.events.ts';
import { lockClientRow } from './clients.store.ts';
import { type Client, findClient, listClients } from './clients.ts';
import { deleteConsent, listConsentsOfUser, saveConsent } from './consents.store.ts';
import { loopbackOrigin } from './redirect-uris.ts';

export interface Consent {
  clientId: string;
  clientName: string;
  grantedAt: number;
}

/** A request that may be shown to a person: the same checks as at the authorize endpoint, up to those on the person. */
async function readRequest(ctx: UserCtx, raw: string): Promise<Asked & { client: Client; redirectUri: string }> {
  const asked = await readAsked(ctx, raw);
  if ('problem' in asked) throw badRequest(asked.problem);
  const refusal = firstRefusal(checks.request, asked);
  if (refusal && 'page' in refusal) throw badRequest(refusal.page);
  if (refusal && 'error' in refusal) throw badRequest(refusal.description);
  if (!asked.client) throw badRequest('client_id is missing.');
  return { ...asked, client: asked.client, redirectUri: asked.query.get('redirect_uri') ?? '' };
}

export async function describeRequest(ctx: UserCtx, raw: string): Promise<{ client: Client; redirectUri: string }> {
  const { client, redirectUri } = await readRequest(ctx, raw);
  return { client, redirectUri };
}

/** The person's answer to a request. Says where the browser goes: on to the client, by way of the checks. */
export async function answerRequest(ctx: UserCtx, raw: string, isAllowed: boolean): Promise<string> {
  const { client, query, redirectUri } = await readRequest(ctx, raw);
  const { user } = ctx.actor;
  const subject = { kind: 'oauth_client', id: client.id, name: client.name } as const;
  await tx(ctx, async (ctx) => {
    if (isAllowed) {
      // Whoever deletes the client at the same time also deletes this, or was first.
      if (!client.isBuiltIn && !(await lockClientRow.first(ctx.db, { id: client.id }))) {
        throw notFound('OAuth client', client.id);
      }
      const consent = { place: loopbackOrigin(redirectUri), granted_at: ctx.clock.now() };
      await saveConsent.run(ctx.db, { user_id: user.id, client_id: client.id, ...consent });
    }
    const after = { redirect_uri: redirectUri };
    await record(ctx, isAllowed ? 'oauth.consent' : 'oauth.deny', subject, { after });
  });
  return isAllowed
    ? `${AUTHORIZE_PATH}?${raw}`
    : answerTo(query, { error: 'access_denied', error_description: 'The person did not allow it.' });
}

export async function listConsents(ctx: UserCtx): Promise<Consent[]> {
  const rows = await listConsentsOfUser.all(ctx.db, { userId: ctx.actor.user.id });
  const names = new Map((await listClients(ctx)).map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    clientId: row.client_id,
    clientName: names.get(row.client_id) ?? row.client_id,
    grantedAt: row.granted_at,
  }));
}

/** Its access tokens are looked up with the consent, so they end with it; what was made with them by those who listen. */
export const revokeConsent = (ctx: UserCtx, clientId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const id = clientId.toLowerCase();
    if ((await deleteConsent.run(ctx.db, { userId: ctx.actor.user.id, clientId: id })) === 0) {
      throw notFound('consent for the client', clientId);
    }
    await publish(ctx, consentEnded, { clientId: id, userId: ctx.actor.user.id });
    const client = await findClient(ctx, id);
    await record(ctx, 'oauth.revoke_consent', { kind: 'oauth_client', id, name: client?.name });
  });
