import { FEEDBACK_MAX_BYTES, FEEDBACK_MAX_LENGTH, feedbackPictures } from '@mooring/contract';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { gif, jpeg, png, webp } from '../../../../../tools/samples/images.ts';
import { openFeedback, picturePart, textPart } from '../../../test/harness/feedback.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { HOUR } from '../../kernel/clock.ts';

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const html = '<img src=x onerror=alert(1)><b>bold</b>';

eachDatabase('feedback of unauthenticated senders', (dialect) => {
  test('another secret is refused, and credentials of users do not replace it', async () => {
    const { app, token, send } = await openFeedback(dialect);
    const wrong = { headers: { 'app-secret': '00000000-0000-4000-8000-000000000000' } };
    expect((await send({ text: 'x' }, wrong)).statusCode).toBe(403);
    expect((await send({ text: 'x' }, { headers: {}, token })).statusCode).toBe(403);
    const path = '/v0.1/apps/ada/compass/feedback';
    expect((await app.call('GET', path, wrong)).statusCode).toBe(401);
  });

  test.each([
    ['an empty text', { text: ' \n ' }, 400],
    ['control characters only', { text: '\u0001\u0002' }, 400],
    ['no text', {}, 400],
    ['a text beyond the limit', { text: 'x'.repeat(FEEDBACK_MAX_LENGTH + 1) }, 400],
    ['text that is a list', { text: ['x'] }, 400],
    ['a header in the address', { text: 'x', email: 'a@example.com\r\nBcc: b@example.com' }, 400],
    ['several addresses', { text: 'x', email: 'a@example.com, b@example.com' }, 400],
    ['an address with a name', { text: 'x', email: 'Ada <a@example.com>' }, 400],
    ['a nested value', { text: 'x', name: { first: 'Ada' } }, 400],
    ['NUL', { text: 'x\0y' }, 400],
  ])('%s is refused, without repeating it', async (_what, body, status) => {
    const { send, list } = await openFeedback(dialect);
    const response = await send(body);
    expect(response.statusCode).toBe(status);
    expect(response.body).not.toContain('Bcc');
    expect(await list()).toEqual([]);
  });

  test('text of the maximum length is stored; HTML stays text; marks of direction are removed', async () => {
    const { send, get } = await openFeedback(dialect);
    const long = (await send({ text: 'ü'.repeat(FEEDBACK_MAX_LENGTH) })).json().id;
    expect((await get(long)).text).toHaveLength(FEEDBACK_MAX_LENGTH);
    const { id } = (await send({ text: `${html}\r\nsecond\u202eline`, name: 'Ada\r\nBcc: b@example.com' })).json();
    expect(await get(id)).toMatchObject({ text: `${html}\nsecondline`, name: 'Ada Bcc: b@example.com' });
  });

  test('files that are no pictures are refused by their content, not by the type they claim', async () => {
    const { sendForm, list } = await openFeedback(dialect);
    for (const [content, type] of [
      [svg, 'image/svg+xml'],
      [svg, 'image/png'],
      [Buffer.from('<!doctype html><script>alert(1)</script>'), 'image/jpeg'],
      [Buffer.from('%PDF-1.7'), 'image/png'],
    ] as const) {
      expect((await sendForm(textPart(), picturePart(content, type))).statusCode).toBe(415);
    }
    expect(await list()).toEqual([]);
  });

  test('a picture of too many pixels is refused before anything decodes it', async () => {
    const { sendForm } = await openFeedback(dialect);
    for (const bomb of [
      png(60_000, 60_000, Buffer.alloc(10)),
      jpeg(65_000, 65_000),
      gif(65_000, 65_000),
      webp.lossless(16_000, 16_000),
    ]) {
      const response = await sendForm(textPart(), picturePart(bomb));
      expect([response.statusCode, response.json().error.message]).toEqual([400, expect.stringContaining('pixels')]);
    }
  });

  test('pictures that lie about their content become refused ones, and their files are deleted', async () => {
    const { app, sendForm, get } = await openFeedback(dialect);
    // Inflates to gigabytes, although its header says 2 × 2.
    const lying = png(2, 2, Buffer.alloc(50_000_000));
    const cut = (
      await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
    ).subarray(0, 60);
    const { id } = (await sendForm(textPart(), picturePart(jpeg(20, 20)), picturePart(cut), picturePart(lying))).json();
    await app.runJobs();
    const { pictures } = await get(id);
    expect(pictures.map(({ state }: { state: string }) => state).slice(0, 2)).toEqual(['refused', 'refused']);
    expect(pictures[0].note).toBe('The picture is damaged, or not a PNG, JPEG, GIF or WebP.');
    const keys = await Array.fromAsync(app.deps.blobs.list());
    expect(keys.every((key) => key.endsWith('.drawn'))).toBe(true);
  });

  test('nothing of a polyglot remains: neither a script nor an archive after the picture', async () => {
    const { app, sendForm, get, call } = await openFeedback(dialect);
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'blue' } })
      .png()
      .toBuffer();
    const { id } = (
      await sendForm(textPart(), picturePart(Buffer.concat([picture, svg, Buffer.from('PK\x03\x04')])))
    ).json();
    await app.runJobs();
    const [{ id: pictureId, state }] = (await get(id)).pictures;
    expect(state).toBe('ready');
    const { rawPayload } = await call('GET', `/${id}/pictures/${pictureId}`);
    expect(rawPayload.includes('<script>')).toBe(false);
    expect(rawPayload.includes('PK\x03\x04')).toBe(false);
  });

  test('too many and too large files are refused', async () => {
    const { app, secret, sendForm } = await openFeedback(dialect);
    const small = picturePart(png(2, 2));
    expect((await sendForm(textPart(), ...Array(feedbackPictures.maxFiles).fill(small))).statusCode).toBe(201);
    expect((await sendForm(textPart(), ...Array(feedbackPictures.maxFiles + 1).fill(small))).statusCode).toBe(400);
    const large = Buffer.concat([png(2, 2), Buffer.alloc(feedbackPictures.maxBytes)]);
    expect((await sendForm(textPart(), picturePart(large))).statusCode).toBe(413);
    // Refused by the declared length: nothing is read.
    const declared = await app.call('POST', '/v0.1/public/feedback', {
      headers: {
        'app-secret': secret,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': String(FEEDBACK_MAX_BYTES + 1),
      },
      body: Buffer.from('--x'),
    });
    expect(declared.statusCode).toBe(413);
  });

  test('a flood is refused with 429, for the app and for one address, until the hour ends', async () => {
    const { app, send, list } = await openFeedback(dialect, { feedbackPerHour: 25 });
    const from = (remoteAddress: string) => send({ text: 'x' }, { remoteAddress });
    const statuses = await Promise.all(Array.from({ length: 22 }, async () => (await from('203.0.113.7')).statusCode));
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    for (let count = 0; count < 5; count += 1) expect((await from(`198.51.100.${count}`)).statusCode).toBe(201);
    const limited = await from('198.51.100.99');
    expect(limited.statusCode).toBe(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(await list()).toHaveLength(25);
    expect(JSON.stringify(await app.database.query((q) => q.selectFrom('feedback_counts').selectAll()))).not.toContain(
      '203.0.113.7',
    );
    app.advance(HOUR);
    expect((await from('203.0.113.7')).statusCode).toBe(201);
  });

  test('it is announced to webhooks and by email', async () => {
    const { app, send } = await openFeedback(dialect);
    await send({ text: html, name: 'Grace', version: '2.0.1', app_build: '42' });
    const [announcement] = await app.database.query((q) => q.selectFrom('announcements').select(['type', 'data']));
    expect(announcement?.type).toBe('feedbackReceived');
    expect(JSON.parse(String(announcement?.data))).toMatchObject({
      source: 'api',
      text: html,
      sender_name: 'Grace',
      app_version: '2.0.1 (42)',
    });
  });
});
