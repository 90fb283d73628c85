import { expect, onTestFinished, test } from 'vitest';
import { startSmtp } from '../../../../../../test-support/smtp.ts';
import { createApk } from '../../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { MINUTE } from '../../../kernel/clock.ts';

const publicUrl = 'https://mooring.example.com';

/** Extracts a part of an email, plain or in quoted-printable encoding. */
function readPart(mail: string, type: string): string {
  const begins = mail.indexOf('\r\n\r\n', mail.indexOf(`Content-Type: ${type}`)) + 4;
  const part = mail.slice(begins, mail.indexOf('\r\n--', begins));
  return part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\r\n', '\n');
}

async function createFixtures(app: TestApp) {
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  const token = await app.userToken(ada);
  const call = (method: string, url: string, body?: unknown) => app.call(method, url, { token, body });
  const groups = new Map<string, string>();
  for (const name of ['compass', 'sextant']) {
    await app.addMember(await app.addApp(ada, name), grace, 'tester');
    const B = `/v0.1/apps/ada/${name}`;
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${B}/releases/uploads?file_name=app.apk`, { token, body: createApk(), headers });
    await app.runJobs();
    for (const group of ['Crew', 'Deck']) {
      const { id } = (await call('POST', `${B}/distribution_groups`, { name: group })).json();
      await call('POST', `${B}/distribution_groups/${group}/members`, { user_emails: ['grace@example.com'] });
      groups.set(`${name} ${group}`, id);
    }
  }
  const distribute = (name: string, group: string) =>
    call('POST', `/v0.1/apps/ada/${name}/releases/1/groups`, { id: groups.get(`${name} ${group}`) });
  const settle = async () => {
    app.advance(MINUTE);
    await app.runJobs();
  };
  return { token, call, distribute, settle, grace: await app.userToken(grace) };
}

eachDatabase('emails about releases', (dialect) => {
  test('combine releases distributed at about the same time', async () => {
    const smtp = await startSmtp();
    onTestFinished(smtp.stop);
    const app = await testApp(dialect, { publicUrl, smtpUrl: smtp.url, smtpTls: 'optional' });
    const { distribute, settle } = await createFixtures(app);
    for (const name of ['compass', 'sextant']) for (const group of ['Crew', 'Deck']) await distribute(name, group);
    await app.runJobs();
    expect(smtp.received).toEqual([]);
    await settle();
    expect(smtp.received).toHaveLength(1);
    const { data = '' } = smtp.received[0] ?? {};
    expect(data).toContain('Subject: 2 releases are ready to test');
    expect(data).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    const plain = readPart(data, 'text/plain');
    expect(plain.match(/is ready to test\./g)).toHaveLength(2);
    expect(plain.match(/^https:\/\/mooring\.example\.com\/install\/links\/\S+$/gm)).toHaveLength(2);
    expect(plain).toMatch(
      /\nhttps:\/\/mooring\.example\.com\/v0\.1\/public\/release_mails\/unsubscribe\?token=\S+\s*$/,
    );
    const html = readPart(data, 'text/html');
    expect(html.match(/<a href="https:\/\/mooring\.example\.com\/install\/links\/[^"]+"/g)).toHaveLength(2);
    expect(html.match(/src="cid:/g)).toHaveLength(2);
    expect(data.match(/^Content-Type: image\/png/gm)).toHaveLength(2);
    expect(html).toMatch(/unsubscribe\?token=[^"]+"[^>]*>Unsubscribe</);
    const [mail] = await app.database.query((q) => q.selectFrom('mails').select(['html', 'text', 'unsubscribe_url']));
    expect(mail).toEqual({ html: null, text: expect.not.stringContaining('token='), unsubscribe_url: null });
    await settle();
    expect(smtp.received).toHaveLength(1);
  });

  test('include only releases the tester still has access to', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, distribute, settle } = await createFixtures(app);
    await distribute('compass', 'Crew');
    await distribute('sextant', 'Crew');
    await call('PUT', '/v0.1/apps/ada/compass/releases/1', { enabled: false });
    await call('DELETE', '/v0.1/apps/ada/sextant');
    await settle();
    expect(await app.database.query((q) => q.selectFrom('mails').select('id'))).toEqual([]);
    expect(await app.database.query((q) => q.selectFrom('release_notices').selectAll())).toEqual([]);
  });

  test('announce the newest release to a tester who accepts an invitation, once', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { token, call, distribute, settle } = await createFixtures(app);
    const B = '/v0.1/apps/ada/compass';
    const nora = await app.userToken(await app.addUser('nora'));
    const headers = { 'content-type': 'application/octet-stream' };
    const body = createApk({ version: 150 });
    await app.call('PUT', `${B}/releases/uploads?file_name=app.apk`, { token, body, headers });
    await app.runJobs();
    for (const group of ['Crew', 'Deck']) await distribute('compass', group);
    await call('PATCH', `${B}/releases/2`, { destinations: [{ name: 'Crew' }, { name: 'Deck' }] });
    await settle();
    const mails = async () =>
      (await app.database.query((q) => q.selectFrom('mails').select('subject').where('to', '=', 'nora@example.com')))
        .map(({ subject }) => subject)
        .filter((subject) => subject.includes('ready to test'));
    const join = async (group: string) => {
      await call('POST', `${B}/distribution_groups/${group}/members`, { user_emails: ['nora@example.com'] });
      await app.call('POST', '/v0.1/user/invitations/distribution_groups/accept', { token: nora, body: {} });
      await settle();
    };
    await join('Crew');
    expect(await mails()).toEqual([expect.stringContaining('ready to test')]);
    expect(await app.database.query((q) => q.selectFrom('release_notices').selectAll())).toEqual([]);
    // The release of the second group is the same.
    await join('Deck');
    expect(await mails()).toHaveLength(1);
  });

  test('do not announce a disabled release to a user who joins a group, nor any to an unsubscribed user', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, distribute, settle, grace } = await createFixtures(app);
    const members = (name: string) => `/v0.1/apps/ada/${name}/distribution_groups/Crew/members`;
    const user_emails = ['grace@example.com'];
    const rejoin = async (name: string) => {
      await call('POST', members(name), { user_emails });
      await settle();
      return app.database.query((q) => q.selectFrom('mails').select('subject'));
    };
    for (const name of ['compass', 'sextant']) {
      await call('POST', `${members(name)}/bulk_delete`, { user_emails });
      await distribute(name, 'Crew');
    }
    await settle();
    await call('PUT', '/v0.1/apps/ada/compass/releases/1', { enabled: false });
    expect(await rejoin('compass')).toEqual([]);
    const setMails = (is_wanted: boolean) =>
      app.call('PUT', '/v0.1/user/release_mails', { token: grace, body: { is_wanted } });
    await setMails(false);
    expect(await rejoin('sextant')).toEqual([]);
    await setMails(true);
    await call('POST', `${members('sextant')}/bulk_delete`, { user_emails });
    expect(await rejoin('sextant')).toEqual([{ subject: expect.stringContaining('ready to test') }]);
  });

  test('end with one click in an email program, and can be turned on again', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { distribute, settle, grace } = await createFixtures(app);
    await distribute('compass', 'Crew');
    await settle();
    const mails = () => app.database.query((q) => q.selectFrom('mails').select('unsubscribe_url'));
    const [mail] = await mails();
    const address = mail?.unsubscribe_url?.slice(publicUrl.length) ?? '';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const click = (url: string) => app.call('POST', url, { headers, body: Buffer.from('List-Unsubscribe=One-Click') });
    expect((await click(`${address}x`)).statusCode).toBe(403);
    const page = await app.call('GET', address);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect((await app.call('GET', `${address}x`)).statusCode).toBe(403);
    const areMailsEnabled = async () =>
      (await app.call('GET', '/v0.1/user/release_mails', { token: grace })).json().is_wanted;
    expect(await areMailsEnabled()).toBe(true);
    const ended = await click(address);
    expect([ended.statusCode, ended.body]).toEqual([
      200,
      expect.stringContaining('unsubscribed from emails about releases'),
    ]);
    expect((await click(address)).statusCode).toBe(200);
    expect(await areMailsEnabled()).toBe(false);
    await distribute('compass', 'Deck');
    await settle();
    expect(await mails()).toHaveLength(1);
    await app.call('PUT', '/v0.1/user/release_mails', { token: grace, body: { is_wanted: true } });
    await distribute('compass', 'Deck');
    await settle();
    expect([await areMailsEnabled(), (await mails()).length]).toEqual([true, 2]);
  });
});
