import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { sendLogs } from '../../../../test/harness/background-work.ts';
import { crash } from '../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, toIso } from '../../../kernel/clock.ts';

const overview = '/v0.1/apps/harbour/buoy/overview';

/** Ada administers the organization harbour and its app buoy, grace develops it, eve views it, and dan is a stranger. */
async function withApp(dialect: DialectName) {
  const app = await testApp(dialect);
  const [ada, grace, eve, dan] = [
    await app.addUser('ada'),
    await app.addUser('grace'),
    await app.addUser('eve'),
    await app.addUser('dan'),
  ];
  const ref = await app.addOrgApp(await app.addOrg(ada, 'harbour'), ada, 'buoy');
  await app.addMember(ref, grace, 'developer');
  await app.addMember(ref, eve, 'viewer');
  const tokens = {
    ada: await app.userToken(ada),
    grace: await app.userToken(grace),
    eve: await app.userToken(eve),
    dan: await app.userToken(dan),
  };
  const read = async (token = tokens.ada) => {
    const response = await app.call('GET', overview, { token });
    return { status: response.statusCode, body: response.json() };
  };
  const kinds = async (token = tokens.ada) =>
    (await read(token)).body.attention.map(({ kind, count }: { kind: string; count: number }) => [kind, count]);
  return { app, ref, tokens, read, kinds };
}

eachDatabase('the overview of an app', (dialect) => {
  test('is empty for a new app, apart from its members and groups', async () => {
    const { read } = await withApp(dialect);
    expect(await read()).toEqual({
      status: 200,
      body: {
        attention: [],
        member_count: 3,
        group_count: 1,
        token_count: 0,
        builds: [],
        test_runs: [],
        deployments: [],
      },
    });
  });

  test('leaves out areas that a limited token does not reach', async () => {
    const { app, ref, tokens, read } = await withApp(dialect);
    await sendLogs(app, ref.id, [crash({ at: app.deps.clock.now() })]);
    await app.call('POST', '/v0.1/apps/harbour/buoy/deployments', { token: tokens.ada, body: { name: 'Staging' } });
    const create = async (body: object): Promise<string> =>
      (await app.call('POST', '/v0.1/api_tokens', { token: tokens.ada, body })).json().api_token;
    const reader = await create({ scope: ['apps:read'] });
    // Viewers don't see the tokens of an app.
    expect(await read(reader)).toEqual({ status: 200, body: { attention: [], member_count: 3 } });
    const wider = (await read(await create({ scope: ['apps:write', 'codepush:read', 'crashes:read'] }))).body;
    expect(wider).toMatchObject({ token_count: 0, deployments: [{ name: 'Staging' }], attention: [{ count: 1 }] });
    expect(wider).not.toHaveProperty('builds');
    const oneDeployment = (await read(await create({ scope: ['all'], deployments: ['Production'] }))).body;
    expect(oneDeployment).toMatchObject({ builds: [], attention: [{ count: 1 }] });
    expect(oneDeployment).not.toHaveProperty('deployments');
    const countCrashes = async (token: string) => {
      const inOrganization = await app.call('GET', '/v0.1/orgs/harbour/app_glances', { token });
      const listed = await app.call('GET', `/v0.1/user/app_summaries?ids=${ref.id}`, { token });
      return [inOrganization.json().values[0].open_crashes, listed.json().values[0].open_crashes];
    };
    expect(await countCrashes(tokens.ada)).toEqual([1, 1]);
    expect(await countCrashes(reader)).toEqual([undefined, undefined]);
  });

  test('counts new crashes, names a single one, and counts older ones as open', async () => {
    const { app, ref, read, kinds } = await withApp(dialect);
    await sendLogs(app, ref.id, [crash({ at: app.deps.clock.now() })]);
    const [first] = (await read()).body.attention;
    expect(first).toMatchObject({ kind: 'new_crashes', level: 'urgent', count: 1, name: expect.stringMatching(/\w/) });
    expect(Object.keys(first.path)).toEqual(['issue_id']);
    await sendLogs(app, ref.id, [crash({ at: app.deps.clock.now(), method: 'ship' })]);
    expect(await kinds()).toEqual([['new_crashes', 2]]);
    app.advance(8 * DAY);
    expect(await kinds()).toEqual([['open_crashes', 2]]);
    app.advance(28 * DAY);
    expect(await kinds()).toEqual([]);
  });

  test('shows tokens to developers and invitations to managers only', async () => {
    const { app, tokens, kinds, read } = await withApp(dialect);
    const body = { description: 'CI', expires_at: toIso(app.deps.clock.now() + 3 * DAY) };
    const created = await app.call('POST', '/v0.1/apps/harbour/buoy/api_tokens', { token: tokens.ada, body });
    expect(created.statusCode, created.body).toBe(201);
    const invited = await app.call('POST', '/v0.1/apps/harbour/buoy/invitations', {
      token: tokens.ada,
      body: { user_email: 'new@example.com', role: 'member' },
    });
    expect(invited.statusCode, invited.body).toBeLessThan(300);
    expect(await kinds(tokens.ada)).toEqual([
      ['expiring_token', 1],
      ['open_invitations', 1],
    ]);
    expect(await kinds(tokens.grace)).toEqual([['expiring_token', 1]]);
    expect(await kinds(tokens.eve)).toEqual([]);
    expect((await read(tokens.eve)).body.token_count).toBeUndefined();
    app.advance(4 * DAY);
    expect((await kinds(tokens.grace)).length).toBe(0);
  });

  test('is hidden from users without access to the app', async () => {
    const { tokens, read } = await withApp(dialect);
    expect((await read(tokens.dan)).status).toBe(404);
  });

  test('names an export that the server stopped', async () => {
    const { app, ref, kinds, read } = await withApp(dialect);
    await tx(systemCtx(app.deps), ({ db }) =>
      db.query((q) =>
        q.insertInto('export_configurations').values({
          app_id: ref.id,
          id: 'e1',
          type: 'http',
          settings: '{}',
          secret: '',
          entities: '[]',
          resource_name: 'Warehouse',
          backfill: 0,
          state: 'Invalid',
          created_at: 1,
          last_error_at: 2,
          failing_since: 2,
          failures: 1,
          last_window: 0,
          logs_after: 0,
          reports_after: 0,
        }),
      ),
    );
    expect(await kinds()).toEqual([['failing_export', 1]]);
    expect((await read()).body.attention[0]).toEqual({
      kind: 'failing_export',
      level: 'warning',
      count: 1,
      name: 'Warehouse',
      path: { export_configuration_id: 'e1' },
      at: toIso(2),
    });
  });
});
