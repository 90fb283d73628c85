import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { androidCrash, EVENT_ID, envelope, NOW, session } from '../../../../../test/harness/sentry.ts';
import {
  anr,
  crashed,
  eventItem,
  hexId,
  openSentryReports,
  sessionItem,
} from '../../../../../test/harness/sentry-reports.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { DAY } from '../../../../kernel/clock.ts';

/* The edge cases of the notes about envelopes, by their names. Composed, not recorded. */

eachDatabase('edge cases of envelopes', (dialect) => {
  const open = () => openSentryReports(dialect);
  const message = (id: number, more: object) => ({ event_id: hexId(id), message: `m${id}`, ...more });

  test('duplicate event_id, two events, no items, unknown items: one report', async () => {
    const { sendItems, process, rows, items } = await open();
    await sendItems({ event_id: EVENT_ID }, eventItem(androidCrash()), eventItem(androidCrash({ event_id: hexId(2) })));
    await sendItems({ event_id: EVENT_ID }, eventItem(androidCrash()), [{ type: 'from the future' }, { a: 1 }]);
    await sendItems({ event_id: hexId(3) });
    await process();
    expect((await rows()).map(({ id }) => id)).toEqual([EVENT_ID]);
    expect(await items()).toEqual({
      'event stored': 2,
      'event dropped second_event': 1,
      'unknown dropped not_supported': 1,
    });
  });

  test('item length past EOF is malformed; a DSN in the header alone counts, also with another host', async () => {
    const { sendEnvelope, post, url, dsn, rows, process } = await open();
    expect((await sendEnvelope(`{}\n{"type":"event","length":99}\n{}\n`)).statusCode).toBe(400);
    const wrongHost = dsn.replace(/@[^/]+/, '@sentry.example.com');
    const body = envelope({ event_id: EVENT_ID, dsn: wrongHost }, eventItem(androidCrash()));
    expect((await post(url, body)).statusCode).toBe(200);
    const otherProject = dsn.replace(/\d+$/, '7');
    expect(
      (await post(url, envelope({ event_id: hexId(2), dsn: otherProject }, eventItem(androidCrash())))).statusCode,
    ).toBe(403);
    await process();
    expect(await rows()).toHaveLength(1);
  });

  test('tags as pairs, timestamps as string, number and nanoseconds, exception as array, frames null, numeric user ID', async () => {
    const { send, process, rows, getStack } = await open();
    const at = NOW - 5000;
    await send(message(1, { timestamp: new Date(at).toISOString(), tags: [['plan', 'pro']], user: { id: 4711 } }));
    await send(message(2, { timestamp: at / 1000, tags: { plan: 'pro' } }));
    await send(message(3, { timestamp: `${at}000000`, user: { id: null } }));
    await send({
      event_id: hexId(4),
      timestamp: at / 1000,
      exception: [{ type: 'T', value: 'v', stacktrace: { frames: null } }, null],
    });
    await process();
    const all = await rows();
    expect(all.map(({ at, state }) => [at, state])).toEqual(Array(4).fill([at, 'processed']));
    expect(all.slice(0, 2).map(({ properties }) => JSON.parse(String(properties)))).toEqual([
      { plan: 'pro' },
      { plan: 'pro' },
    ]);
    expect(all[0]?.install_id).not.toBe(all[2]?.install_id);
    expect((await getStack(hexId(4))).exceptions).toMatchObject([{ type: 'T', frames: [] }]);
  });

  test('1 MB + 1 byte and a gzip bomb lose only themselves', async () => {
    const { sendItems, sendEnvelope, process, overview } = await open();
    const large = JSON.stringify(message(1, { extra: { x: 'x'.repeat(1024 * 1024) } }));
    await sendItems({ event_id: hexId(1) }, [{ type: 'event' }, large], sessionItem(session()));
    const bomb = gzipSync(envelope({}, [{ type: 'attachment' }, Buffer.alloc(110 * 1024 * 1024)]));
    expect((await sendEnvelope(bomb, { 'content-encoding': 'gzip' })).statusCode).toBe(413);
    await process();
    expect(await overview()).toMatchObject({ error_count: 0, days: [{ sessions: 1 }] });
  });

  test('session update without init; crashed session and event in one envelope; release absent; an ANR', async () => {
    const { send, sendItems, process, overview, rows } = await open();
    await sendItems({}, sessionItem(session({ sid: hexId(1), init: false, errors: 2 })));
    await send(androidCrash({ release: undefined, dist: undefined }), crashed({ sid: hexId(2), attrs: undefined }));
    await send(anr());
    await process();
    expect(await overview()).toMatchObject({
      crash_count: 1,
      hang_count: 1,
      crash_free_sessions: 50,
      days: [{ sessions: 2 }],
    });
    // The contexts of the event name the version, too.
    expect((await rows()).find(({ id }) => id === EVENT_ID)).toMatchObject({ version: '1.4.0', build: '140' });
  });

  test('a clock one year off in either direction is corrected; half an hour is not', async () => {
    const { sendItems, process, rows } = await open();
    for (const [id, off] of [
      [1, -365 * DAY],
      [2, 365 * DAY],
      [3, -30 * 60_000],
    ] as const) {
      const sent_at = new Date(NOW + off).toISOString();
      await sendItems(
        { event_id: hexId(id), sent_at },
        eventItem(message(id, { timestamp: (NOW + off - 1000) / 1000 })),
      );
    }
    await process();
    expect((await rows()).map(({ at }) => at)).toEqual([NOW - 1000, NOW - 1000, NOW - 30 * 60_000 - 1000]);
  });

  test('429 in the middle: what was accepted before stays, and the refused envelope can be sent again', async () => {
    const { app, sendEnvelope, process, rows } = await openSentryReports(dialect, { ingestMbPerHour: 1 });
    const statuses: number[] = [];
    for (let id = 1; id <= 200 && !statuses.includes(429); id += 1) {
      // Incompressible.
      const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(40_000))).toString('base64');
      const event = message(id, { extra: { noise } });
      statuses.push((await sendEnvelope(envelope({ event_id: hexId(id) }, eventItem(event)))).statusCode);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await process();
    expect(await rows()).toHaveLength(statuses.length - 1);
    app.advance(2 * 3_600_000);
    const again = envelope({ event_id: hexId(statuses.length) }, eventItem(message(statuses.length, {})));
    expect((await sendEnvelope(again)).statusCode).toBe(200);
    await process();
    expect(await rows()).toHaveLength(statuses.length);
  });
});
