import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { crash, crashApp } from '../../../../../test/harness/crashes.ts';
import { atOnce } from '../../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../../context.ts';
import type { DialectName } from '../../../../db/drivers/connection.ts';
import { reprocess } from './reprocessing.ts';

/** Two reports in two groups that new rules merge; not reprocessed yet. */
async function beforeRegrouping(dialect: DialectName) {
  const { app, ref, send, get, call } = await crashApp(dialect);
  const [read, write] = [crash({ method: 'read' }), crash({ method: 'write' })];
  await send(randomUUID(), read, write);
  const groups: { crash_group_id: string; reason_frame: { method: string } }[] = (await get('crash_groups'))
    .crash_groups;
  const group = groups.find(({ reason_frame }) => reason_frame.method === 'read')?.crash_group_id;
  const rules = [{ kind: 'skip', pattern: 'org.example.shop.Cart.*' }];
  expect((await call('PUT', 'crash_grouping', { body: { rules } })).statusCode).toBe(200);
  return {
    app,
    again: () => reprocess(systemCtx(app.deps), { appId: ref.id, scope: {} }),
    deleteRead: () => call('DELETE', `crash_groups/${group}/crashes/${read.id}`),
    counts: async () => (await get('crash_groups')).crash_groups.map(({ count }: { count: number }) => count),
  };
}

eachDatabase('reprocessed reports', (dialect) => {
  test('are counted once if two processes handle them', async () => {
    const { app, again, counts } = await beforeRegrouping(dialect);
    await atOnce(app, [again, again], 'crash_reports');
    expect(await counts()).toEqual([2]);
  });

  test('are not restored if one is deleted meanwhile', async () => {
    const { app, again, deleteRead, counts } = await beforeRegrouping(dialect);
    const [deleted] = await atOnce<unknown>(app, [deleteRead, again]);
    expect(deleted).toMatchObject({ statusCode: 200 });
    // The remaining group has an alias for the other ID.
    expect((await counts()).sort()).toEqual([0, 1]);
  });
});
