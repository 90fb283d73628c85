import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { crash, crashApp } from '../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { systemCtx } from '../../../context.ts';
import type { DialectName } from '../../../db/connection.ts';
import { reprocess } from './reprocessing.ts';

/** Two reports in two groups, which new rules make one; they are not processed again yet. */
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

eachDatabase('reports that are processed again', (dialect) => {
  test('by two at once are counted once', async () => {
    const { app, again, counts } = await beforeRegrouping(dialect);
    await atOnce(app, [again, again], 'crash_reports');
    expect(await counts()).toEqual([2]);
  });

  test('while one of them is deleted do not bring it back', async () => {
    const { app, again, deleteRead, counts } = await beforeRegrouping(dialect);
    const [deleted] = await atOnce<unknown>(app, [deleteRead, again]);
    expect(deleted).toMatchObject({ statusCode: 200 });
    // A group tells that it was there once.
    expect((await counts()).sort()).toEqual([0, 1]);
  });
});
