import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { attachment, crash, crashApp, handledError } from '../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { addLogs } from '../../ingest/index.ts';

const [ann, bob] = [randomUUID(), randomUUID()];

eachDatabase('an erased install or user', (dialect) => {
  async function opened() {
    const { app, ref, send, call, get, rows } = await crashApp(dialect);
    const tables = [
      ...['crash_reports', 'crash_attachments', 'crash_group_devices', 'crash_issue_devices', 'crash_app_devices'],
    ] as const;
    return {
      app,
      send,
      /** Sends logs without processing them. */
      wait: (installId: string, ...logs: object[]) => addLogs(app.deps, { appId: ref.id, installId, logs }),
      remove: async (path: string) => {
        expect((await call('DELETE', `analytics/${path}`)).statusCode).toBe(204);
        app.advance(5000);
        await app.runJobs();
      },
      groups: async () =>
        (await get('errors/errorGroups', { start: '2026-10-01T00:00:00Z', errorType: 'all' })).errorGroups.map(
          (group: { count: number; deviceCount: number }) => [group.count, group.deviceCount],
        ),
      total: async () => (await get('errors/errorCountsPerDay', { start: '2026-10-01T00:00:00Z' })).count,
      /** Known installs by table. */
      known: async () =>
        Object.fromEntries(
          await Promise.all(
            tables.map(async (table) => [
              table,
              new Set(
                (
                  await rows((database) =>
                    database.query((q) => q.selectFrom(table as 'crash_reports').select('install_id')),
                  )
                ).map(({ install_id }) => install_id),
              ),
            ]),
          ),
        ),
      blobs: async () => (await app.database.query((q) => q.selectFrom('packed_files').select('key'))).length,
    };
  }

  test('loses its crash reports with attachments, counts and waiting logs; those of others stay', async () => {
    const { send, wait, remove, groups, total, known, blobs, app } = await opened();
    const id = randomUUID();
    await send(ann, crash({ id }), attachment(id, 'what ann did'), crash(), attachment(randomUUID(), 'of no report'));
    await send(bob, crash({ userId: 'u' }));
    await wait(ann, handledError({ method: 'later' }));
    const before = await blobs();
    expect(await groups()).toEqual([[3, 2]]);
    await remove(`installs/${ann.toUpperCase()}`);
    expect([await groups(), await total()]).toEqual([[[1, 1]], 1]);
    expect(Object.values(await known())).toEqual([new Set([bob]), new Set(), ...Array(3).fill(new Set([bob]))]);
    expect(before - (await blobs())).toBe(2);
    app.advance(1000);
    await send(ann, crash());
    expect(await groups()).toEqual([[2, 2]]);
  });

  test('loses the reports with its user ID, and nothing else', async () => {
    const { send, wait, remove, groups } = await opened();
    await send(ann, crash({ userId: 'u' }), crash({ userId: 'v' }));
    await send(bob, crash({ userId: 'u' }), crash());
    await wait(ann, crash({ userId: 'u' }));
    await remove('users/u');
    expect(await groups()).toEqual([[2, 2]]);
  });
});
