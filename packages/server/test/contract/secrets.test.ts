import {
  adminUsers_resetPassword,
  appApiTokens_create,
  appInvitations_accept,
  endpoints,
  HealthFeeds_Create,
  HealthWebhookDeliveries_Replay,
  HealthWebhooks_Create,
  invitations_signUp,
  isRead,
  orgInvitations_accept,
  passwordResets_use,
  serviceAccountTokens_create,
  userApiTokens_create,
} from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import { createLinkReader, exampleRequest, getId } from '@mooring/contract/fixtures';
import { expect, test } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import { tx } from '../../src/db/tx.ts';
import { sendMail } from '../../src/domains/mail/index.ts';
import { fixtureCopies } from '../harness/fixtures.ts';
import { eachDatabase } from '../harness/services/databases.ts';

const getSecret = (link: string): string => link.split(/[/=]/).at(-1) ?? '';

eachDatabase('every operation', (dialect) => {
  const openCopy = fixtureCopies(dialect);

  test('that reads does not return secrets to a Read-Only token of an administrator', async () => {
    const { app, fixtures } = await openCopy();
    const { ada, grace } = fixtures;
    const { params, query } = examples.HealthFeeds_Create;
    const url = 'https://hooks.example.com/secret-of-receiver';
    const webhook = await ada.call(HealthWebhooks_Create, { params, query, body: { url } });
    const feed = await ada.call(HealthFeeds_Create, { params, query, body: {} });
    const reset = 'https://mooring.example.com/reset-password#token=secret-of-reset';
    await sendMail(systemCtx(app.deps), { to: 'ada@example.com', subject: 'Password', text: reset });
    const made = { status: 404, error: null, answer: 'Cannot POST /secret-of-receiver' };
    const failed = {
      delivery_id: getId(fixtures, HealthWebhookDeliveries_Replay, 'deliveryId'),
      number: 1,
      at: 0,
      ms: 1,
      ...made,
    };
    await tx(app.deps, ({ db }) => db.query((q) => q.insertInto('delivery_attempts').values(failed)));
    const ofApp = { params: examples.appApiTokens_create.params, body: {} };
    const account = { params: examples.serviceAccountTokens_create.params, body: {} };
    const secrets = [
      ada.token,
      'secret-of-receiver',
      getSecret(reset),
      webhook.secret,
      getSecret(feed.atomUrl.replace('/events.atom', '')),
      (await ada.call(userApiTokens_create, { body: {} })).api_token,
      (await ada.call(appApiTokens_create, ofApp)).api_token,
      (await ada.call(serviceAccountTokens_create, account)).api_token,
      getSecret((await ada.call(adminUsers_resetPassword, { params: { user_id: grace.id }, body: {} })).link),
      getSecret((await createLinkReader(ada.call)(ada.email, '/invitations/group/')) ?? ''),
      getId(fixtures, passwordResets_use, 'reset_token'),
      ...[orgInvitations_accept, appInvitations_accept, invitations_signUp].map((spec) =>
        getId(fixtures, spec, 'invitation_token'),
      ),
    ];
    expect(secrets.filter((secret) => !(secret.length >= 15))).toEqual([]);
    const { api_token: token } = await ada.call(userApiTokens_create, { body: { scope: ['viewer'] } });
    const leaks: string[] = [];
    for (const spec of endpoints.filter((spec) => isRead(spec) && !spec.surface?.takesOwnToken)) {
      const { method, url, headers, body } = exampleRequest(spec, { ids: fixtures.ids });
      const answer = await app.call(method, url, { token, headers, body });
      // It is at most Viewer of an app.
      const isTooHigh = ['app:developer', 'app:manager'].includes(spec.access);
      const outcome = answer.statusCode < 400 ? 'read' : answer.statusCode;
      expect([spec.id, outcome]).toEqual([spec.id, isTooHigh ? 403 : 'read']);
      leaks.push(...secrets.filter((secret) => answer.body.includes(secret)).map((secret) => `${spec.id}: ${secret}`));
    }
    expect(leaks).toEqual([]);
  });
});
