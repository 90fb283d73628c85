import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { north, withHooks } from '../../../test/harness/services/hooks.ts';
import { signedIn } from '../../../test/harness/services/oauth.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { consentEnded, TRUSTED_ISSUER } from '../identity/index.ts';

const version = '?api-version=2024-02-01';
const home = `/subscriptions/${north}/providers/Vendor.ResourceHealth`;

/** Hedy creates a webhook and a feed herself, and one of each with an OAuth token. */
async function withConsent(dialect: DialectName) {
  const fixtures = await withHooks(dialect);
  const { app, target } = fixtures;
  const { user, client, browser, token } = await signedIn(app, 'hedy');
  await fixtures.addReader('hedy');
  const own = await app.userToken(user);
  const make = async (what: string, body: object, credential: object): Promise<{ id: string; atomUrl: string }> =>
    (await app.call('POST', `${home}/${what}${version}`, { ...credential, body })).json();
  const byClient = { headers: { authorization: `Bearer ${token}` } };
  for (const credential of [{ token: own }, byClient]) await make('webhooks', { url: target.url }, credential);
  const ownFeed = await make('feeds', {}, { token: own });
  const feed = await make('feeds', {}, byClient);
  const read = async ({ atomUrl }: { atomUrl: string }) =>
    (await app.call('GET', new URL(atomUrl).pathname)).statusCode;
  const left = async () => ({
    webhooks: (await app.call('GET', `${home}/webhooks${version}`, { token: own })).json().value.length,
    feeds: [await read(ownFeed), await read(feed)],
  });
  const deletions = async () =>
    (await app.database.query((q) => q.selectFrom('audit_events').select('action')))
      .map(({ action }) => action)
      .filter((action) => ['webhook.delete', 'feed.delete'].includes(action));
  return { ...fixtures, user, client, browser, left, deletions };
}

eachDatabase('webhooks and feeds created with an OAuth token', (dialect) => {
  test('end with the consent, while those that the user created remain', async () => {
    const { app, browser, client, left, deletions } = await withConsent(dialect);
    expect(await left()).toEqual({ webhooks: 2, feeds: [200, 200] });
    const response = await app.call('DELETE', `/v0.1/oauth/consents/${client.id}`, { headers: browser.headers });
    expect(response.statusCode).toBe(204);
    expect(await left()).toEqual({ webhooks: 1, feeds: [200, 404] });
    expect((await deletions()).sort()).toEqual(['feed.delete', 'webhook.delete']);
  });

  test('end with the client', async () => {
    const { app, client, left } = await withConsent(dialect);
    const root = await app.userToken(await app.addUser('root', { isAdmin: true }));
    await app.call('DELETE', `/v0.1/admin/oauth_clients/${client.id}`, { token: root });
    expect(await left()).toEqual({ webhooks: 1, feeds: [200, 404] });
  });

  test('remain when the access of another user or client ends', async () => {
    const { app, ada, user, client, left } = await withConsent(dialect);
    await tx(systemCtx(app.deps), async (ctx) => {
      await publish(ctx, consentEnded, { clientId: client.id, userId: ada.id });
      await publish(ctx, consentEnded, { clientId: TRUSTED_ISSUER, userId: user.id });
    });
    expect(await left()).toEqual({ webhooks: 2, feeds: [200, 200] });
  });
});
