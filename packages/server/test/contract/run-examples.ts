import { type EndpointSpec, endpoints, isRead, needsCredential, server_setUp } from '@mooring/contract';
import { problemsWith } from '@mooring/contract/examples';
import { exampleRequest, putId, type World } from '@mooring/contract/world';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/connection.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/sessions/setup.ts';
import { type Call, password, type TestApp, testApp } from '../harness/app.ts';
import { worldCopies } from '../harness/world.ts';
import { addBystanders, askAll, rememberedAddresses } from './bystanders.ts';

const ajv = formats.default(new Ajv({ strict: true }));

const errorsOf = (schema: object, value: unknown): unknown[] => {
  const fits = ajv.compile({ ...schema, $id: undefined });
  fits(value);
  return fits.errors ?? [];
};

/** Sends an example with what the world made in it, and holds the answer against what its endpoint promises. */
async function run(spec: EndpointSpec, app: TestApp, ids: World['ids'], credential: Call): Promise<void> {
  const { method, url, headers, body } = exampleRequest(spec, { ids });
  const answer = await app.call(method, url, {
    ...credential,
    headers: { ...credential.headers, ...headers },
    body: typeof body === 'object' ? Buffer.from(body) : body,
  });
  const { statusCode: status, headers: got, body: text } = answer;
  expect([spec.id, problemsWith(spec, { status, headers: got, body: text, errorsOf })]).toEqual([spec.id, []]);
  expect(got['x-request-id']).toBeTruthy();
}

const auditCount = async ({ database }: TestApp): Promise<number> =>
  (await database.query((q) => q.selectFrom('audit_events').select('id'))).length;

/** A server that waits for its first administrator. */
async function beforeSetUp(dialect: DialectName): Promise<{ app: TestApp; ids: World['ids'] }> {
  const app = await testApp(dialect);
  const ids = new Map<string, string>();
  putId({ ids }, server_setUp, 'setup_token', (await prepareFirstAdmin(systemCtx(app.deps))) ?? '');
  return { app, ids };
}

/** A token has no current session. */
async function sessionOf(app: TestApp): Promise<Call> {
  const answer = await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } });
  return { headers: { cookie: String(answer.headers['set-cookie']).split(';')[0], 'sec-fetch-site': 'same-origin' } };
}

/** Who looks on, and with what. */
const people: Parameters<typeof addBystanders>[1] = {
  ada: ['all', 'session'],
  grace: ['viewer', 'OAuth'],
  linus: ['all'],
};

/** One read for each kind of access, so that a right that was taken away shows. */
const guardedAddresses = ({ ids }: World): string[] => {
  const reads = endpoints.filter((spec) => isRead(spec) && needsCredential(spec) && spec.method === 'GET');
  const firsts = new Map(reads.toReversed().map((spec) => [spec.access, spec]));
  return [...firsts.values()].map((spec) => exampleRequest(spec, { ids }).url);
};

type Opened = Awaited<ReturnType<ReturnType<typeof worldCopies>>>;

/** Whoever has no account yet may make one. */
const settings = { openSignUp: true };

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
  'runnerJobs_beat',
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

/** Runs the examples of some operations: those that read on one server, those that change something on copies. */
export function runExamples(dialect: DialectName, specs: readonly EndpointSpec[]): void {
  const openCopy = worldCopies(dialect);

  test('those that read work, answer as the document says, and are not recorded', async () => {
    const { app, world } = await openCopy();
    const before = await auditCount(app);
    for (const spec of specs.filter(isRead)) {
      await run(spec, app, world.ids, { token: world.ada.token });
    }
    expect(await auditCount(app)).toBe(before);
  });

  const changing = specs.filter((spec) => !isRead(spec) && spec !== server_setUp);
  const credentialFor = async ({ id }: EndpointSpec, { app, world }: Opened): Promise<Call> =>
    id === 'sessions_delete' ? sessionOf(app) : { token: world.ada.token };
  const runRecorded = async (spec: EndpointSpec, { app, world }: Opened, credential: Call) => {
    const before = await auditCount(app);
    await run(spec, app, world.ids, credential);
    expect([spec.id, (await auditCount(app)) > before]).toEqual([spec.id, spec.effect === 'change']);
  };

  // When something is forgotten is the same over both, which `conformance/remembered.test.ts` shows.
  if (dialect === 'postgres') {
    test('those that change something work, answer as the document says, and are recorded', async () => {
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
      '%s: works, answers as the document says, is recorded, and nobody is told what no longer holds',
      async (_, spec) => {
        const opened = await openCopy(settings);
        const { app, world } = opened;
        const credential = await credentialFor(spec, opened);
        const bystanders = await addBystanders(app, people, { owner: 'ada', app: 'compass' });
        const asked = { addresses: await rememberedAddresses(app.http, bystanders), guarded: guardedAddresses(world) };
        await askAll(app.http, bystanders, asked);
        await runRecorded(spec, opened, credential);
        const fresh = await app.another();
        const told = await askAll(app.http, bystanders, asked);
        expect(told).toEqual(await askAll(fresh.http, bystanders, asked));
      },
    );
  }

  if (!specs.includes(server_setUp)) return;
  test('a server is set up, which is recorded', async () => {
    const { app, ids } = await beforeSetUp(dialect);
    await run(server_setUp, app, ids, {});
    expect(await auditCount(app)).toBeGreaterThan(0);
  });
}
