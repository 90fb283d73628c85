import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { wireEvent as event, iso, wireLog as log, NOW, TODAY, withApps } from '../../../test/harness/analytics.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { systemCtx } from '../../context.ts';
import { DAY } from '../../kernel/clock.ts';
import { tidyParts } from './compaction.ts';

const [ann, bob] = [randomUUID(), randomUUID()];

eachDatabase('what is kept of devices', (dialect) => {
  test('an installation that is deleted is gone at once from every figure, also what waits; what comes later counts', async () => {
    const { app, open } = await withApps(dialect);
    const { get, send, compact, call, ref } = await open();
    const sent = [log('startSession', NOW, { sid: 's' }), event('open', { sid: 's' })];
    await send(ann, ...sent, event('open', {}, NOW - DAY));
    await send(bob, ...sent);
    await compact();
    await send(ann, event('wait'));
    const figures = async () => {
      const query = { start: iso(TODAY - 1), end: iso(TODAY) };
      const { daily } = await get('active_device_counts', query);
      const sessions = await get('session_counts', { ...query, interval: 'P1D' });
      const { events } = await get('events', query);
      const counts = (series: { count: number }[]) => series.map(({ count }) => count);
      return [
        counts(daily),
        counts(sessions),
        events.map((each: { name: string; count: number }) => [each.name, each.count]),
      ];
    };
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'developer');
    expect((await call('DELETE', `installs/${ann}`, undefined, await app.userToken(grace))).statusCode).toBe(403);
    expect((await call('DELETE', `installs/${ann.toUpperCase()}`)).statusCode).toBe(204);
    const left = [[0, 1], [0, 1], [['open', 1]]];
    expect(await figures()).toEqual(left);
    app.advance(5000);
    await app.runJobs();
    expect(await figures()).toEqual(left);
    const marks = await app.database.query((q) =>
      q.selectFrom('analytics_parts').select('forgotten').where('state', '=', 'live'),
    );
    expect(marks).toEqual([{ forgotten: '[]' }]);
    await send(ann, event('again'));
    await compact();
    expect(await figures()).toEqual([
      [0, 2],
      [0, 1],
      [
        ['again', 1],
        ['open', 1],
      ],
    ]);
    const [audit] = await app.database.query((q) =>
      q.selectFrom('audit_events').select('before').where('action', '=', 'analytics_install.delete'),
    );
    expect(audit).toEqual({ before: JSON.stringify({ install_id: ann }) });
  });

  test('a user that is deleted takes along what was sent in their name, and no more; the audit log keeps no id', async () => {
    const { app, open } = await withApps(dialect);
    const { get, send, compact, call } = await open();
    await send(ann, event('one', { userId: "u'1" }), event('two'), event('three', { userId: 'v' }));
    await compact();
    await send(ann, event('four', { userId: "u'1" }), event('five', { userId: 'v' }));
    expect((await call('DELETE', `users/${encodeURIComponent("u'1")}`)).statusCode).toBe(204);
    const listed = async () =>
      (await get('events', { start: iso(TODAY), $orderby: 'name' })).events.map(({ name }: { name: string }) => name);
    expect(await listed()).toEqual(['three', 'two']);
    app.advance(5000);
    await app.runJobs();
    expect(await listed()).toEqual(['five', 'three', 'two']);
    const [audit] = await app.database.query((q) =>
      q.selectFrom('audit_events').select(['before', 'after']).where('action', '=', 'analytics_user.delete'),
    );
    expect(JSON.stringify(audit)).not.toContain("u'1");
  });

  test('limits are settings, are shown, and tell how often they were passed', async () => {
    const { app, open } = await withApps(dialect, {
      analyticsNameLength: 5,
      analyticsProperties: 1,
      analyticsPropertyLength: 3,
      analyticsEventNames: 2,
    });
    const { get, send, compact } = await open();
    await send(
      ann,
      event('a long name', { properties: { k: 'value', more: 'x' } }, NOW - 3000),
      event('b', {}, NOW - 2000),
    );
    await compact();
    await send(ann, event('c', {}, NOW - 1000), event('b'), event('d'));
    await compact();
    const { events } = await get('events', { start: iso(TODAY), $orderby: 'name' });
    expect(events.map((each: { name: string; count: number }) => [each.name, each.count])).toEqual([
      ['(other)', 2],
      ['a lon', 1],
      ['b', 2],
    ]);
    expect((await get('events/a%20lon/properties/k/counts', { start: iso(TODAY) })).values).toEqual([
      { name: 'val', count: 1, previous_count: 0 },
    ]);
    const limits = async () => {
      const answer = await get('limits');
      expect(answer.other_event_name).toBe('(other)');
      return Object.fromEntries(
        answer.limits.map((each: { name: string; value: number; exceeded_count?: number }) => [
          each.name,
          [each.value, each.exceeded_count],
        ]),
      );
    };
    const shown = {
      retention_days: [90, undefined],
      event_name_length: [5, 1],
      event_names_per_day: [2, 2],
      properties_per_event: [1, 1],
      property_length: [3, 1],
      audiences: [200, undefined],
      charts: [200, undefined],
    };
    expect(await limits()).toEqual(shown);
    app.advance(28 * DAY);
    await tidyParts(systemCtx(app.deps));
    expect(await limits()).toMatchObject({ event_name_length: [5, 0] });
    expect(await app.database.query((q) => q.selectFrom('analytics_cuts').selectAll())).toEqual([]);
  });
});
