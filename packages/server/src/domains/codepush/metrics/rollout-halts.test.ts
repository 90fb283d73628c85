import { expect, test } from 'vitest';
import { at, withDeployments } from '../../../../test/harness/codepush.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

async function withRollout(dialect: Parameters<typeof withDeployments>[0], halt_percent?: number) {
  const fixtures = await withDeployments(dialect);
  const { app, request, release, report, check } = fixtures;
  if (halt_percent !== undefined) await request('PATCH', at('Staging'), { halt_percent });
  await release('one');
  await release('two', 'Staging', { rollout: 99 });
  let devices = 0;
  /** Sends this number of reports, and runs the resulting jobs. */
  const reports = async (count: number, status: 'DeploymentSucceeded' | 'DeploymentFailed', label = 'v2') => {
    for (let n = 0; n < count; n += 1) {
      devices += 1;
      await report('deploy', { label, status, client_unique_id: `device-${devices}` });
    }
    await app.runJobs();
  };
  return {
    ...fixtures,
    reports,
    isDisabled: async () => (await request('GET', at('Staging'))).body.latest_release.is_disabled,
    getLabel: async () => (await check({ client_unique_id: 'somebody' })).label,
    mails: () =>
      app.database.query((q) =>
        q.selectFrom('mails').select(['to', 'subject', 'text']).where('subject', 'like', '%halted'),
      ),
  };
}

eachDatabase('a rollout', (dialect) => {
  test('is halted once rollbacks reach the limit of the deployment, and notifies its managers', async () => {
    const { app, ref, reports, isDisabled, getLabel, mails, actions } = await withRollout(dialect, 30);
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'developer');
    await reports(14, 'DeploymentSucceeded');
    await reports(5, 'DeploymentFailed');
    expect([await isDisabled(), await getLabel()]).toEqual([false, 'v2']);
    await reports(1, 'DeploymentFailed');
    expect([await isDisabled(), await getLabel()]).toEqual([true, 'v1']);
    expect((await actions()).filter((action) => action === 'deployment.halt_rollout')).toHaveLength(1);
    await reports(3, 'DeploymentFailed');
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: 'ada@example.com',
      subject: 'The rollout of v2 to Staging of compass was halted',
      text: expect.stringMatching(
        /Installed:\n\s+14 devices\n\nRolled back:\n\s+6 devices\n[\s\S]*Fix the problem, then release a new update/,
      ),
    });
  });

  test('continues while there are too few rollbacks or reports', async () => {
    const { reports, isDisabled } = await withRollout(dialect, 30);
    await reports(19, 'DeploymentFailed', 'v1');
    await reports(15, 'DeploymentSucceeded');
    await reports(6, 'DeploymentFailed');
    expect(await isDisabled()).toBe(false);
  });

  test('continues without a limit, after its removal, or once complete', async () => {
    const silent = await withRollout(dialect);
    await silent.reports(30, 'DeploymentFailed');
    expect(await silent.isDisabled()).toBe(false);
    const { request, reports, isDisabled } = await withRollout(dialect, 1);
    expect((await request('GET', at('Staging'))).body.halt_percent).toBe(1);
    expect((await request('PATCH', at('Staging'), { halt_percent: null })).status).toBe(204);
    expect((await request('GET', at('Staging'))).body).not.toHaveProperty('halt_percent');
    await reports(30, 'DeploymentFailed');
    await request('PATCH', at('Staging'), { halt_percent: 1 });
    await request('PATCH', at('Staging', '/releases/v2'), { rollout: 100 });
    await reports(1, 'DeploymentFailed');
    expect(await isDisabled()).toBe(false);
  });

  test.each([0, 101, 1.5, '30'])('is not halted at %j', async (halt_percent) => {
    const { request } = await withDeployments(dialect);
    expect((await request('PATCH', at('Staging'), { halt_percent })).status).toBe(400);
    expect((await request('PATCH', at('Staging'), {})).status).toBe(400);
  });

  test('has a limit that managers set, as recorded in the audit log', async () => {
    const { app, ref, request } = await withDeployments(dialect);
    const dev = await app.addUser('dev');
    await app.addMember(ref, dev, 'developer');
    const response = await app.call('PATCH', at('Staging'), {
      token: await app.userToken(dev),
      body: { halt_percent: 5 },
    });
    expect(response.statusCode).toBe(403);
    await request('PATCH', at('Staging'), { halt_percent: 5 });
    await request('PATCH', at('Staging'), { halt_percent: 5 });
    const rows = await app.database.query((q) =>
      q.selectFrom('audit_events').select('after').where('action', '=', 'deployment.update'),
    );
    expect(rows.map(({ after }) => JSON.parse(after ?? ''))).toEqual([{ halt_percent: 5 }]);
  });
});
