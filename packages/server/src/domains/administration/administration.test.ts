import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

eachDatabase('operating the server', (dialect) => {
  test('reports the number of jobs and their delay as metrics', async () => {
    const app = await testApp(dialect);
    await app.buryJob();
    await app.queueJob();
    app.advance(90_000);
    const { body } = await app.call('GET', '/metrics');
    expect(body).toContain('mooring_jobs{state="dead"} 1\n');
    expect(body).toContain('mooring_jobs{state="waiting"} 1\n');
    expect(body).toContain('mooring_job_delay_seconds 90\n');
    expect(body).not.toContain('mooring_telemetry_server_up');
  });

  test('reports unreachable telemetry servers as metrics', async () => {
    const app = await testApp(dialect, { telemetryUrl: 'http://ann:hidden@127.0.0.1:1/ http://127.0.0.1:2/logs' });
    const { body } = await app.call('GET', '/metrics');
    expect(body).toContain('mooring_telemetry_server_up{server="127.0.0.1:1"} 0\n');
    expect(body).toContain('mooring_telemetry_server_up{server="127.0.0.1:2/logs"} 0\n');
    expect(body).not.toContain('hidden');
  });

  test('lists dead letters with their errors and runs them again on replay', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const id = await app.buryJob();
    const listed = async (state: string) =>
      (await app.call('GET', `/v0.1/admin/jobs?state=${state}`, { token })).json().values;
    expect(await listed('dead')).toMatchObject([{ id, name: 'mail.deliver', last_error: 'broken' }]);
    const response = await app.call('POST', `/v0.1/admin/jobs/${id}/replay`, { token, body: {} });
    expect(response.statusCode).toBe(204);
    expect([await listed('dead'), (await listed('waiting')).length]).toEqual([[], 1]);
    expect(await app.runJobs()).toBe(1);
    expect(await listed('waiting')).toEqual([]);
  });

  test('records replays and deletions of dead letters in the audit log', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const [replayed, deleted] = [await app.buryJob(), await app.buryJob()];
    await app.call('POST', `/v0.1/admin/jobs/${replayed}/replay`, { token, body: {} });
    expect((await app.call('DELETE', `/v0.1/admin/jobs/${deleted}`, { token })).statusCode).toBe(204);
    expect((await app.call('GET', '/v0.1/admin/jobs?state=dead', { token })).json().values).toEqual([]);
    const { values } = (await app.call('GET', '/v0.1/admin/audit', { token, query: { action: 'job' } })).json();
    const subject = { kind: 'job', name: 'mail.deliver' };
    expect(values).toMatchObject([
      { action: 'job.delete', actor: { name: 'ada' }, subject: { ...subject, id: deleted } },
      { action: 'job.replay', actor: { name: 'ada' }, subject: { ...subject, id: replayed } },
    ]);
  });

  test('replays and deletes dead letters only', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    for (const call of [
      app.call('POST', '/v0.1/admin/jobs/none/replay', { token, body: {} }),
      app.call('DELETE', '/v0.1/admin/jobs/none', { token }),
    ]) {
      expect((await call).json().error).toEqual({
        code: 'NotFound',
        message: 'No dead letter "none" found, or you don\'t have access to it.',
      });
    }
  });

  test('shows which secrets are set, but not their values', async () => {
    const app = await testApp(dialect, { metricsToken: 'a-very-secret-value', adminPassword: undefined });
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const response = await app.call('GET', '/v0.1/admin/server', { token });
    const { settings, database, jobs } = response.json();
    const named = (name: string) => settings.find((setting: { name: string }) => setting.name === name);
    expect([database, jobs]).toEqual([dialect, { waiting: 0, running: 0, dead: 0 }]);
    expect(named('MOORING_METRICS_TOKEN')).toMatchObject({ value: '(hidden)', is_secret: true });
    expect(named('MOORING_ADMIN_PASSWORD')).not.toHaveProperty('value');
    expect(named('MOORING_RATE_LIMIT')).toMatchObject({ value: '0', is_secret: false });
    expect(response.body).not.toContain('a-very-secret-value');
  });
});
