import { expect, test } from 'vitest';
import { at, withDeployments } from '../../../../test/harness/codepush.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

eachDatabase('the explanation of an update', (dialect) => {
  test('returns the reason and the same update the device gets', async () => {
    const { app, request, check, release } = await withDeployments(dialect);
    const explain = async (query: Record<string, string>) =>
      (await request('GET', at('Staging', `/explain?${new URLSearchParams({ app_version: '1.0.0', ...query })}`))).body;
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
    expect(await explain({ app_version: 'x' })).toMatch(/not a valid binary version/);
    await app.runJobs();
    const counted = await app.database.query((q) => q.selectFrom('codepush_counts').select('label'));
    expect(counted).toEqual([]);
  });
});
