import { changesSomething, type EndpointSpec, endpoints, isHealth } from '@mooring/contract';
import { exampleOf } from '@mooring/contract/examples';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { formOf } from '../../../../tools/images.ts';
import type { Config } from '../../src/config.ts';
import { systemCtx, type User } from '../../src/context.ts';
import type { DialectName } from '../../src/db/connection.ts';
import { tx } from '../../src/db/tx.ts';
import { createPasswordReset } from '../../src/domains/accounts/password-resets.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/setup.ts';
import { answerRequest } from '../../src/domains/identity/consents.ts';
import { findSubjectUser } from '../../src/domains/identity/subjects.ts';
import { sendMail } from '../../src/domains/mail/index.ts';
import { readSecretKey } from '../../src/kernel/secret-key.ts';
import { type Call, type TestApp, testApp } from '../harness/app.ts';
import { copyDatabase, eachDatabase, freshDatabase, type TestDatabase } from '../harness/databases.ts';
import { addClient, requestOf } from '../harness/oauth.ts';
import {
  examplePayload,
  type Facts,
  image,
  impact,
  otherSubscriptionId,
  password,
  payloadOf,
  samples,
  subscriptionId,
  urlOf,
} from './samples.ts';

const ajv = (formats as unknown as (ajv: Ajv) => Ajv)(new Ajv({ strict: true }));

/** A server with one of everything, so that each operation has something to work on. */
async function world(app: TestApp): Promise<World> {
  const admin = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const compass = await app.addApp(admin, 'compass');
  await app.addMember(compass, grace, 'developer');
  const lighthouse = await app.addOrg(admin, 'lighthouse');
  await app.addToOrg(lighthouse, grace, 'collaborator');
  const harbour = await app.addOrg(admin, 'harbour');
  await app.addToOrg(harbour, grace, 'member');
  await app.addOrgApp(harbour, admin, 'buoy');
  await app.addTeam(harbour, admin, 'pilots', { users: [grace], apps: [await app.addOrgApp(harbour, admin, 'tide')] });
  const token = await app.userToken(admin, { description: 'caller' });
  const robots = '/v0.1/orgs/lighthouse/service_accounts';
  await app.call('POST', robots, { token, body: { display_name: 'robot' } });
  await app.call('POST', `${robots}/robot/api_tokens`, { token, body: { description: 'spare' } });
  const invite = (url: string, by: string, user_email: string) =>
    app.call('POST', `${url}/invitations`, { token: by, body: { user_email } });
  await invite('/v0.1/orgs/lighthouse', token, 'new@example.com');
  await invite('/v0.1/apps/ada/compass', token, 'new@example.com');
  await app.addOrg(grace, 'jetty');
  await app.addApp(grace, 'sextant');
  const graces = await app.userToken(grace);
  await invite('/v0.1/orgs/jetty', graces, 'ada@example.com');
  await invite('/v0.1/apps/grace/sextant', graces, 'ada@example.com');
  const testers = [
    ['/v0.1/apps/ada/compass', token, 'new@example.com'],
    ['/v0.1/orgs/harbour', token, 'new@example.com'],
    ['/v0.1/apps/grace/sextant', graces, 'ada@example.com'],
  ] as const;
  for (const [home, by, email] of testers) {
    const groups = `${home}/distribution_groups`;
    await app.call('POST', groups, { token: by, body: { name: 'Beta divers' } });
    await app.call('POST', `${groups}/Beta%20divers/members`, { token: by, body: { user_emails: [email] } });
  }
  const shared = '/v0.1/orgs/harbour/distribution_groups/Beta%20divers/apps';
  await app.call('POST', shared, { token, body: { apps: [{ name: 'tide' }] } });
  const { type, body } = formOf(image);
  for (const url of ['/v0.1/apps/ada/compass', '/v0.1/orgs/lighthouse']) {
    await app.call('POST', `${url}/avatar`, { token, body, headers: { 'content-type': type } });
  }
  await app.addSubscription(subscriptionId, 'ada');
  await app.addSubscription(otherSubscriptionId, 'ada');
  await app.publish('BC_1-FXZ', { impact });
  await app.call('POST', '/v0.1/admin/health_operators', { token, body: { user_name: 'grace' } });
  await app.call('PUT', `/subscriptions/${subscriptionId}/readers/grace?api-version=2024-02-01`, { token, body: {} });
  await app.call('POST', '/v0.1/apps/ada/compass/azure_subscriptions', {
    token,
    body: { subscription_id: subscriptionId },
  });
  await app.userToken(admin, { description: 'spare' });
  await app.appToken(compass, admin, { description: 'spare' });
  const idOf = async (path: string) =>
    (await app.call('GET', path, { token }))
      .json()
      .find(({ description }: { description: string }) => description === 'spare').id;
  const client = await addClient(app);
  await answerRequest(app.as(admin), requestOf(client), true);
  const claims = { iss: 'https://login.example.com', sub: 'g', email: grace.email, email_verified: true };
  await findSubjectUser(app.deps, claims);
  const health = `/subscriptions/${subscriptionId}/providers/Vendor.ResourceHealth`;
  const make = async (what: string, body: object): Promise<{ id: string }> =>
    (await app.call('POST', `${health}/${what}?api-version=2024-02-01`, { token, body })).json();
  const { id: webhookId } = await make('webhooks', { url: 'https://hooks.example.com/health' });
  const { id: deliveryId } = await make(`webhooks/${webhookId}/test`, {});
  // No verb does this: it takes fifteen failures and seven hours.
  await tx(app.deps, ({ db }) => db.query((q) => q.updateTable('webhook_deliveries').set({ state: 'Failed' })));
  return {
    ada: admin,
    grace,
    token,
    webhookId,
    deliveryId,
    feedId: (await make('feeds', {})).id,
    client: { id: client.id },
    request: requestOf(client),
    spareToken: await idOf('/v0.1/api_tokens'),
    spareAppToken: await idOf('/v0.1/apps/ada/compass/api_tokens'),
    spareRobotToken: await idOf(`${robots}/robot/api_tokens`),
    orgInvitation: await app.mailedToken('ada@example.com', 'org'),
    appInvitation: await app.mailedToken('ada@example.com', 'app'),
    newInvitation: await app.mailedToken('new@example.com', 'app'),
    mailId: (await app.call('GET', '/v0.1/admin/mails', { token })).json().values[0].id,
    deadJob: await app.buryJob(),
    groupInvitation: await app.mailedToken('ada@example.com', 'group'),
    resetToken: (await createPasswordReset(app.as(admin), grace.id)).link.split('#token=')[1] ?? '',
    setupToken: undefined,
  };
}
type World = Facts & { ada: User; grace: User; token: string };

