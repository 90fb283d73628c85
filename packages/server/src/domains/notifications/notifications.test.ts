import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { crash } from '../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { sendLogs, tellOfTokens } from '../../../test/harness/happenings.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/connection.ts';
import { DAY } from '../../kernel/clock.ts';
import { sendDigests, tellByMail } from './telling.ts';

const ofUser = '/v0.1/user/notifications/emailSettings';
const ofApp = '/v0.1/apps/ada/buoy/notifications/emailSettings';
const crashes = (value: string) => ({ settings: [{ event_type: 'crash_newCrashGroupCreated', value }] });

/** Ada owns the app buoy; grace may view it, and eve has never proven that her address is hers. */
async function withApp(dialect: DialectName) {
  const app = await testApp(dialect, { publicUrl: 'https://mooring.example.com' });
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  const eve = await app.addUser('eve', { isEmailVerified: false });
  const ref = await app.addApp(ada, 'buoy');
  for (const user of [grace, eve]) await app.addMember(ref, user, 'viewer');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace), eve: await app.userToken(eve) };
  const ask = async (method: string, url: string, body?: object, token = tokens.ada) => {
    const answer = await app.call(method, url, { token, body });
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return answer.json();
  };
  const sendCrash = async (method: string) => {
    await sendLogs(app, ref.id, [crash({ method })]);
    await app.runJobs();
  };
  const mails = async () => {
    const rows = await app.database.query((q) => q.selectFrom('mails').selectAll().orderBy('id'));
    return rows.map(({ to, subject, text, unsubscribe_url }) => ({ to, subject, text, unsubscribe_url }));
  };
  const digest = async () => {
    app.advance(DAY);
    await sendDigests(systemCtx(app.deps));
  };
  return { app, ada, grace, ref, tokens, ask, sendCrash, mails, digest };
}

eachDatabase('mails about apps', (dialect) => {
  test('are asked for by event: at once, once a day, both, or not; the account speaks for apps that say nothing', async () => {
    const { ask, tokens, sendCrash, mails, digest } = await withApp(dialect);
    const before = await ask('GET', ofApp);
    expect(before).toMatchObject({ enabled: true, user_enabled: true });
    expect(before.settings[0]).toEqual({
      event_type: 'crash_newCrashGroupCreated',
      value: 'Default',
      default_value: 'Disabled',
    });
    await sendCrash('first');
    expect(await mails()).toEqual([]);

    await ask('PATCH', ofUser, crashes('Individual'));
    expect((await ask('GET', ofApp)).settings[0]).toMatchObject({ value: 'Default', default_value: 'Individual' });
    await ask('PATCH', ofApp, crashes('Daily'), tokens.grace);
    await ask('PATCH', ofApp, crashes('DailyAndIndividual'), tokens.eve);
    for (const method of ['second', 'third', 'fourth', 'fifth']) await sendCrash(method);
    const told = await mails();
    expect(told.map(({ to }) => to)).toEqual(Array(4).fill('ada@example.com'));
    expect(told[0]?.text).toContain('https://mooring.example.com/users/ada/apps/buoy/crashes/');

    await digest();
    const [mail, ...others] = (await mails()).slice(4);
    expect([mail?.to, mail?.subject, others]).toEqual(['grace@example.com', 'buoy: 4 of the last day', []]);
    expect(mail?.text).toContain('and 1 more');
    await digest();
    expect(await mails()).toHaveLength(5);
  });

  test('end for the app, for all apps, with one click in a mail program, and with access', async () => {
    const { app, ask, tokens, sendCrash, mails, digest, grace } = await withApp(dialect);
    await ask('PATCH', ofApp, crashes('Individual'));
    await ask('PATCH', ofApp, { enabled: false });
    await sendCrash('one');
    expect(await mails()).toEqual([]);
    await ask('PATCH', ofApp, { enabled: true });
    await ask('PATCH', ofUser, { enabled: false });
    expect(await ask('GET', ofApp)).toMatchObject({ enabled: true, user_enabled: false });
    await sendCrash('two');
    expect(await mails()).toEqual([]);
    await ask('PATCH', ofUser, { enabled: true });
    await sendCrash('three');
    const [mail] = await mails();
    const click = {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    const url = new URL(mail?.unsubscribe_url ?? '');
    expect((await app.call('POST', `${url.pathname}?token=${'x'.repeat(40)}.y`, click)).statusCode).toBe(403);
    expect((await app.call('POST', url.pathname + url.search, click)).statusCode).toBe(204);
    expect(await ask('GET', ofUser)).toMatchObject({ enabled: false });

    await ask('PATCH', ofApp, crashes('Daily'), tokens.grace);
    await sendCrash('four');
    await app.call('DELETE', `/v0.1/apps/ada/buoy/users/${grace.email}`, { token: tokens.ada });
    await digest();
    expect(await mails()).toHaveLength(1);
    expect(await app.database.query((q) => q.selectFrom('digest_items').selectAll())).toEqual([]);
  });

  test('come once, also if the job is done again, and as one a day to whoever gets many', async () => {
    const { app, ask, sendCrash, mails, digest, ref } = await withApp(dialect);
    await ask('PATCH', ofApp, crashes('Individual'));
    await sendCrash('one');
    const [row] = await app.database.query((q) => q.selectFrom('announcements').select('id'));
    await tellByMail(systemCtx(app.deps), { id: row?.id ?? '', type: 'newCrashGroupCreated', appId: ref.id });
    expect(await mails()).toHaveLength(1);
    for (let n = 0; n < 24; n += 1) await sendCrash(`m${'x'.repeat(n)}`);
    expect(await mails()).toHaveLength(20);
    await digest();
    expect((await mails()).at(-1)?.subject).toBe('buoy: 5 of the last day');
  });

  test('tell a person of their own token before it ends, and managers of those of the app', async () => {
    const { app, ada, grace, ref, mails } = await withApp(dialect);
    const expiresAt = app.deps.clock.now() + 2 * DAY;
    await app.userToken(grace, { expiresAt, description: 'Laptop https://evil.example' });
    await app.appToken(ref, ada, { expiresAt });
    for (let run = 0; run < 2; run += 1) {
      await tellOfTokens(app);
      await app.runJobs();
    }
    const told = await mails();
    expect(told.map(({ to, subject }) => [to, subject]).sort()).toEqual([
      ['ada@example.com', 'An API token of buoy ends soon'],
      ['grace@example.com', 'An API token of yours ends soon'],
    ]);
    expect(JSON.stringify(told)).not.toContain('evil.example');
  });
});
