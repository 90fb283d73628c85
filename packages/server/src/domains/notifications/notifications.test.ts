import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { changes } from '../../../test/harness/audit.ts';
import { notifyExpiringTokens, sendLogs } from '../../../test/harness/background-work.ts';
import { crash } from '../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { listCrowdedRecipients } from '../mail/index.ts';
import { sendAnnouncementMail, sendDigests } from './email-dispatch.ts';

const ofUser = '/v0.1/user/notifications/emailSettings';
const ofApp = '/v0.1/apps/ada/buoy/notifications/emailSettings';
const crashes = (value: string) => ({ settings: [{ event_type: 'crash_newCrashGroupCreated', value }] });

/** Ada owns the app buoy; Grace may view it, and Eve has not confirmed her email address. */
async function withApp(dialect: DialectName) {
  const app = await testApp(dialect, { publicUrl: 'https://mooring.example.com', crashesAnnouncedPerHour: 100 });
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  const eve = await app.addUser('eve', { isEmailVerified: false });
  const ref = await app.addApp(ada, 'buoy');
  for (const user of [grace, eve]) await app.addMember(ref, user, 'viewer');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace), eve: await app.userToken(eve) };
  const request = async (method: string, url: string, body?: object, token = tokens.ada) => {
    const response = await app.call(method, url, { token, body });
    expect(response.statusCode, response.body).toBeLessThan(300);
    return response.json();
  };
  const sendCrash = async (method: string) => {
    await sendLogs(app, ref.id, [crash({ method })]);
    await app.runJobs();
  };
  const mails = async () => {
    const rows = await app.database.query((q) => q.selectFrom('mails').selectAll().orderBy('id'));
    return rows.map(({ to, subject, text, unsubscribe_url }) => ({ to, subject, text, unsubscribe_url }));
  };
  const digest = async (after = DAY) => {
    app.advance(after);
    await sendDigests(systemCtx(app.deps));
  };
  return { app, ada, grace, ref, tokens, request, sendCrash, mails, digest };
}

