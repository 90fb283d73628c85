import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { attachment, crash, crashApp, handledError, NOW } from '../../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../../context.ts';
import { DAY } from '../../../../kernel/clock.ts';
import { addLogs } from '../../../ingest/index.ts';
import type { Stack } from '../../stacks/stack.ts';
import { unpackJson } from '../bodies.ts';
import { sweepReports } from '../retention.ts';
import { errorLogs } from './consumer.ts';
import { processApp } from './processing.ts';

const [ann, bob] = [randomUUID(), randomUUID()];

test('processes reports without waiting for other jobs, such as thousands of emails', () => {
  expect(errorLogs.job.lane).toBe('logs');
});

eachDatabase('from logs to reports', (dialect) => {
  const open = async () => {
    const opened = await crashApp(dialect);
    const { app } = opened;
    return {
      ...opened,
      reports: () => app.database.query((q) => q.selectFrom('crash_reports').selectAll().orderBy('at')),
      groups: () => app.database.query((q) => q.selectFrom('crash_groups').selectAll().orderBy('number')),
      issues: () => app.database.query((q) => q.selectFrom('crash_issues').selectAll().orderBy('number')),
      getStack: async (id: string): Promise<Stack> => {
        const [body] = await app.database.query((q) =>
          q.selectFrom('crash_bodies').select('stack').where('report_id', '=', id),
        );
        return unpackJson<Stack>(body?.stack ?? new Uint8Array());
      },
    };
  };

  test('turns repeated crashes into one report in one group', async () => {
    const { send, reports, groups, issues } = await open();
    const log = crash({ userId: 'u-17' });
    await send(ann, log, log);
    await send(ann, log, { ...log, id: log.id.toUpperCase() });
    const [report, ...others] = await reports();
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      id: log.id,
      kind: 'crash',
      state: 'processed',
      at: NOW,
      version: '1.4.0',
      build: '140',
      model: 'Pixel 7',
      os: 'Android 14',
      country: 'DE',
      language: 'en-US',
      user_id: 'u-17',
    });
    const [group] = await groups();
    expect(group).toMatchObject({
      count: 1,
      device_count: 1,
      exception_type: 'java.lang.IllegalStateException',
      class_name: 'org.example.shop.Cart',
      method: 'pay',
      file: 'Cart.java',
      line: 88,
    });
    expect(await issues()).toMatchObject([{ count: 1, device_count: 1, state: 'open', group_id: group?.id }]);
  });

  test('keeps many different crashes of one request in small transactions, with turns for other work', async () => {
    const { app, ref, process, reports, groups } = await open();
    const logs = Array.from({ length: 100 }, (_, n) => ({ ...crash(), exception: { type: `E${n}`, message: 'm' } }));
    await addLogs(app.deps, { appId: ref.id, installId: ann, logs });
    const seen = [0];
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        const { length } = await groups();
        if (length > (seen.at(-1) ?? 0)) seen.push(length);
        await nextTurn();
      }
    })();
    await process();
    isDone = true;
    await watching;
    expect(seen.length).toBeGreaterThan(2);
    expect(await reports()).toHaveLength(100);
    expect(await groups()).toHaveLength(100);
  });

  test('keeps the rest of a batch after it was cut off between two transactions', async () => {
    const { app, ref, process, reports, issues } = await open();
    const logs = Array.from({ length: 60 }, (_, n) => ({ ...crash(), exception: { type: `E${n}`, message: 'm' } }));
    await addLogs(app.deps, { appId: ref.id, installId: ann, logs });
    const { db } = app.deps;
    let count = 0;
    const cutOff: typeof db.transaction = (work) => {
      count += 1;
      if (count > 1) throw new Error('cut off');
      return db.transaction(work);
    };
    const ctx = { ...systemCtx(app.deps), db: { ...db, transaction: cutOff } };
    await expect(processApp(ctx, ref.id)).rejects.toThrow('cut off');
    const { length } = await reports();
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(60);
    await process();
    expect(await reports()).toHaveLength(60);
    expect((await issues()).map(({ count }) => count)).toEqual(Array(60).fill(1));
  });

  test('stores the same ID from another device as another report', async () => {
    const { send, reports, groups } = await open();
    const log = crash();
    await send(ann, log);
    await send(bob, log);
    const all = await reports();
    expect(all.map(({ sent_id }) => sent_id)).toEqual([log.id, log.id]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(2);
    expect(await groups()).toMatchObject([{ count: 2, device_count: 2 }]);
  });

  test('matches attachments with reports in any order, once', async () => {
    const { send, reports, app } = await open();
    const [early, late] = [crash({ at: NOW - 1000 }), crash()];
    const [one, other] = [attachment(early.id, 'before'), attachment(late.id, 'after')];
    await send(ann, one, early, late, other, other, one);
    expect((await reports()).map(({ has_attachments }) => has_attachments)).toEqual([1, 1]);
    const stored = await app.database.query((q) => q.selectFrom('crash_attachments').selectAll());
    expect(stored).toHaveLength(2);
    const blob = await app.deps.blobs.get(stored.find(({ id }) => id === one.id)?.blob_key ?? '');
    expect(blob && (await buffer(blob.stream)).toString()).toBe('before');
  });

  test('stores small attachments in the database, and reads, links and deletes them like others', async () => {
    const { app, send, get, call } = await open();
    const log = crash();
    const [small, large] = [attachment(log.id, 'small'), attachment(log.id, 'x'.repeat(20_000))];
    await send(ann, log, small, large);
    const files = async () => (await Array.fromAsync(app.deps.blobs.list())).length;
    const packed = () => app.database.query((q) => q.selectFrom('packed_files').select('key'));
    expect([await files(), (await packed()).length]).toEqual([1, 1]);
    expect((await call('GET', `crashes/${log.id}/attachments/${small.id}/text`)).body).toContain('small');
    const { uri } = await get(`crashes/${log.id}/attachments/${small.id}/location`);
    const { pathname } = new URL(uri);
    const part = await app.call('GET', pathname, { headers: { range: 'bytes=1-3' } });
    expect([part.statusCode, part.body]).toEqual([206, 'mal']);
    expect((await app.call('GET', pathname)).body).toBe('small');
    app.advance(100 * DAY);
    await sweepReports(systemCtx(app.deps));
    expect([await files(), await packed()]).toEqual([0, []]);
  });

  test('keeps twenty attachments of a report, lists one more as omitted, and drops the others', async () => {
    const { app, send, get } = await open();
    const log = crash();
    await send(ann, log, ...Array.from({ length: 15 }, (_, n) => attachment(log.id, `first ${n}`)));
    await send(ann, ...Array.from({ length: 15 }, (_, n) => attachment(log.id, `then ${n}`)));
    const listed = await get(`crashes/${log.id}/attachments`);
    expect(listed).toHaveLength(21);
    expect(listed.filter((one: { left_out?: string }) => one.left_out?.includes('20 attachments'))).toHaveLength(1);
    expect(await app.database.query((q) => q.selectFrom('packed_files').select('key'))).toHaveLength(20);
  });

  test('records an attachment that is too large without storing its content', async () => {
    const { send, app } = await open();
    const data = Buffer.alloc(7 * 1024 * 1024 + 1).toString('base64');
    await send(ann, attachment('x', '', { data }));
    const stored = await app.database.query((q) => q.selectFrom('crash_attachments').selectAll());
    expect(stored).toMatchObject([{ size: 7 * 1024 * 1024 + 1, blob_key: '' }]);
  });

  test('omits attachments beyond the quota of the owner with a reason, and still stores crashes', async () => {
    const { send, reports, app, ref, call, get } = await open();
    const asAdmin = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const limit = (body: object) => app.call('PUT', '/v0.1/admin/quotas/ada', { token: asAdmin, body });
    await limit({ storage_bytes: 10 });
    const logs = [crash(), crash(), crash()];
    const texts = ['123456', '7890ab', 'more'];
    const attached = logs.map(({ id }, at) => attachment(id, texts[at] ?? ''));
    // In one run, so that the first attachments use up the quota for the third.
    for (const log of [...logs, ...attached]) await addLogs(app.deps, { appId: ref.id, installId: ann, logs: [log] });
    await processApp(systemCtx(app.deps), ref.id);
    expect((await reports()).map(({ state, has_attachments }) => [state, has_attachments])).toEqual(
      logs.map(() => ['processed', 1]),
    );
    const list = async (at: number) => (await get(`crashes/${logs[at]?.id}/attachments`))[0];
    expect([await list(0), await list(1)].map(({ left_out }) => left_out)).toEqual([undefined, undefined]);
    const message = "the owner's storage quota was used up";
    const reason = expect.stringContaining(message);
    expect(await list(2)).toMatchObject({ size: 4, blob_location: '', left_out: reason });
    expect((await get(`errors/${logs[2]?.id}/attachments`))[0]).toMatchObject({ blobLocation: '', leftOut: reason });
    const read = await call('GET', `crashes/${logs[2]?.id}/attachments/${attached[2]?.id}/text`);
    expect([read.statusCode, read.body.includes(message)]).toEqual([404, true]);
    const usage = async () => (await get('billing/aggregated')).usage.allServices.currentUsagePeriod.byAccount;
    expect(await usage()).toMatchObject({ storage_bytes: 12, attachments_left_out: 1 });
    // Repeated logs change nothing; with a larger quota, files are stored again.
    await limit({ storage_bytes: 100 });
    const late = crash();
    await send(ann, ...attached, late, attachment(late.id, 'late'));
    expect((await get(`crashes/${late.id}/attachments`))[0]).not.toHaveProperty('left_out');
    expect(await usage()).toMatchObject({ storage_bytes: 16, attachments_left_out: 1 });
  });

  test('creates a group per version and build under one issue; handled errors are another', async () => {
    const { send, groups, issues } = await open();
    await send(ann, crash(), crash({ version: '1.10.0', build: '200' }), crash({ version: '1.9.0', build: '190' }));
    await send(ann, handledError());
    expect((await groups()).map(({ version, kind }) => [version, kind])).toEqual([
      ['1.4.0', 'crash'],
      ['1.10.0', 'crash'],
      ['1.9.0', 'crash'],
      ['1.4.0', 'error'],
    ]);
    expect(await issues()).toMatchObject([
      { count: 3, device_count: 1, first_version: '1.4.0', last_version: '1.10.0' },
      { count: 1, kind: 'error' },
    ]);
  });

  test('stores an invalid log with the reason and processes the others', async () => {
    const { send, reports, groups } = await open();
    const { exception: _, threads: __, ...nothing } = crash({ at: NOW - 1000 });
    await send(ann, nothing, crash());
    expect(await reports()).toMatchObject([
      { state: 'failed', group_id: null, note: expect.stringContaining('no exception') },
      { state: 'processed' },
    ]);
    expect(await groups()).toHaveLength(1);
  });

  test('stores a batch whose logs are all invalid', async () => {
    const { send, reports } = await open();
    const { exception: _, threads: __, ...nothing } = crash();
    await send(ann, nothing);
    expect(await reports()).toMatchObject([{ state: 'failed', group_id: null }]);
  });

  test.each([
    [
      '10,000 frames',
      {
        exception: {
          type: 'E',
          frames: Array.from({ length: 10_000 }, (_, n) => ({ className: `a.B${n}`, methodName: 'c' })),
        },
      },
      'frames',
    ],
    ['10,000 threads', { threads: Array.from({ length: 10_000 }, (_, id) => ({ id, frames: [] })) }, 'threads'],
    [
      '60 causes',
      {
        exception: Array.from({ length: 60 }, (_, n) => n).reduce<object>(
          (inner, n) => ({ type: `E${n}`, frames: [], innerExceptions: [inner] }),
          { type: 'root' },
        ),
      },
      'exceptions',
    ],
    ['a text of 10 MB', { exception: { type: 'E', stackTrace: 'at a.b.c(D.java:1)\n'.repeat(500_000) } }, 'stack'],
  ])('cuts %s, with a note', async (_what, fields, note) => {
    const { send, reports, getStack } = await open();
    const log = { ...crash(), ...fields };
    await send(ann, log);
    expect(await reports()).toMatchObject([{ state: 'processed' }]);
    const { notes, exceptions, threads } = await getStack(log.id);
    expect(notes.join(' ')).toContain(note);
    expect(Math.max(...exceptions.map(({ frames }) => frames.length))).toBeLessThanOrEqual(256);
    expect(threads.length).toBeLessThanOrEqual(512);
  });

  test('tolerates NUL, incomplete characters and values of the wrong type', async () => {
    const { send, reports } = await open();
    await send(ann, {
      ...crash({ userId: 'a\0b\ud800', model: 'x\0' }),
      properties: { 'n\0': 'v\0', deep: { a: 1 } },
      exception: {
        type: 7,
        message: 'm\0\ud800',
        frames: ['no', null, { className: 'a\0.B', methodName: 5, lineNumber: 'x' }],
      },
      threads: [null, 3, { id: 'x', frames: 'none' }],
      binaries: [{ startAddress: 'zz' }, 4],
      errorThreadId: '2',
    });
    expect(await reports()).toMatchObject([{ state: 'processed', user_id: 'a\ufffdb\ufffd', model: 'x\ufffd' }]);
  });

  test('counts reports once if two processes handle them', async () => {
    const { app, ref, groups } = await open();
    for (let n = 0; n < 20; n += 1) await addLogs(app.deps, { appId: ref.id, installId: ann, logs: [crash()] });
    const other = await app.another();
    await Promise.allSettled([processApp(systemCtx(app.deps), ref.id), processApp(systemCtx(other.deps), ref.id)]);
    await processApp(systemCtx(app.deps), ref.id);
    expect(await groups()).toMatchObject([{ count: 20, device_count: 1 }]);
  });

  test('deletes expired reports with their files and keeps counts', async () => {
    const { app, send, reports, groups } = await open();
    const log = crash();
    await send(ann, log, attachment(log.id, 'x'), crash({ at: NOW + 2 * DAY }));
    app.advance(91 * DAY);
    await sweepReports(systemCtx(app.deps));
    expect((await reports()).map(({ at }) => at)).toEqual([NOW + 2 * DAY]);
    expect(await groups()).toMatchObject([{ count: 2 }]);
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
    expect(await app.database.query((q) => q.selectFrom('crash_bodies').select('report_id'))).toHaveLength(1);
  });

  test('keeps nothing of a deleted app', async () => {
    const { app, call, send } = await open();
    const log = handledError({ properties: { a: 'b' } });
    await send(ann, log, attachment(log.id, 'x'), attachment('unknown', 'y'));
    expect((await call('DELETE', '')).statusCode).toBeLessThan(300);
    await sweepReports(systemCtx(app.deps));
    const tables = [
      'crash_apps',
      'crash_issues',
      'crash_keys',
      'crash_groups',
      'crash_reports',
      'crash_bodies',
      'crash_properties',
      'crash_attachments',
      'crash_days',
      'crash_group_devices',
      'crash_issue_devices',
      'crash_app_devices',
      'crash_facets',
    ] as const;
    for (const table of tables) {
      expect([table, await app.database.query((q) => q.selectFrom(table).select('app_id'))]).toEqual([table, []]);
    }
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
  });
});
