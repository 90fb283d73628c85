import { expect, test } from 'vitest';
import { recorded } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { north, south, withHooks } from '../../../../test/harness/services/hooks.ts';

const url = 'https://hooks.example.com/T0/secret-path';

eachDatabase('webhooks', (dialect) => {
  test('are created, read, changed and deleted; the secret is shown only at creation', async () => {
    const { ask } = await withHooks(dialect);
    const made = await ask('POST', 'webhooks', { url: `${url}#top`, filter: "service eq 'Mail'" });
    expect(made).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        url,
        filter: "service eq 'Mail'",
        isEnabled: true,
        createdBy: 'ada',
        createdAt: '2026-11-01T09:00:00.000Z',
        updatedAt: '2026-11-01T09:00:00.000Z',
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const { secret, ...webhook } = made.body;
    expect((await ask('GET', 'WebHooks')).body).toEqual({ value: [webhook] });
    expect((await ask('GET', `webhooks/${webhook.id}`)).body).toEqual(webhook);
    const changed = (await ask('PATCH', `webhooks/${webhook.id}`, { filter: '', isEnabled: false })).body;
    expect([changed.filter, changed.isEnabled, changed.url]).toEqual([undefined, false, url]);
    const rotated = (await ask('POST', `webhooks/${webhook.id}/rotate`, {})).body.secret;
    expect(rotated).not.toBe(secret);
    expect((await ask('DELETE', `webhooks/${webhook.id}`)).status).toBe(204);
    expect((await ask('GET', `webhooks/${webhook.id}`)).status).toBe(404);
  });

  test.each([
    ['not an address', 'url must be a URL that starts with https://.'],
    ['ftp://example.com/', 'url must be a URL that starts with https://.'],
    [
      'http://example.com/',
      'url must start with https://. Only IP addresses in MOORING_OUTBOUND_ALLOW can use http://.',
    ],
    ['https://ada:secret@example.com/', 'url must not contain a user name or password.'],
    [
      'https://10.0.0.1/',
      'url: 10.0.0.1 is not a public address. To allow it, an administrator can add it to MOORING_OUTBOUND_ALLOW.',
    ],
    [
      'https://[::1]/',
      'url: ::1 is not a public address. To allow it, an administrator can add it to MOORING_OUTBOUND_ALLOW.',
    ],
  ])('refuses %s', async (address, message) => {
    const { ask, addHook } = await withHooks(dialect);
    const { id } = await addHook();
    for (const response of [
      await ask('POST', 'webhooks', { url: address }),
      await ask('PATCH', `webhooks/${id}`, { url: address }),
    ]) {
      expect([response.status, response.body.message]).toEqual([400, message]);
    }
  });

  test('refuses an invalid filter with the position', async () => {
    const { ask } = await withHooks(dialect);
    const refused = [
      await ask('POST', 'webhooks', { url, filter: "service eq 'Mail' und" }),
      await ask('POST', 'feeds', { filter: "service eq 'Mail' und" }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([400, 'BadRequest']);
      expect(body.message).toMatch(/^filter: .*19.*"und"|^filter: .*"und".*19/);
    }
  });

  test('hides webhooks of other users, except from administrators', async () => {
    const { app, ask, addHook, tokens } = await withHooks(dialect);
    const { id } = await addHook();
    const { id: feedId } = (await ask('POST', 'feeds', {})).body;
    const grace = { token: tokens.grace };
    expect((await ask('GET', 'webhooks', undefined, grace)).body).toEqual({ value: [] });
    expect((await ask('GET', 'feeds', undefined, grace)).body).toEqual({ value: [] });
    const calls: [string, string, object?][] = [
      ['GET', `webhooks/${id}`],
      ['PATCH', `webhooks/${id}`, { isEnabled: false }],
      ['DELETE', `webhooks/${id}`],
      ['POST', `webhooks/${id}/rotate`, {}],
      ['POST', `webhooks/${id}/test`, {}],
      ['GET', `webhooks/${id}/deliveries`],
      ['POST', `webhooks/${id}/deliveries/x/replay`, {}],
      ['DELETE', `feeds/${feedId}`],
    ];
    for (const [method, path, body] of calls) {
      expect([path, (await ask(method, path, body, grace)).status]).toEqual([path, 404]);
    }
    const admin = { token: await app.userToken(await app.addUser('root', { isAdmin: true })) };
    expect((await ask('GET', 'webhooks', undefined, admin)).body.value).toMatchObject([{ id, createdBy: 'ada' }]);
    expect((await ask('GET', 'feeds', undefined, admin)).body.value).toMatchObject([{ id: feedId, createdBy: 'ada' }]);
    // It is also not found through another subscription.
    const elsewhere = { ...admin, subscription: south };
    expect((await ask('GET', `webhooks/${id}`, undefined, elsewhere)).status).toBe(404);
    expect((await ask('DELETE', `feeds/${feedId}`, undefined, elsewhere)).status).toBe(404);
    expect((await ask('DELETE', `feeds/${feedId}`, undefined, admin)).status).toBe(204);
  });

  test('rejects callers without access to the subscription and read-only tokens', async () => {
    const { app, ask, ada, tokens, dropGrace } = await withHooks(dialect);
    await dropGrace();
    const viewer = await app.userToken(ada, { scope: ['viewer'] });
    for (const token of [tokens.grace, tokens.eve, viewer]) {
      expect((await ask('POST', 'webhooks', { url }, { token })).status).toBe(403);
      expect((await ask('POST', 'feeds', {}, { token })).status).toBe(403);
    }
  });

  test('limits a subscription to twenty webhooks and twenty feeds, also under concurrent creation', async () => {
    const { app, ask, addHook } = await withHooks(dialect);
    for (let count = 0; count < 18; count += 1) {
      await addHook();
      await ask('POST', 'feeds', {});
    }
    const thrice = (make: () => ReturnType<typeof ask>) => atOnce(app, [make, make, make]);
    const hooks = await thrice(() => ask('POST', 'webhooks', { url }));
    expect(hooks.map(({ status }) => status)).toEqual([201, 201, 409]);
    const feeds = await thrice(() => ask('POST', 'feeds', {}));
    expect(feeds.map(({ status }) => status)).toEqual([201, 201, 409]);
  });

  test('keeps both of two concurrent changes', async () => {
    const { app, ask, addHook } = await withHooks(dialect);
    const { id } = await addHook();
    const change = (body: object) => () => ask('PATCH', `webhooks/${id}`, body);
    const moved = 'https://moved.example.com/hook';
    const responses = await atOnce(app, [change({ url: moved }), change({ isEnabled: false })]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask('GET', `webhooks/${id}`)).body).toMatchObject({ url: moved, isEnabled: false });
  });

  test('a disabled webhook cannot be tested or replayed', async () => {
    const { ask, addHook } = await withHooks(dialect);
    const { id } = await addHook({ isEnabled: false });
    const { status, body } = await ask('POST', `webhooks/${id}/test`, {});
    expect([status, body.message]).toEqual([409, 'The webhook is disabled, so nothing can be sent. Enable it first.']);
    expect((await ask('POST', `webhooks/${id}/deliveries/x/replay`, {})).status).toBe(409);
  });

  test('the audit log contains the host, not the rest of the URL', async () => {
    const { app, ask } = await withHooks(dialect);
    const { id } = (await ask('POST', 'webhooks', { url })).body;
    await ask('PATCH', `webhooks/${id}`, { isEnabled: false });
    await ask('DELETE', `webhooks/${id}`);
    const events = await app.database.query((q) =>
      q.selectFrom('audit_events').selectAll().where('subject_kind', '=', 'webhook').orderBy('id'),
    );
    expect(events.map(({ action, subject_name }) => [action, subject_name])).toEqual(
      ['create', 'update', 'delete'].map((action) => [`webhook.${action}`, 'hooks.example.com']),
    );
    expect(JSON.stringify(events)).not.toContain('secret-path');
  });

  test('audits every change of a webhook, with values before and after', async () => {
    const { app, ask } = await withHooks(dialect);
    const filter = "eventType eq 'ServiceIssue'";
    const { id } = (await ask('POST', 'webhooks', { url, filter })).body;
    await ask('PATCH', `webhooks/${id}`, { url: 'https://other.example.com/', isEnabled: false });
    await ask('POST', `webhooks/${id}/rotate`, {});
    await ask('DELETE', `webhooks/${id}`);
    const [was, is] = [
      { host: 'hooks.example.com', filter, enabled: true },
      { host: 'other.example.com', filter, enabled: false },
    ];
    const log = await recorded(app, 'webhook.');
    expect(log.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['webhook.create', undefined, { ...was, subscription: north }],
      ['webhook.update', was, is],
      ['webhook.rotate_secret', undefined, undefined],
      ['webhook.delete', is, undefined],
    ]);
    expect(log.map(({ subject }) => subject)).toEqual(
      ['hooks', 'other', 'other', 'other'].map((name) => ({ kind: 'webhook', id, name: `${name}.example.com` })),
    );
  });

  test('a change affects only the sent fields and only this webhook', async () => {
    const { app, ask, addHook } = await withHooks(dialect);
    const [one, other] = [await addHook({ filter: "eventType eq 'ServiceIssue'" }), await addHook()];
    const before = (await ask('GET', `webhooks/${other.id}`)).body;
    app.advance(1000);
    const changed = (await ask('PATCH', `webhooks/${one.id}`, { isEnabled: false })).body;
    expect(changed).toMatchObject({ filter: "eventType eq 'ServiceIssue'", isEnabled: false });
    expect((await ask('GET', `webhooks/${one.id}`)).body).toEqual(changed);
    expect((await ask('GET', `webhooks/${other.id}`)).body).toEqual(before);
    await ask('DELETE', `webhooks/${one.id}`);
    expect((await ask('GET', 'webhooks')).body.value).toEqual([before]);
  });
});
