import {
  type EndpointSpec,
  endpoints,
  isRead,
  needsCredential,
  oidc_backChannelLogout,
  secondFactor_confirm,
  server_setUp,
} from '@mooring/contract';
import { exampleProvider, problemsWith } from '@mooring/contract/examples';
import { exampleRequest, type Fixtures, putId } from '@mooring/contract/fixtures';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { tx } from '../../src/db/tx.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/sessions/setup.ts';
import { codeAt, stepAt, toBase32 } from '../../src/domains/sign-in/second-factor/totp.ts';
import { HOUR } from '../../src/kernel/clock.ts';
import { seal } from '../../src/kernel/crypto/sealed.ts';
import { type Call, password, type TestApp, testApp } from '../harness/app.ts';
import { fixtureCopies } from '../harness/fixtures.ts';
import { allowsLoopback, signInProvider } from '../harness/sign-in-provider.ts';
import { tokenFor } from '../harness/token-for.ts';
import { addBystanders, rememberedAddresses, requestAll } from './bystanders.ts';
import { preparePasskey } from './passkey-calls.ts';

const ajv = formats.default(new Ajv({ strict: true }));

const listErrors = (schema: object, value: unknown): unknown[] => {
  const fits = ajv.compile({ ...schema, $id: undefined });
  fits(value);
  return fits.errors ?? [];
};

/** Sends an example with values of the fixtures, and validates the response against its endpoint. */
async function run(spec: EndpointSpec, app: TestApp, ids: Fixtures['ids'], credential: Call): Promise<void> {
  const { method, url, headers, body } = exampleRequest(spec, { ids });
  const answer = await app.call(method, url, {
    ...credential,
    headers: { ...credential.headers, ...headers },
    body: typeof body === 'object' ? Buffer.from(body) : body,
  });
  const { statusCode: status, headers: got, body: text } = answer;
  expect([spec.id, problemsWith(spec, { status, headers: got, body: text, listErrors: listErrors })]).toEqual([
    spec.id,
    [],
  ]);
  expect(got['x-request-id']).toBeTruthy();
}

const auditCount = async ({ database }: TestApp): Promise<number> =>
  (await database.query((q) => q.selectFrom('audit_events').select('id'))).length;

/** A server that waits for its first administrator. */
async function beforeSetUp(dialect: DialectName): Promise<{ app: TestApp; ids: Fixtures['ids'] }> {
  const app = await testApp(dialect);
  const ids = new Map<string, string>();
  putId({ ids }, server_setUp, 'setup_token', (await prepareFirstAdmin(systemCtx(app.deps))) ?? '');
  return { app, ids };
}

/** A token has no current session. */
async function createSessionCall(app: TestApp): Promise<Call> {
  const answer = await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } });
  return { headers: { cookie: String(answer.headers['set-cookie']).split(';')[0], 'sec-fetch-site': 'same-origin' } };
}

/** A browser that has signed in at a provider, and not linked the account yet. */
function createLinkCall({ deps }: TestApp): Call {
  const state = {
    provider: exampleProvider.name,
    issuer: exampleProvider.issuer,
    subject: '248289761003',
    next: '/',
  };
  const text = JSON.stringify({ state, expiresAt: deps.clock.now() + HOUR });
  const cookie = `mooring_sign_in_link=${seal(deps.secretKey, 'cookie:sign_in_link', text)}`;
  return { headers: { cookie, 'sec-fetch-site': 'same-origin' } };
}

