import { expect, test } from 'vitest';
import { at, withDeployments } from '../../../../test/harness/codepush.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';

eachDatabase('what a device would get', (dialect) => {
  test('is told with its reason, and is what the device is told', async () => {
    const { app, ask, check, release } = await withDeployments(dialect);
    const explain = async (query: Record<string, string>) =>
      (await ask('GET', at('Staging', `/explain?${new URLSearchParams({ app_version: '1.0.0', ...query })}`))).body;
    expect(await explain({})).toMatchObject({ reason: 'no_releases', is_diff: false });
    await release('one');
    await release('two');
    await release('three', 'Staging', { rollout: 24 });
    for (const client_unique_id of ['device-1', 'device-2'])
      expect((await explain({ client_unique_id })).update_info).toEqual(await check({ client_unique_id }));
    expect(await explain({ client_unique_id: 'device-2' })).toMatchObject({
      reason: 'update',
      update_info: { label: 'v3' },
      rollout: { label: 'v3', percent: 24, place: 23, is_included: true },
    });
    expect((await explain({ client_unique_id: 'device-1', label: 'v2' })).reason).toBe('up_to_date');
    expect((await explain({})).rollout).toEqual({ label: 'v3', percent: 24, is_included: false });
    expect((await explain({ app_version: '0.1' })).reason).toBe('binary_too_old');
    expect((await explain({ app_version: '2' })).reason).toBe('binary_too_new');
    expect(await explain({ app_version: 'x' })).toMatch(/no version of a binary/);
    await app.runJobs();
    const counted = await app.database.query((q) => q.selectFrom('codepush_counts').select('label'));
    expect(counted).toEqual([]);
  });
});
