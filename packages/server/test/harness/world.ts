import { systemCtx } from '../../src/context.ts';
import { tx } from '../../src/db/tx.ts';
import { createPasswordReset } from '../../src/domains/accounts/password-resets.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/setup.ts';
import { insertAttempt } from '../../src/domains/health/webhooks/deliveries.store.ts';
import { findSubjectUser } from '../../src/domains/identity/subjects.ts';
import type { TestApp } from './app.ts';
import { addClient, openBrowser, pkce } from './oauth.ts';

const subscriptionId = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';

/** Something of everything, so that no table is empty. */
export async function fillWorld(app: TestApp): Promise<{ token: string }> {
  await prepareFirstAdmin(systemCtx(app.deps));
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const token = await app.userToken(ada, { description: 'night\t"ly"\n\u2028 ⚓ 日本丸 \\u0041 \'x\'' });
  const send = async (method: string, url: string, body?: object) => {
    const answer = await app.call(method, url, { token, body });
    if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`);
    return answer.body ? answer.json() : undefined;
  };
  const lighthouse = await app.addOrg(ada, 'lighthouse');
  await app.addToOrg(lighthouse, grace, 'collaborator');
  const beacon = await app.addOrgApp(lighthouse, ada, 'beacon');
  await app.addTeam(lighthouse, ada, 'pilots', { users: [grace], apps: [beacon] });
  await app.addApp(ada, 'compass');
  await send('POST', '/v0.1/orgs/lighthouse/service_accounts', { display_name: 'Robot' });
  await send('POST', '/v0.1/orgs/lighthouse/invitations', { user_email: 'new@example.com' });
  await send('PATCH', '/v0.1/orgs/lighthouse', { name: 'lantern' });
  const group = '/v0.1/orgs/lantern/distribution_groups';
  await send('POST', group, { name: 'Divers' });
  await send('POST', `${group}/Divers/apps`, { apps: [{ name: 'beacon' }] });
  await send('POST', `${group}/Divers/members`, { user_emails: ['grace@example.com', 'tester@example.com'] });
  await app.addSubscription(subscriptionId, 'ada');
  await app.publish('BC_1-FXZ');
  await send('POST', '/v0.1/admin/health_operators', { user_name: 'grace' });
  await send('PUT', `/subscriptions/${subscriptionId}/readers/grace?api-version=2024-02-01`, {});
  await send('POST', '/v0.1/apps/ada/compass/azure_subscriptions', { subscription_id: subscriptionId });
  const health = `/subscriptions/${subscriptionId}/providers/Vendor.ResourceHealth`;
  const webhook = await send('POST', `${health}/webhooks?api-version=2024-02-01`, { url: 'https://hooks.example.com' });
  const delivery = await send('POST', `${health}/webhooks/${webhook.id}/test?api-version=2024-02-01`, {});
  // Written by itself: making an attempt would need the network.
  const attempt = { number: 1, at: 1, ms: 2, status: null, error: 'refused', answer: null };
  await tx(app.deps, ({ db }) => insertAttempt.run(db, { ...attempt, delivery_id: delivery.id }));
  await send('POST', `${health}/feeds?api-version=2024-02-01`, {});
  const client = await addClient(app);
  const browser = openBrowser(app);
  await browser.signIn('grace');
  await browser.obtain(client);
  await browser.obtain(client, pkce);
  const claims = { iss: 'https://login.example.com', sub: 'g', email: grace.email, email_verified: true };
  await findSubjectUser(app.deps, claims);
  await createPasswordReset(app.as(ada), grace.id);
  await app.buryJob();
  await app.call('POST', '/v0.1/sessions', { body: { login: 'grace', password: 'a wrong password' } });
  return { token };
}