/** Sets up the second factor that an example needs, and puts its current code into the example. */
async function prepareSecondFactor({ id }: EndpointSpec, { app, fixtures }: Opened): Promise<void> {
  if (!/^(secondFactor_(confirm|renewCodes|disable)|adminSecondFactor_delete|factorSetUp_confirm)$/.test(id)) return;
  const secret = toBase32(Buffer.from('a secret of the test'));
  const { ada, grace, linus } = fixtures;
  const user = id === 'adminSecondFactor_delete' ? grace : id === 'factorSetUp_confirm' ? linus : ada;
  const row = {
    user_id: user.id,
    sealed_secret: seal(app.deps.secretKey, 'second-factor', secret),
    last_step: 0,
    enabled_at: id.endsWith('_confirm') ? null : app.deps.clock.now(),
  };
  await tx(app.deps, async ({ db }) => {
    await db.query((q) => q.deleteFrom('second_factors').where('user_id', '=', user.id));
    await db.query((q) => q.insertInto('second_factors').values(row));
  });
  putId(fixtures, secondFactor_confirm, 'code', codeAt(secret, stepAt(app.deps.clock.now())));
}

/** Requires a second factor of everyone, or of no one. */
const requireFactors = ({ id }: EndpointSpec, { app }: Opened, isRequired: boolean): Promise<void> =>
  tx(app.deps, async ({ db }) => {
    if (!id.startsWith('factorSetUp_')) return;
    await db.query((q) => q.deleteFrom('factor_rules').where('org_id', 'is', null));
    if (!isRequired) return;
    await db.query((q) => q.insertInto('factor_rules').values({ id: 'server', org_id: null, required_from: 0 }));
  });

/** Puts a logout token of a provider into the example, and the provider into the place of the one of the fixtures. */
async function prepareLogoutToken({ id }: EndpointSpec, { app, fixtures }: Opened): Promise<void> {
  if (id !== 'oidc_backChannelLogout') return;
  const provider = await signInProvider(app);
  const { name, client_id } = exampleProvider;
  await tx(app.deps, ({ db }) =>
    db.query((q) => q.updateTable('identity_providers').set({ issuer: provider.issuer }).where('name', '=', name)),
  );
  const iat = Math.floor(app.deps.clock.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss: provider.issuer, aud: client_id, iat, exp: iat + 60, jti: 'one', sub: 's-1', events };
  putId(fixtures, oidc_backChannelLogout, 'logout_token', await provider.sign(claims));
}

/** Bystanders with their credentials. */
const people: Parameters<typeof addBystanders>[1] = {
  ada: ['all', 'session'],
  grace: ['viewer', 'OAuth'],
  linus: ['all'],
};

/** One read for each kind of access, to detect revoked rights. */
const guardedAddresses = ({ ids }: Fixtures): string[] => {
  const reads = endpoints.filter((spec) => isRead(spec) && needsCredential(spec) && spec.method === 'GET');
  const firsts = new Map(reads.toReversed().map((spec) => [spec.access, spec]));
  return [...firsts.values()].map((spec) => exampleRequest(spec, { ids }).url);
};

type Opened = Awaited<ReturnType<ReturnType<typeof fixtureCopies>>>;

/** Creating an account needs none. */
const settings = { openSignUp: true, ...allowsLoopback };

/**
 * Operations whose example needs data that an example before it uses up. On PostgreSQL, where a copy takes long, the
 * examples share one copy, and a new one is opened before each of these.
 */
const opensNewCopy = new Set([
  'adminJobs_replay',
  'adminUserTokens_delete',
  'adminUserTokens_deleteAll',
  'alertRules_create',
  'alertRules_test',
  'appInvitations_reject',
  'apps_transferOwnership',
  'bugtracker_check',
  'codePushDeploymentKeys_endFormer',
  'codePushDeployments_delete',
  'crashIssues_split',
  'dataSubjectRight_cancelDeleteRequest',
  'deploymentReleases_update',
  'distributionGroups_addApps',
  'distributionGroups_addUser',
  'distributionGroups_resendInvite',
  'ExportConfigurations_Disable',
  'HealthEvent_Update',
  'HealthFeeds_Create',
  'HealthWebhookDeliveries_Replay',
  'orgInvitations_reject',
  'orgInvitations_update',
  'orgWebhookDeliveries_replay',
  'passwordResets_use',
  'pushHooks_create',
  'releases_addDistributionGroup',
  'releaseUploads_create',
  'secondFactor_start',
  'runnerJobs_beat',
  'scim_createUser',
  'scim_deleteUser',
  'scim_createGroup',
  'scim_deleteGroup',
  'serviceAccountTokens_create',
  'stores_setCredentials',
  'symbols_ignore',
  'teams_addApp',
  'uploads_cancel',
  'uploads_finish',
  'uploads_sendForm',
  'uploads_setMetadata',
  'webhookDeliveries_replay',
]);