/** What is sealed in the image must be readable in its copies. */
const secretKey = readSecretKey('0'.repeat(64));

/** Fills one database for all tests; each then works on a copy of it. */
function imageOf(dialect: DialectName) {
  let image: Promise<{ database: TestDatabase; facts: World }> | undefined;
  const build = async () => {
    const database = await freshDatabase(dialect);
    const app = await testApp(dialect, { secretKey }, { ...database, remove: async () => undefined });
    const facts = await world(app);
    await app.stop();
    return { database, facts };
  };
  afterAll(async () => (await image)?.database.remove());
  return async (settings: Partial<Config>) => {
    image ??= build();
    const { database, facts } = await image;
    const app = await testApp(dialect, { ...settings, secretKey }, await copyDatabase(dialect, database));
    return { app, facts };
  };
}

/** The code of an error, in the shape of its family. */
const codeOf = (spec: EndpointSpec, answer: { json(): { code?: string; error?: { code: string } } }) =>
  isHealth(spec) ? answer.json().code : answer.json().error?.code;

const guarded = endpoints.filter(({ access }) => access !== 'public');
const changing = endpoints.filter(changesSomething);

test('every operation has a sample', () => {
  expect(Object.keys(samples).sort()).toEqual(endpoints.map(({ id }) => id).sort());
});

/** A call that is well-formed but speaks of nothing in particular. */
const probe = (app: TestApp, spec: EndpointSpec, call: Call = {}) =>
  app.call(spec.method, urlOf(spec, exampleOf(spec).params), { ...examplePayload(spec), ...call });

