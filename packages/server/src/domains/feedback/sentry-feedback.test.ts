import sharp from 'sharp';
import { expect, test } from 'vitest';
import { androidCrash, EVENT_ID, envelope, INSTALL, type Item, NOW, openSentry } from '../../../test/harness/sentry.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import { tidyFeedback } from './retention.ts';
import { readNewFeedback, readRest, readSentFeedback } from './sentry-feedback.ts';
import { subjectFeedback } from './subject-records.ts';

const ID = '4be1f3e01a2b4c5d8e9f001122334455';

const feedbackItem = (more: object = {}, event: object = {}): Item => [
  { type: 'feedback' },
  {
    event_id: ID,
    timestamp: (NOW - 5000) / 1000,
    release: 'com.example.shop@1.4.0+140',
    contexts: {
      device: { manufacturer: 'Google', model: 'Pixel 7' },
      os: { name: 'Android', version: '14' },
      culture: { locale: 'de-DE' },
      feedback: {
        message: 'Paying fails',
        name: 'Grace',
        contact_email: 'grace@example.org',
        associated_event_id: EVENT_ID,
        url: 'shop://cart',
        source: 'widget',
        ...more,
      },
    },
    user: { id: INSTALL },
    ...event,
  },
];

const picture = () =>
  sharp({ create: { width: 9, height: 16, channels: 3, background: 'green' } })
    .png()
    .toBuffer();

eachDatabase('feedback of Sentry SDKs', (dialect) => {
  async function open(settings = {}) {
    const sentry = await openSentry(dialect, settings);
    const { app, id, get } = sentry;
    const read = async () => {
      await readSentFeedback(systemCtx(app.deps), id);
      await app.runJobs();
      return (await get('feedback')).values;
    };
    return { ...sentry, read };
  }

  test('a message is stored with its screenshot, device, release and crash', async () => {
    const { sendEnvelope, read, get, items, process } = await open();
    await sendEnvelope(envelope({ event_id: EVENT_ID }, [{ type: 'event' }, androidCrash()]));
    const attachment: Item = [
      { type: 'attachment', filename: 'screenshot.png', content_type: 'image/png' },
      await picture(),
    ];
    const log: Item = [{ type: 'attachment', filename: 'view.json' }, '{}'];
    const sent = await sendEnvelope(envelope({ event_id: ID }, feedbackItem(), attachment, log));
    expect([sent.statusCode, sent.json()]).toEqual([200, { id: ID }]);
    await process();
    const [{ id }] = await read();
    const [issue] = (await get('crash_issues')).values;
    expect(await get(`feedback/${id}`)).toMatchObject({
      source: 'sentry',
      text: 'Paying fails',
      name: 'Grace',
      email: 'grace@example.org',
      version: '1.4.0',
      app_build: '140',
      model: 'Google Pixel 7',
      os: 'Android 14',
      locale: 'de-DE',
      url: 'shop://cart',
      created_at: '2026-11-01T08:59:55.000Z',
      install_id: INSTALL,
      event_id: EVENT_ID,
      crash: { report_id: EVENT_ID, issue_id: issue.id },
      pictures: [{ state: 'ready', width: 9, height: 16 }],
    });
    expect(await items()).toMatchObject({
      'feedback stored': 1,
      'attachment stored': 1,
      'attachment dropped not_supported': 1,
    });
  });

  test('a message that is sent again is stored once', async () => {
    const { sendEnvelope, read } = await open();
    for (let count = 0; count < 2; count += 1) {
      await sendEnvelope(
        envelope({ event_id: ID }, feedbackItem(), [
          { type: 'attachment', filename: 'screenshot.png' },
          await picture(),
        ]),
      );
      expect(await read()).toMatchObject([{ text: 'Paying fails', picture_count: 1 }]);
    }
  });

  test('the form of older SDKs is stored once, too', async () => {
    const { sendEnvelope, read } = await open();
    const report: Item = [
      { type: 'user_report' },
      { event_id: EVENT_ID, name: 'Grace', email: '0123 456', comments: 'It crashed' },
    ];
    await sendEnvelope(envelope({ event_id: EVENT_ID }, report));
    await sendEnvelope(envelope({ event_id: EVENT_ID }, report));
    expect(await read()).toMatchObject([{ text: 'It crashed', name: 'Grace' }]);
  });

  test('odd messages are dropped or shortened, never a 5xx', async () => {
    const { sendEnvelope, read, items } = await open();
    const odd: Item[] = [
      feedbackItem({ message: '' }),
      [{ type: 'feedback' }, '[]'],
      [{ type: 'feedback' }, '{"contexts":{"feedback":[]}}'],
      [{ type: 'user_report' }, 'null'],
      [{ type: 'feedback' }, { contexts: { feedback: { message: { a: 1 } } } }],
      [{ type: 'feedback' }, 'x'.repeat(300_000)],
    ];
    for (const item of odd) expect((await sendEnvelope(envelope({}, item))).statusCode).toBe(200);
    expect(await read()).toEqual([]);
    await sendEnvelope(
      envelope(
        { event_id: ID },
        feedbackItem({ message: 'y'.repeat(20_000), contact_email: 'a@b.c\nBcc: d@e.f', name: { a: 1 } }),
      ),
    );
    const [stored] = await read();
    expect(stored.text).toHaveLength(10_000);
    expect(stored.email).toBeUndefined();
    expect(await items()).toMatchObject({ 'feedback dropped invalid': 4, 'feedback dropped too_large': 1 });
  });

  test('feedback waits while the disk is full, but not for exports, and is stored later', async () => {
    const { app, id, sendEnvelope, get } = await open();
    await sendEnvelope(envelope({ event_id: ID }, feedbackItem()));
    const ctx = systemCtx(app.deps);
    const full = { ...ctx, config: { ...ctx.config, diskReserveMb: 1e12 } };
    await readNewFeedback(full, id);
    await readRest(full);
    expect((await get('feedback')).values).toEqual([]);
    const subject = { appId: id, kind: 'install', value: INSTALL } as const;
    expect(await Array.fromAsync(subjectFeedback.read(full, subject))).toMatchObject([{ text: 'Paying fails' }]);
    const other = ID.replace(/.$/, '7');
    await sendEnvelope(envelope({ event_id: other }, feedbackItem({}, { event_id: other })));
    await tidyFeedback(ctx);
    expect((await get('feedback')).values).toHaveLength(2);
  });

  test('beyond the hourly limit, messages are dropped with their pictures', async () => {
    const { app, sendEnvelope, read } = await open({ feedbackPerHour: 2 });
    for (let count = 0; count < 4; count += 1) {
      const id = ID.replace(/.$/, String(count));
      const file: Item = [{ type: 'attachment', filename: 'a.png' }, await picture()];
      await sendEnvelope(envelope({ event_id: id }, feedbackItem({}, { event_id: id }), file));
    }
    expect(await read()).toHaveLength(2);
    app.advance(2 * 3_600_000);
    await app.runJobs();
    expect((await Array.fromAsync(app.deps.blobs.list())).filter((key) => key.startsWith('feedback'))).toHaveLength(2);
  });
});
