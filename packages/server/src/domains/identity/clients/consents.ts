import type { UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { AUTHORIZE_PATH, buildRedirect, readAuthorizeRequest } from '../authorize/authorize.ts';
import { type AuthorizeRequest, checks, firstRefusal } from '../authorize/authorize-checks.ts';
import { consentEnded } from '../identity.events.ts';
import { lockClientRow } from './clients.store.ts';
import { type Client, findClient, listClients } from './clients.ts';
import { deleteConsent, listUserConsents, saveConsent } from './consents.store.ts';
import { loopbackOrigin } from './redirect-uris.ts';

export interface Consent {
  clientId: string;
  clientName: string;
  grantedAt: number;
}

/** A request that may be shown to a user: runs the checks of the authorize endpoint, up to those on the user. */
async function readRequest(
  ctx: UserCtx,
  raw: string,
): Promise<AuthorizeRequest & { client: Client; redirectUri: string }> {
  const request = await readAuthorizeRequest(ctx, raw);
  if ('problem' in request) throw badRequest(request.problem);
  const refusal = firstRefusal(checks.request, request);
  if (refusal && 'page' in refusal) throw badRequest(refusal.page);
  if (refusal && 'error' in refusal) throw badRequest(refusal.description);
  if (!request.client) throw badRequest('client_id is missing.');
  return { ...request, client: request.client, redirectUri: request.query.get('redirect_uri') ?? '' };
}

export async function describeRequest(ctx: UserCtx, raw: string): Promise<{ client: Client; redirectUri: string }> {
  const { client, redirectUri } = await readRequest(ctx, raw);
  return { client, redirectUri };
}

/** Stores the decision of the user. Returns the next URL of the browser: the authorize endpoint, or the client. */
export async function completeConsent(ctx: UserCtx, raw: string, isAllowed: boolean): Promise<string> {
  const { client, query, redirectUri } = await readRequest(ctx, raw);
  const { user } = ctx.actor;
  const subject = { kind: 'oauth_client', id: client.id, name: client.name } as const;
  await tx(ctx, async (ctx) => {
    if (isAllowed) {
      // Locks the client: a concurrent deletion also deletes this consent.
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
    : buildRedirect(query, { error: 'access_denied', error_description: 'The user denied access.' });
}

export async function listConsents(ctx: UserCtx): Promise<Consent[]> {
  const rows = await listUserConsents.all(ctx.db, { userId: ctx.actor.user.id });
  const names = new Map((await listClients(ctx)).map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    clientId: row.client_id,
    clientName: names.get(row.client_id) ?? row.client_id,
    grantedAt: row.granted_at,
  }));
}

/**
 * Access tokens are checked against the consent, so they end with it; listeners delete the feeds and webhooks that the client
 * created.
 */
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