eachDatabase('every operation', (dialect) => {
  const filled = imageOf(dialect);

  test('refuses whoever shows no credential, or a wrong one, with 401', async () => {
    const app = await testApp(dialect);
    for (const spec of guarded) {
      for (const token of [undefined, 'wrong']) {
        const answer = await probe(app, spec, { token });
        const health = token ? 'InvalidAuthenticationToken' : 'AuthenticationFailed';
        const code = isHealth(spec) ? health : 'Unauthorized';
        expect([spec.id, answer.statusCode, codeOf(spec, answer)]).toEqual([spec.id, 401, code]);
      }
    }
  });

  test('hides apps from strangers, and administration from everybody else', async () => {
    const app = await testApp(dialect);
    await app.addApp(await app.addUser('ada'), 'compass');
    const token = await app.userToken(await app.addUser('stranger'));
    for (const spec of guarded.filter(({ access }) => access !== 'user')) {
      const { statusCode } = await probe(app, spec, { token });
      expect([spec.id, statusCode]).toEqual([spec.id, ['admin', 'operator'].includes(spec.access) ? 403 : 404]);
    }
  });

  test('keeps app tokens out of everything that is not their app', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    await app.addApp(ada, 'compass');
    const token = await app.appToken(await app.addApp(ada, 'sextant'), ada);
    for (const spec of guarded) {
      const { statusCode } = await probe(app, spec, { token });
      expect([spec.id, statusCode]).toEqual([spec.id, spec.access.startsWith('app:') ? 404 : 403]);
    }
  });

  test('that changes something refuses read-only tokens and records nothing', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada, { scope: ['viewer'] });
    const appToken = await app.appToken(await app.addApp(ada, 'compass'), ada, { scope: ['viewer'] });
    const recorded = async () => (await app.database.query((q) => q.selectFrom('audit_events').select('id'))).length;
    const before = await recorded();
    for (const spec of changing.filter(({ access }) => access !== 'public')) {
      expect([spec.id, (await probe(app, spec, { token })).statusCode]).toEqual([spec.id, 403]);
      expect([spec.id, (await probe(app, spec, { token: appToken })).statusCode]).toEqual([spec.id, 403]);
    }
    expect(await recorded()).toBe(before);
  });

  test('that reads shows a read-only token of an administrator no secret', async () => {
    const { app, facts } = await filled({});
    const { token: full } = facts;
    const make = async (url: string, body: object = {}) => (await app.call('POST', url, { token: full, body })).json();
    const health = `/subscriptions/${subscriptionId}/providers/Vendor.ResourceHealth`;
    const version = '?api-version=2024-02-01';
    const secretOf = (link: string) => link.split(/[/=]/).at(-1) ?? '';
    const webhook = await make(`${health}/webhooks${version}`, { url: 'https://hooks.example.com/secret-of-receiver' });
    const feed = await make(`${health}/feeds${version}`);
    const reset = 'https://mooring.example.com/reset-password#token=secret-of-reset';
    await sendMail(systemCtx(app.deps), { to: 'ada@example.com', subject: 'Password', text: reset });
    const made = { status: 404, error: null, answer: 'Cannot POST /secret-of-receiver' };
    const failed = { delivery_id: facts.deliveryId, number: 1, at: 0, ms: 1, ...made };
    await tx(app.deps, ({ db }) => db.query((q) => q.insertInto('webhook_attempts').values(failed)));
    const secrets = [
      full,
      'secret-of-receiver',
      secretOf(reset),
      webhook.secret,
      secretOf(feed.atomUrl.replace('/events.atom', '')),
      facts.resetToken,
      (await make('/v0.1/api_tokens')).api_token,
      (await make('/v0.1/apps/ada/compass/api_tokens')).api_token,
      (await make('/v0.1/orgs/lighthouse/service_accounts/robot/api_tokens')).api_token,
      secretOf((await make(`/v0.1/admin/users/${facts.grace.id}/password_reset`)).link),
      ...[facts.orgInvitation, facts.appInvitation, facts.newInvitation, facts.groupInvitation],
    ];
    expect(secrets.filter((secret) => !(secret?.length >= 15))).toEqual([]);
    const token = await app.userToken(facts.ada, { scope: ['viewer'] });
    const leaks: string[] = [];
    for (const spec of endpoints.filter((spec) => !changesSomething(spec))) {
      const { params, query } = samples[spec.id]?.(facts) ?? {};
      const answer = await app.call(spec.method, urlOf(spec, params), { token, query });
      // It is Viewer of an app at most.
      const isTooHigh = ['app:developer', 'app:manager'].includes(spec.access);
      expect([spec.id, answer.statusCode]).toEqual([spec.id, isTooHigh ? 403 : spec.success.status]);
      leaks.push(...secrets.filter((secret) => answer.body.includes(secret)).map((secret) => `${spec.id}: ${secret}`));
    }
    expect(leaks).toEqual([]);
  });

  test.each([
    ['no JSON', 'garbage'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['a prototype', '{"__proto__":{"a":1}}'],
  ])('that takes a body refuses %s with 400', async (_what, payload) => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    await app.addApp(ada, 'compass');
    await app.addOrg(ada, 'lighthouse');
    await app.addSubscription(subscriptionId, 'ada');
    const token = await app.userToken(ada);
    for (const spec of endpoints.filter(({ body }) => body)) {
      const answer = await app.call(spec.method, urlOf(spec, exampleOf(spec).params), {
        token,
        body: payload,
        headers: { 'content-type': 'application/json' },
      });
      expect([spec.id, answer.statusCode, codeOf(spec, answer)]).toEqual([spec.id, 400, 'BadRequest']);
    }
  });

  test.each(endpoints.map((spec) => [spec.id, spec] as const))(
    '%s: works, answers as its schema says, and is recorded if it changes something',
    async (id, spec) => {
      const { app, facts } = id === 'server_setUp' ? await beforeSetup(dialect) : await filled({ openSignUp: true });
      const { params, query, body } = samples[id]?.(facts) ?? {};
      const credential = id === 'sessions_delete' ? await sessionOf(app) : { token: facts.token };
      const recorded = async () => (await app.database.query((q) => q.selectFrom('audit_events').select('id'))).length;
      const before = await recorded();
      await readRemembered(app, facts.token);
      const answer = await app.call(spec.method, urlOf(spec, params), {
        ...payloadOf(spec, body),
        ...credential,
        query,
      });

      expect([answer.statusCode, answer.body]).toEqual([spec.success.status, answer.body]);
      expect(answer.headers['x-request-id']).toBeTruthy();
      if (spec.success.body) {
        const fits = ajv.compile({ ...spec.success.body, $id: undefined });
        expect([fits(answer.json()), fits.errors]).toEqual([true, null]);
      } else {
        expect(answer.body).toBe('');
      }
      expect((await recorded()) > before).toBe(changesSomething(spec));
      if (id !== 'server_setUp') {
        const fresh = await app.userToken(facts.ada);
        expect(await readRemembered(app, facts.token)).toEqual(await readRemembered(app, fresh));
      }
    },
  );
});