/** Runs the examples of some operations: reads on one server, changes on copies. */
export function runExamples(dialect: DialectName, specs: readonly EndpointSpec[]): void {
  const openCopy = fixtureCopies(dialect);

  test('reading examples work, respond as documented, and are not recorded', async () => {
    const { app, fixtures } = await openCopy();
    const before = await auditCount(app);
    for (const spec of specs.filter(isRead)) {
      await run(spec, app, fixtures.ids, { token: tokenFor(spec, fixtures) });
    }
    expect(await auditCount(app)).toBe(before);
  });

  const changing = specs.filter((spec) => !isRead(spec) && spec !== server_setUp);
  const inSession = ['sessions_delete', 'deviceSignIns_answer', 'signOut_create', 'confirmations_create'];
  const credentialFor = async (spec: EndpointSpec, { app, fixtures }: Opened): Promise<Call> => {
    if (inSession.includes(spec.id)) return createSessionCall(app);
    if (spec.id === 'signInLinks_create') return createLinkCall(app);
    return (await preparePasskey(spec, app, fixtures)) ?? { token: tokenFor(spec, fixtures) };
  };
  const runRecorded = async (spec: EndpointSpec, { app, fixtures }: Opened, credential: Call) => {
    await prepareSecondFactor(spec, { app, fixtures });
    await prepareLogoutToken(spec, { app, fixtures });
    await requireFactors(spec, { app, fixtures }, true);
    const before = await auditCount(app);
    await run(spec, app, fixtures.ids, credential);
    await requireFactors(spec, { app, fixtures }, false);
    expect([spec.id, (await auditCount(app)) > before]).toEqual([spec.id, spec.effect === 'change']);
  };

  // Cache invalidation is the same on both databases; `conformance/versioned-cache.test.ts` tests that.
  if (dialect === 'postgres') {
    test('changing examples work, respond as documented, and are recorded', async () => {
      let opened = await openCopy(settings);
      for (const spec of changing) {
        if (opensNewCopy.has(spec.id)) {
          await opened.app.stop();
          opened = await openCopy(settings);
        }
        await runRecorded(spec, opened, await credentialFor(spec, opened));
      }
    }, 600_000);
  } else {
    test.each(changing.map((spec) => [spec.id, spec] as const))(
      '%s: works, responds as documented, is recorded, and returns no stale data',
      async (_, spec) => {
        const opened = await openCopy(settings);
        const { app, fixtures } = opened;
        const credential = await credentialFor(spec, opened);
        const bystanders = await addBystanders(app, people, { owner: 'ada', app: 'compass' });
        const addressesByKind = {
          addresses: await rememberedAddresses(app.http, bystanders),
          guarded: guardedAddresses(fixtures),
        };
        await requestAll(app.http, bystanders, addressesByKind);
        await runRecorded(spec, opened, credential);
        const fresh = await app.another();
        const before = await requestAll(app.http, bystanders, addressesByKind);
        expect(before).toEqual(await requestAll(fresh.http, bystanders, addressesByKind));
      },
    );
  }

  if (!specs.includes(server_setUp)) return;
  test('setting up a server is recorded', async () => {
    const { app, ids } = await beforeSetUp(dialect);
    await run(server_setUp, app, ids, {});
    expect(await auditCount(app)).toBeGreaterThan(0);
  });
}
