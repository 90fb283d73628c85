import sharp from 'sharp';
import { expect, test } from 'vitest';
import { png } from '../../../../../tools/samples/images.ts';
import { openFeedback, picturePart, textPart } from '../../../test/harness/feedback.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY } from '../../kernel/clock.ts';
import { eraseDataSubject } from '../ingest/index.ts';
import { tidyFeedback } from './retention.ts';
import { subjectFeedback } from './subject-records.ts';

const message = {
  text: 'The chart is upside down.',
  name: 'Grace',
  email: 'grace@example.org',
  version: '2.0.1',
  app_build: '42',
  install_id: '0D1F7C1E-3A53-4D0C-9A61-0B4E9A0F2D11',
  user_id: 'u-7',
};

eachDatabase('feedback', (dialect) => {
  test('is sent with the app secret, listed newest first, and shown with all it says', async () => {
    const { app, send, list, get } = await openFeedback(dialect);
    const sent = await send({
      ...message,
      os: 'Android 16',
      model: 'Pixel 9',
      locale: 'de_DE',
      url: 'compass://chart',
    });
    expect([sent.statusCode, sent.json()]).toEqual([201, { id: expect.any(String) }]);
    app.advance(1000);
    await send({ text: 'Second' });
    expect((await list()).map(({ text }: { text: string }) => text)).toEqual(['Second', message.text]);
    expect(await get(sent.json().id)).toEqual({
      id: sent.json().id,
      source: 'api',
      state: 'open',
      text: message.text,
      name: 'Grace',
      email: 'grace@example.org',
      version: '2.0.1',
      app_build: '42',
      model: 'Pixel 9',
      os: 'Android 16',
      locale: 'de-DE',
      created_at: '2026-11-01T09:00:00.000Z',
      received_at: '2026-11-01T09:00:00.000Z',
      picture_count: 0,
      reply_count: 0,
      can_reply: true,
      url: 'compass://chart',
      install_id: '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d11',
      user_id: 'u-7',
      pictures: [],
      replies: [],
    });
  });

  test('pages hold each message once, in order', async () => {
    const { app, send, call } = await openFeedback(dialect);
    for (const text of ['1', '2', '3', '4', '5']) {
      await send({ text });
      if (text !== '2') app.advance(1000);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { values, next_cursor = '' } = (await call('GET', `?limit=2${cursor && `&cursor=${cursor}`}`)).json();
      seen.push(...values.map(({ text }: { text: string }) => text));
      cursor = next_cursor;
    } while (cursor);
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });

  test('is found by state, assignee, version and words', async () => {
    const { send, call, list } = await openFeedback(dialect);
    const first = (await send(message)).json().id;
    const second = (await send({ text: 'Ähnlich schön' })).json().id;
    await call('PATCH', `/${first}`, { state: 'closed', assignee: 'ada' });
    const found = async (query: string) => (await list(query)).map(({ id }: { id: string }) => id);
    expect(await found('?state=closed')).toEqual([first]);
    expect(await found('?state=unresolved')).toEqual([second]);
    expect(await found('?assignee=ada')).toEqual([first]);
    expect(await found('?assignee=-')).toEqual([second]);
    expect(await found('?assignee=nobody')).toEqual([]);
    expect(await found('?version=2.0.1')).toEqual([first]);
    expect(await found('?search=ahnlich%20SCHON')).toEqual([second]);
    expect(await found('?search=grace@example.org')).toEqual([first]);
    expect((await call('GET', '?search=chart')).json().total).toBe(1);
  });

  test('a change that changes nothing leaves no entry in the audit log', async () => {
    const { app, send, call } = await openFeedback(dialect);
    const { id } = (await send(message)).json();
    expect((await call('PATCH', `/${id}`, { state: 'open', assignee: null })).statusCode).toBe(200);
    const events = await app.database.query((q) =>
      q.selectFrom('audit_events').select('action').where('action', '=', 'feedback.update'),
    );
    expect(events).toEqual([]);
  });

  test('only users with access to the app are assigned; every change is in the audit log', async () => {
    const { app, compass, send, call } = await openFeedback(dialect);
    const grace = await app.addUser('grace');
    const { id } = (await send(message)).json();
    expect((await call('PATCH', `/${id}`, { assignee: 'grace' })).statusCode).toBe(404);
    await app.addMember(compass, grace, 'viewer');
    const changed = await call('PATCH', `/${id}`, { assignee: 'grace', state: 'in_progress' });
    expect(changed.json()).toMatchObject({ state: 'in_progress', assignee: { name: 'grace' } });
    expect((await call('PATCH', `/${id}`, { assignee: null })).json().assignee).toBeUndefined();
    expect((await call('PATCH', `/${id}`, { state: 'lost' })).statusCode).toBe(400);
    await call('POST', `/${id}/replies`, { text: 'Thank you' });
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204);
    expect((await call('GET', `/${id}`)).statusCode).toBe(404);
    const events = await app.database.query((q) =>
      q
        .selectFrom('audit_events')
        .select(['action', 'before', 'after'])
        .where('action', 'like', 'feedback.%')
        .orderBy('id'),
    );
    expect(events.map(({ action }) => action)).toEqual([
      'feedback.update',
      'feedback.update',
      'feedback.reply',
      'feedback.delete',
    ]);
    // The audit log outlives what is deleted.
    expect(JSON.stringify(events)).not.toContain('upside');
    expect(JSON.stringify(events)).not.toContain('grace@example.org');
  });

  test('a reply is sent by email, without the message of the sender', async () => {
    const { app, send, call, get } = await openFeedback(dialect);
    const { id } = (await send({ ...message, text: 'Buy at https://spam.example.com' })).json();
    const reply = await call('POST', `/${id}/replies`, { text: 'Version 2.0.2 has the fix.' });
    expect([reply.statusCode, reply.json()]).toEqual([
      201,
      expect.objectContaining({ to: 'grace@example.org', author: { name: 'ada', display_name: 'ada' } }),
    ]);
    const [mail] = await app.database.query((q) => q.selectFrom('mails').select(['to', 'subject', 'text']));
    expect(mail).toMatchObject({ to: 'grace@example.org', subject: 'Your feedback about compass' });
    expect(mail?.text).toContain('Version 2.0.2 has the fix.');
    expect(mail?.text).not.toContain('spam');
    expect((await get(id)).replies).toMatchObject([{ text: 'Version 2.0.2 has the fix.' }]);
    const anonymous = (await send({ text: 'No address' })).json().id;
    expect((await call('POST', `/${anonymous}/replies`, { text: 'x' })).statusCode).toBe(409);
    for (let count = 1; count < 20; count += 1) await call('POST', `/${id}/replies`, { text: String(count) });
    expect((await call('POST', `/${id}/replies`, { text: 'too many' })).statusCode).toBe(429);
  });

  test('other apps, testers and Read-Only tokens are refused', async () => {
    const { app, ada, compass, send, sendForm, call } = await openFeedback(dialect);
    const { id } = (await sendForm(textPart(), picturePart(png(2, 2)))).json();
    await app.runJobs();
    const picture = (await call('GET', `/${id}`)).json().pictures[0].id;
    await app.addApp(ada, 'raft');
    const token = await app.userToken(ada);
    const elsewhere = (path: string, method = 'GET', body?: object) =>
      app.call(method, `/v0.1/apps/ada/raft/feedback/${path}`, { token, ...(body ? { body } : {}) });
    expect((await elsewhere(id)).statusCode).toBe(404);
    expect((await elsewhere(`${id}/pictures/${picture}`)).statusCode).toBe(404);
    expect((await elsewhere(id, 'PATCH', { state: 'closed' })).statusCode).toBe(404);
    expect((await elsewhere(`${id}/replies`, 'POST', { text: 'x' })).statusCode).toBe(404);
    expect((await elsewhere(id, 'DELETE')).statusCode).toBe(404);
    const other = (await send({ text: 'Another message' })).json().id;
    expect((await call('GET', `/${other}/pictures/${picture}`)).statusCode).toBe(404);
    const readOnly = await app.userToken(ada, { scope: ['viewer'] });
    expect((await call('GET', '', undefined, readOnly)).statusCode).toBe(200);
    for (const [method, path, body] of [
      ['PATCH', '', { state: 'closed' }],
      ['POST', '/replies', { text: 'x' }],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await call(method, `/${id}${path}`, body, readOnly)).statusCode).toBe(403);
    }
    const viewer = await app.addUser('viewer');
    await app.addMember(compass, viewer, 'viewer');
    const theirs = await app.userToken(viewer);
    expect((await call('GET', `/${id}`, undefined, theirs)).statusCode).toBe(200);
    expect((await call('PATCH', `/${id}`, { state: 'closed' }, theirs)).statusCode).toBe(403);
  });

  test('pictures are served only after the server has drawn them again, and deleted with their message', async () => {
    const { app, sendForm, call, get } = await openFeedback(dialect);
    const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#336699' } })
      .jpeg()
      .withExif({ IFD3: { GPSLatitude: '52/1 31/1 12/1', GPSLatitudeRef: 'N' }, IFD0: { Artist: 'Grace Hopper' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(photo.includes('Exif')).toBe(true);
    const { id } = (await sendForm(textPart(), picturePart(photo, 'image/jpeg', 'photo.jpg'))).json();
    const [waiting] = (await get(id)).pictures;
    expect(waiting).toEqual({ id: expect.any(String), state: 'waiting' });
    expect((await call('GET', `/${id}/pictures/${waiting.id}`)).statusCode).toBe(404);
    await app.runJobs();
    // Upright now, so the sides have swapped.
    expect((await get(id)).pictures).toEqual([
      { id: waiting.id, state: 'ready', width: 20, height: 40, size: expect.any(Number) },
    ]);
    const served = await call('GET', `/${id}/pictures/${waiting.id}`);
    expect([served.statusCode, served.headers['content-type'], served.headers['x-content-type-options']]).toEqual([
      200,
      'image/jpeg',
      'nosniff',
    ]);
    const meta = await sharp(served.rawPayload).metadata();
    expect([meta.exif, meta.xmp, meta.orientation]).toEqual([undefined, undefined, undefined]);
    const keys = () => Array.fromAsync(app.deps.blobs.list());
    expect(await keys()).toHaveLength(1);
    await call('DELETE', `/${id}`);
    await app.runJobs();
    expect(await keys()).toEqual([]);
  });

  test('a copy for a data subject has everything; an erasure leaves nothing', async () => {
    const { app, compass, sendForm, send, list } = await openFeedback(dialect);
    const fields = Object.entries({ name: 'Grace', install_id: message.install_id, user_id: 'u-7' }).map(
      ([field, content]) => ({ field, content }),
    );
    await sendForm(textPart('Mine'), ...fields, picturePart(png(3, 3)));
    await send({ text: 'Not mine' });
    await app.runJobs();
    const ctx = systemCtx(app.deps);
    const install = { appId: compass.id, kind: 'install', value: message.install_id.toLowerCase() } as const;
    for (const subject of [install, { appId: compass.id, kind: 'user', value: 'u-7' } as const]) {
      const records = await Array.fromAsync(subjectFeedback.read(ctx, subject));
      expect(records).toMatchObject([
        { record: 'feedback', text: 'Mine', name: 'Grace' },
        { record: 'picture', state: 'ready', data: expect.any(String) },
      ]);
    }
    await tx(ctx, (ctx) => eraseDataSubject(ctx, install));
    await app.runJobs();
    expect(await subjectFeedback.countLeft(ctx, install, Number.MAX_SAFE_INTEGER)).toBe(0);
    expect((await list()).map(({ text }: { text: string }) => text)).toEqual(['Not mine']);
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
  });

  test('is deleted after its retention time, and with its app', async () => {
    const { app, token, send, sendForm, list } = await openFeedback(dialect, { feedbackRetentionDays: 30 });
    await send({ text: 'Old' });
    app.advance(31 * DAY);
    await sendForm(textPart('New'), picturePart(png(2, 2)));
    await app.runJobs();
    await tidyFeedback(systemCtx(app.deps));
    expect((await list()).map(({ text }: { text: string }) => text)).toEqual(['New']);
    await app.call('DELETE', '/v0.1/apps/ada/compass', { token });
    await tidyFeedback(systemCtx(app.deps));
    await app.runJobs();
    expect(await app.database.query((q) => q.selectFrom('feedback').select('id'))).toEqual([]);
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
  });
});