/** The answers that the server may keep for a credential; for one that it has not seen before, it must look. */
async function readRemembered(app: TestApp, token: string): Promise<unknown[]> {
  const remembered = endpoints.filter((spec) => spec.remembered);
  const answers = await Promise.all(remembered.map((spec) => app.call('GET', urlOf(spec), { token })));
  return answers.map((answer) => answer.json());
}

async function beforeSetup(dialect: DialectName): Promise<{ app: TestApp; facts: World }> {
  const app = await testApp(dialect);
  const setupToken = await prepareFirstAdmin(systemCtx(app.deps));
  const none = {
    token: '',
    spareToken: '',
    spareAppToken: '',
    spareRobotToken: '',
    orgInvitation: '',
    appInvitation: '',
    newInvitation: '',
    mailId: '',
    deadJob: '',
    groupInvitation: '',
    client: { id: '' },
    request: '',
    resetToken: '',
    webhookId: '',
    deliveryId: '',
    feedId: '',
  };
  const grace = await app.addUser('grace');
  return { app, facts: { ...none, setupToken, ada: grace, grace } };
}

async function sessionOf(app: TestApp): Promise<Call> {
  const answer = await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } });
  return { headers: { cookie: String(answer.headers['set-cookie']).split(';')[0], 'sec-fetch-site': 'same-origin' } };
}
