import { exampleOf, examples } from '@mooring/contract/examples';
import { formOf, png } from '../../../../tools/images.ts';
import { systemCtx } from '../../src/context.ts';
import { tx } from '../../src/db/tx.ts';
import { createPasswordReset } from '../../src/domains/accounts/password-resets.ts';
import { answerRequest } from '../../src/domains/identity/consents.ts';
import { findSubjectUser } from '../../src/domains/identity/subjects.ts';
import { sendMail } from '../../src/domains/mail/index.ts';
import { sha256 } from '../../src/kernel/crypto.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { TestApp } from './app.ts';
import { addClient } from './oauth.ts';

const inPath = (id: string, name: string): string => exampleOf({ id }).params?.[name] ?? '';

export const picture = formOf({ fileName: 'a.png', type: 'image/png', content: png(1, 1) });

/** The people and things that the examples of the API document speak of, with the ids that they have there. */
export async function fillExampleWorld(app: TestApp): Promise<{ token: string }> {
  /** What is made first gets this id. */
  const named = <T>(id: string, make: () => Promise<T>): Promise<T> => {
    app.deps.newId = () => {
      app.deps.newId = newId;
      return id;
    };
    return make();
  };
  const ada = await named(inPath('adminUsers_update', 'user_id'), () => app.addUser('ada', { isAdmin: true }));
  const grace = await named(inPath('adminUsers_resetPassword', 'user_id'), () => app.addUser('grace'));
  const [token, graces] = [await app.userToken(ada), await app.userToken(grace)];
  const call = async (method: string, url: string, body: unknown = {}, by = token, type = 'application/json') => {
    const answer = await app.call(method, url, { token: by, body, headers: { 'content-type': type } });
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
    return answer.body === '' ? undefined : answer.json();
  };

  const compass = await app.addApp(ada, 'compass');
  await app.addMember(compass, grace, 'developer');
  const lighthouse = await app.addOrg(ada, 'lighthouse');
  await app.addToOrg(lighthouse, grace, 'collaborator');
  const shared = await app.addOrgApp(lighthouse, ada, 'compass');
  await app.addOrgApp(lighthouse, ada, 'tide-table');
  await app.addOrg(ada, 'harbour');
  await app.addTeam(lighthouse, ada, 'pilots', { users: [grace], apps: [shared] });
  const robot = '/v0.1/orgs/lighthouse/service_accounts';
  await call('POST', robot, { display_name: 'Build robot', name: 'build-robot' });
  for (const home of ['/v0.1/apps/ada/compass', '/v0.1/orgs/lighthouse']) {
    await call('POST', `${home}/avatar`, picture.body, token, picture.type);
    await call('POST', `${home}/invitations`, { user_email: 'new@example.com', role: 'member' });
    await call('POST', `${home}/distribution_groups`, { name: 'Beta divers' });
    const members = `${home}/distribution_groups/Beta%20divers/members`;
    await call('POST', members, { user_emails: ['grace@example.com', 'new@example.com'] });
  }
  const apps = '/v0.1/orgs/lighthouse/distribution_groups/Beta%20divers/apps';
  await call('POST', apps, { apps: [{ name: 'compass' }] });

  await named(inPath('userApiTokens_delete', 'api_token_id'), () => app.userToken(ada));
  await named(inPath('appApiTokens_delete', 'api_token_id'), () => app.appToken(compass, ada));
  await named(inPath('serviceAccountTokens_delete', 'api_token_id'), () =>
    call('POST', `${robot}/build-robot/api_tokens`),
  );

  await app.addOrg(grace, 'jetty');
  await call('POST', '/v0.1/orgs/jetty/invitations', { user_email: ada.email, role: 'member' }, graces);
  await app.addApp(grace, 'sextant');
  await call('POST', '/v0.1/apps/grace/sextant/invitations', { user_email: ada.email, role: 'member' }, graces);
  await createPasswordReset(app.as(ada), grace.id);
  await knowSecrets(app);

  const clientId = inPath('adminOauthClients_update', 'client_id');
  await named(clientId, () => addClient(app));
  await answerRequest(app.as(ada), examples.oauthRequests_get.query.request, true);
  const claims = { iss: 'https://login.example.com', sub: 'a', email: ada.email, email_verified: true };
  await findSubjectUser(app.deps, claims);
  await named(inPath('adminJobs_replay', 'job_id'), () => app.buryJob());
  const mail = {
    to: 'grace@example.com',
    subject: 'Come aboard',
    text: 'https://mooring.example.com/invitations/org/a',
  };
  await named(inPath('adminMails_revealLink', 'mail_id'), () =>
    sendMail({ ...systemCtx(app.deps), newId: () => app.deps.newId() }, mail),
  );

  const { subscriptionId, webhookId, deliveryId } = examples.WebhookDeliveries_Replay.params;
  const version = '?api-version=2024-02-01';
  const subscription = `/subscriptions/${subscriptionId}`;
  await call('PUT', subscription + version, examples.Subscriptions_Save.body);
  await call('PUT', `${subscription}/readers/grace${version}`);
  await call('POST', '/v0.1/admin/health_operators', { user_name: 'grace' });
  await call('POST', '/v0.1/apps/ada/compass/azure_subscriptions', { subscription_id: subscriptionId });
  const events = '/providers/Vendor.ResourceHealth/events';
  await call('PUT', `${events}/${inPath('Event_Publish', 'trackingId')}${version}`, examples.Event_Publish.body);
  const health = `${subscription}/providers/Vendor.ResourceHealth`;
  await named(webhookId, () => call('POST', `${health}/webhooks${version}`, examples.Webhooks_Create.body));
  await named(deliveryId, () => call('POST', `${health}/webhooks/${webhookId}/test${version}`));
  // No verb does this: it takes fifteen failures and seven hours.
  await tx(app.deps, ({ db }) => db.query((q) => q.updateTable('webhook_deliveries').set({ state: 'Failed' })));
  await named(inPath('Feeds_Delete', 'feedId'), () => call('POST', `${health}/feeds${version}`));
  return { token };
}

/** Secrets are stored as hashes, and nobody chooses them: those of the examples are put in the place of those that were made. */
async function knowSecrets({ deps }: TestApp): Promise<void> {
  const secrets = [
    ['org', 'ada@example.com', inPath('orgInvitations_accept', 'invitation_token')],
    ['app', 'ada@example.com', inPath('appInvitations_accept', 'invitation_token')],
    ['org', 'new@example.com', inPath('invitations_signUp', 'invitation_token')],
  ] as const;
  await tx(deps, async ({ db }) => {
    for (const [kind, email, secret] of secrets) {
      await db.query((q) =>
        q
          .updateTable('invitations')
          .set({ token_hash: sha256(secret) })
          .where('kind', '=', kind)
          .where('email', '=', email),
      );
    }
    const reset = sha256(inPath('passwordResets_use', 'reset_token'));
    await db.query((q) => q.updateTable('password_resets').set({ token_hash: reset }));
  });
}

/** A server that nobody has set up, and whose set-up token is the one of the example. */
export async function awaitSetUp({ deps }: TestApp): Promise<void> {
  const value = sha256(examples.server_setUp.body.setup_token);
  await tx(deps, ({ db }) =>
    db.query((q) => q.insertInto('key_values').values({ name: 'accounts.setup_token_hash', value })),
  );
}