eachDatabase('emails about apps', (dialect) => {
  test('are configured by event: immediately, daily, both, or off; the account has the defaults for apps', async () => {
    const { request, tokens, sendCrash, mails, digest } = await withApp(dialect);
    const before = await request('GET', ofApp);
    expect(before).toMatchObject({ enabled: true, user_enabled: true });
    expect(before.settings[0]).toEqual({
      event_type: 'crash_newCrashGroupCreated',
      value: 'Default',
      default_value: 'Individual',
    });
    await request('PATCH', ofUser, crashes('Disabled'));
    expect((await request('GET', ofApp)).settings[0]).toMatchObject({ value: 'Default', default_value: 'Disabled' });
    await sendCrash('first');
    expect(await mails()).toEqual([]);

    await request('PATCH', ofUser, crashes('Individual'));
    expect((await request('GET', ofApp)).settings[0]).toMatchObject({ value: 'Default', default_value: 'Individual' });
    await request('PATCH', ofApp, crashes('Daily'), tokens.grace);
    await request('PATCH', ofApp, crashes('DailyAndIndividual'), tokens.eve);
    for (const method of ['second', 'third', 'fourth', 'fifth']) await sendCrash(method);
    const sent = await mails();
    expect(sent.map(({ to }) => to)).toEqual(Array(4).fill('ada@example.com'));
    expect(sent[0]?.text).toContain('https://mooring.example.com/users/ada/apps/buoy/crashes/');

    await digest();
    const [mail, ...others] = (await mails()).slice(4);
    expect([mail?.to, mail?.subject, others]).toEqual(['grace@example.com', 'buoy: daily summary (4 events)', []]);
    expect(mail?.text).toContain('and 1 more');
    await digest();
    expect(await mails()).toHaveLength(5);
  });

  test('reach developers and managers about new and regressed crashes by default, and viewers about none', async () => {
    const { app, ref, request, tokens, sendCrash, mails } = await withApp(dialect);
    const linus = await app.addUser('linus');
    await app.addMember(ref, linus, 'developer');
    await sendCrash('sail');
    expect((await mails()).map(({ to }) => to).toSorted()).toEqual(['ada@example.com', 'linus@example.com']);
    const defaults = async (token: string) =>
      (await request('GET', ofApp, undefined, token)).settings
        .filter(({ default_value }: { default_value: string }) => default_value === 'Individual')
        .map(({ event_type }: { event_type: string }) => event_type);
    const ofCrashes = ['crash_newCrashGroupCreated', 'crash_crashGroupRegressed'];
    expect(await defaults(await app.userToken(linus))).toEqual(ofCrashes);
    expect(await defaults(tokens.ada)).toEqual(expect.arrayContaining([...ofCrashes, 'export_exportFailed']));
    expect(await defaults(tokens.grace)).toEqual([]);
  });

  test('of a day are sent after midnight UTC, by app, without what was turned off meanwhile', async () => {
    const { app, ada, request, tokens, sendCrash, mails, digest } = await withApp(dialect);
    const other = await app.addApp(ada, 'anchor');
    await request('PATCH', ofUser, crashes('DailyAndIndividual'));
    await request('PATCH', ofApp, crashes('Daily'), tokens.grace);
    for (const method of ['one', 'two', 'three']) await sendCrash(method);
    await sendLogs(app, other.id, [crash({ method: 'four' })]);
    await app.runJobs();
    const atOnce = await mails();
    expect(atOnce.map(({ to }) => to)).toEqual(Array(4).fill('ada@example.com'));
    expect(atOnce[0]?.subject).toContain('buoy');
    await request('PATCH', ofApp, crashes('Disabled'), tokens.grace);
    await digest(15 * HOUR - 1);
    expect(await mails()).toHaveLength(4);
    await digest(1);
    const [mail, ...others] = (await mails()).slice(4);
    expect([mail?.to, mail?.subject, others]).toEqual(['ada@example.com', 'Daily summary of 2 apps (4 events)', []]);
    // All titles are shown, so the line "and … more" is missing.
    expect(mail?.text.match(/^ {2}- /gm)).toHaveLength(4);
    expect(mail?.text).not.toContain('more');
    expect(mail?.unsubscribe_url).toContain(`token=${ada.id}.`);
    const known = () => app.database.query((q) => q.selectFrom('mailed').select('what'));
    await digest(40 * DAY - 15 * HOUR);
    expect(await known()).toHaveLength(4);
    await digest(1);
    expect(await known()).toEqual([]);
  });

  test('stores only choices that differ from the default, and audits them', async () => {
    const { app, ada, request, sendCrash, mails } = await withApp(dialect);
    const chosen = await request('PATCH', ofUser, crashes('Daily'));
    expect(chosen).toMatchObject({ enabled: true, userId: ada.id });
    expect(chosen.settings[0]).toMatchObject({ value: 'Daily', default_value: 'Individual' });
    const alerts = (event_type: string) =>
      chosen.settings.find((one: { event_type: string }) => one.event_type === event_type);
    expect(alerts('alert_alertStarted').default_value).toBe('Individual');
    // A halted rollout needs action.
    expect(alerts('codepush_codePushHalted').default_value).toBe('Individual');
    await request('PATCH', ofUser, crashes('Default'));
    await request('PATCH', ofApp, { enabled: false, ...crashes('Individual') });
    await request('PATCH', ofApp, { enabled: true });
    await sendCrash('one');
    const [mail] = await mails();
    const { pathname, search } = new URL(mail?.unsubscribe_url ?? '');
    const click = {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect((await app.call('POST', pathname + search, click)).statusCode).toBe(204);
    const toStoredRow = (is_enabled: 0 | 1, choices: object) => ({ is_enabled, choices: JSON.stringify(choices) });
    const crash = { crash_newCrashGroupCreated: 'Individual' };
    expect((await changes(app, 'email_settings.')).map(([, name, , after]) => [name, after])).toEqual([
      ['ada', toStoredRow(1, { crash_newCrashGroupCreated: 'Daily' })],
      ['ada', toStoredRow(1, {})],
      ['ada/buoy', toStoredRow(0, crash)],
      ['ada/buoy', toStoredRow(1, crash)],
      [null, toStoredRow(0, {})],
    ]);
    // Disabled and deleted users get no emails and cannot be unsubscribed.
    await request('PATCH', ofUser, { enabled: true });
    await app.database.transaction((db) =>
      db.query((q) => q.updateTable('users').set({ is_disabled: 1 }).where('id', '=', ada.id)),
    );
    expect((await app.call('POST', pathname + search, click)).statusCode).toBe(204);
    await sendCrash('two');
    expect(await mails()).toHaveLength(1);
    expect(await changes(app, 'email_settings.')).toHaveLength(6);
  });

  test('end for the app, for all apps, with one click in an email program, and when access ends', async () => {
    const { app, request, tokens, sendCrash, mails, digest, grace } = await withApp(dialect);
    await request('PATCH', ofApp, crashes('Individual'));
    await request('PATCH', ofApp, { enabled: false });
    await sendCrash('one');
    expect(await mails()).toEqual([]);
    await request('PATCH', ofApp, { enabled: true });
    await request('PATCH', ofUser, { enabled: false });
    expect(await request('GET', ofApp)).toMatchObject({ enabled: true, user_enabled: false });
    await sendCrash('two');
    expect(await mails()).toEqual([]);
    await request('PATCH', ofUser, { enabled: true });
    await sendCrash('three');
    const [mail] = await mails();
    const click = {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    const url = new URL(mail?.unsubscribe_url ?? '');
    expect((await app.call('POST', `${url.pathname}?token=${'x'.repeat(40)}.y`, click)).statusCode).toBe(403);
    expect((await app.call('POST', url.pathname + url.search, click)).statusCode).toBe(204);
    expect(await request('GET', ofUser)).toMatchObject({ enabled: false });

    await request('PATCH', ofApp, crashes('Daily'), tokens.grace);
    await sendCrash('four');
    await app.call('DELETE', `/v0.1/apps/ada/buoy/users/${grace.email}`, { token: tokens.ada });
    await digest();
    expect(await mails()).toHaveLength(1);
    expect(await app.database.query((q) => q.selectFrom('digest_items').selectAll())).toEqual([]);
  });

  test('can be tested by recipients while their hourly limit has room for real emails', async () => {
    const { app, request, tokens, mails } = await withApp(dialect);
    expect(await request('POST', `${ofUser}/test`, {})).toEqual({ email: 'ada@example.com', is_sent: false });
    const [mail, ...others] = await mails();
    expect([mail?.to, mail?.subject, others]).toEqual(['ada@example.com', 'Test email from Mooring', []]);
    expect(mail?.text).toContain('https://mooring.example.com/settings/notifications');
    const test = async (token: string) => (await app.call('POST', `${ofUser}/test`, { token, body: {} })).statusCode;
    expect(await test(tokens.eve)).toBe(409);
    for (let n = 1; n < 10; n += 1) await request('POST', `${ofUser}/test`, {});
    expect([await test(tokens.ada), await test(tokens.grace)]).toEqual([429, 202]);
    expect([...(await listCrowdedRecipients(app.deps))]).toEqual([]);
    const recorded = (await changes(app, 'email_settings.test')).map(([, name]) => name);
    expect(recorded).toEqual([...Array(10).fill('ada'), 'grace']);
  });

  test('are sent once even if the job runs again, and as a daily digest to busy recipients', async () => {
    const { app, request, sendCrash, mails, digest, ref } = await withApp(dialect);
    await request('PATCH', ofApp, crashes('Individual'));
    await sendCrash('one');
    const [row] = await app.database.query((q) => q.selectFrom('announcements').select('id'));
    await sendAnnouncementMail(systemCtx(app.deps), { id: row?.id ?? '', type: 'newCrashGroupCreated', appId: ref.id });
    expect(await mails()).toHaveLength(1);
    for (let n = 0; n < 24; n += 1) await sendCrash(`m${'x'.repeat(n)}`);
    expect(await mails()).toHaveLength(20);
    await digest();
    expect((await mails()).at(-1)?.subject).toBe('buoy: daily summary (5 events)');
  });

  test('warn a user before their token expires, and managers before a token of the app does', async () => {
    const { app, ada, grace, ref, request, mails } = await withApp(dialect);
    const expiresAt = app.deps.clock.now() + 2 * DAY;
    await app.userToken(grace, { expiresAt, description: 'Laptop https://evil.example' });
    await app.appToken(ref, ada, { expiresAt });
    for (let run = 0; run < 2; run += 1) {
      await notifyExpiringTokens(app);
      await app.runJobs();
    }
    const sent = await mails();
    expect(sent.map(({ to, subject }) => [to, subject]).sort()).toEqual([
      ['ada@example.com', 'An API token of buoy expires soon'],
      ['grace@example.com', 'Your API token expires soon'],
    ]);
    expect(JSON.stringify(sent)).not.toContain('evil.example');
    const hers = sent.find(({ to }) => to === 'grace@example.com');
    expect(hers?.text).toContain('expires at 2026-11-03 09:00 UTC.');
    expect(hers?.text).toContain('\nhttps://mooring.example.com/settings/tokens\n');

    await request('PATCH', ofUser, { settings: [{ event_type: 'token_appTokenExpiring', value: 'Disabled' }] });
    await app.userToken(ada, { expiresAt });
    await app.userToken(grace, { expiresAt, description: '' });
    await notifyExpiringTokens(app);
    await app.runJobs();
    const [mail, ...others] = (await mails()).slice(2);
    expect([mail?.to, others]).toEqual(['grace@example.com', []]);
    expect(mail?.text).toMatch(/^Your API token [-0-9a-f]{36} expires at /);
  });
});
