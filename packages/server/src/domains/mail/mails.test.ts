import { expect, onTestFinished, test } from 'vitest';
import { startSmtp } from '../../../../../test-support/smtp.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs/index.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { insertMail } from './mails.store.ts';
import {
  deliverMail,
  listCrowdedRecipients,
  mailSend,
  previousMailSend,
  refuseCrowdedRecipient,
  sendMail,
  sweepMails,
} from './mails.ts';

const mail = {
  to: 'grace+north@example.com',
  subject: 'Grüße aus dem Hafen',
  text: 'Come aboard:\nhttps://mooring.example.com/invitations/org/secret-of-the-link\nUntil Sunday.',
};

async function smtpServer(options?: { refusals: number }) {
  const smtp = await startSmtp(options);
  onTestFinished(smtp.stop);
  return smtp;
}

const write = (app: TestApp, more: Partial<typeof mail> = {}) => sendMail(systemCtx(app.deps), { ...mail, ...more });

async function outbox(app: TestApp, query: Record<string, string> = {}) {
  const admin = await app.addUser(`admin-${app.deps.newId().slice(-8)}`, { isAdmin: true });
  return (await app.call('GET', '/v0.1/admin/mails', { token: await app.userToken(admin), query })).json();
}

test('a slow mail server only delays jobs for external systems', () => {
  expect(mailSend.lane).toBe('remote');
});

eachDatabase('mail', (dialect) => {
  test('without a mail server an email stays in the outbox, and the log contains the recipient and the link', async () => {
    const app = await testApp(dialect);
    await write(app);
    expect(await app.runJobs()).toBe(1);
    const { values } = await outbox(app);
    const text = 'Come aboard:\n(link)\nUntil Sunday.';
    const created_at = '2026-11-01T09:00:00.000Z';
    expect(values).toEqual([{ id: expect.any(String), ...mail, text, has_link: true, created_at }]);
    const line = (await app.logged()).split('\n').find((text) => text.includes('outbox'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 30,
      to: mail.to,
      link: 'https://mooring.example.com/invitations/org/secret-of-the-link',
    });
  });

  test('a queued email is sealed, and one of an earlier version is sent as stored', async () => {
    const smtp = await smtpServer();
    const app = await testApp(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await sendMail(systemCtx(app.deps), {
      ...mail,
      html: `<a href="${mail.text}">`,
      unsubscribeUrl: 'https://a.example/stop',
    });
    const stored = async () => JSON.stringify(await app.deps.db.query((q) => q.selectFrom('mails').selectAll()));
    expect(await stored()).not.toMatch(/secret-of-the-link|stop/);
    const plain = { id: 'former', ...mail, html: null, unsubscribe_url: null, created_at: app.deps.clock.now() };
    await tx(systemCtx(app.deps), async (ctx) => {
      await insertMail.run(ctx.db, plain);
      await enqueue(ctx, previousMailSend, { mailId: 'former' });
    });
    await app.runJobs();
    expect(smtp.received.map(({ data }) => data.includes('secret-of-the-link'))).toEqual([true, true]);
    expect(await stored()).not.toContain('secret-of-the-link');
  });

  test('with a mail server an email is sent once, and the stored copy contains no link', async () => {
    const smtp = await smtpServer();
    const app = await testApp(dialect, {
      smtpUrl: smtp.url,
      smtpTls: 'optional',
      mailFrom: 'Harbour <harbour@example.com>',
    });
    await write(app);
    expect(await app.runJobs()).toBe(1);
    expect(await app.runJobs()).toBe(0);
    expect(smtp.received).toHaveLength(1);
    const [sent] = smtp.received;
    expect(sent).toMatchObject({ from: 'harbour@example.com', to: ['grace+north@example.com'] });
    expect(sent?.data).toContain('From: Harbour <harbour@example.com>');
    expect(sent?.data).toContain('To: grace+north@example.com');
    expect(sent?.data).toContain('https://mooring.example.com/invitations/org/secret-of-the-link');
    const { values } = await outbox(app);
    expect(values[0].sent_at).toBe('2026-11-01T09:00:00.000Z');
    expect([values[0].text, values[0].has_link]).toEqual(['Come aboard:\n(link)\nUntil Sunday.', false]);
    expect(await app.logged()).not.toContain('secret-of-the-link');
  });

  test('retries after a rejection by the mail server, and the outbox shows the reason', async () => {
    const smtp = await smtpServer({ refusals: 1 });
    const app = await testApp(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await write(app);
    await app.runJobs();
    const [failed] = (await outbox(app)).values;
    expect([smtp.received.length, failed.sent_at, failed.error]).toEqual([
      0,
      undefined,
      expect.stringContaining('451'),
    ]);
    app.advance(HOUR);
    await app.runJobs();
    const [sent] = (await outbox(app)).values;
    expect([smtp.received.length, sent.sent_at, sent.error]).toEqual([1, '2026-11-01T10:00:00.000Z', undefined]);
  });

  test('stores the result of each email separately', async () => {
    const smtp = await smtpServer({ refusals: 1 });
    const app = await testApp(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await write(app, { subject: 'refused' });
    await app.runJobs();
    await write(app, { subject: 'sent' });
    await app.runJobs();
    const { values } = await outbox(app);
    const outcomes = values.map(({ subject, sent_at, error }: Record<string, string>) => [subject, !!sent_at, !!error]);
    expect(outcomes).toEqual([
      ['sent', true, false],
      ['refused', false, true],
    ]);
  });

  test('truncates a long error of the mail server', async () => {
    const app = await testApp(dialect);
    await write(app);
    const [{ id }] = (await outbox(app)).values;
    const complaint = `451 ${'x'.repeat(3000)}`;
    const mailer = { send: () => Promise.reject(new Error(complaint)), check: () => Promise.resolve() };
    await expect(deliverMail({ ...systemCtx(app.deps), mailer }, id)).rejects.toThrow(complaint);
    expect((await outbox(app)).values[0].error).toBe(complaint.slice(0, 2000));
  });

  test('a server that stops between commit and sending sends after its restart, once', async () => {
    const smtp = await smtpServer();
    const app = await testApp(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await write(app);
    // Simulates a restart: another process over the same database.
    const restarted = await app.another();
    await restarted.runJobs();
    expect([smtp.received.length, await app.runJobs()]).toEqual([1, 0]);
  });

  test('a job that runs again does not send again', async () => {
    const smtp = await smtpServer();
    const app = await testApp(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await write(app);
    await app.runJobs();
    const [{ id }] = (await outbox(app)).values;
    const mailer = { send: () => Promise.reject(new Error('sent twice')), check: () => Promise.resolve() };
    await deliverMail({ ...systemCtx(app.deps), mailer }, id);
    await deliverMail({ ...systemCtx(app.deps), mailer }, 'gone');
    expect(smtp.received).toHaveLength(1);
  });

  test('does not store or send the email of a transaction that is rolled back', async () => {
    const app = await testApp(dialect);
    const undone = tx(systemCtx(app.deps), async (ctx) => {
      await sendMail(ctx, mail);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect([await app.runJobs(), (await outbox(app)).values]).toEqual([0, []]);
  });

  test('an address with a comma or a line break reaches no other recipient', async () => {
    const smtp = await smtpServer();
    const app = await testApp(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await write(app, { to: '"a, eve@example.org"@example.com', subject: 'x\r\nBcc: eve@example.org' });
    await app.runJobs();
    expect(smtp.received.flatMap(({ to }) => to)).not.toContain('eve@example.org');
    expect(smtp.received[0]?.data).not.toMatch(/^Bcc:/m);
  });

  test('an administrator can reveal the link of an email, which is audited', async () => {
    const app = await testApp(dialect);
    await write(app, { text: `https://evil.example invites you.\n\n${mail.text}` });
    const [{ id }] = (await outbox(app)).values;
    const ada = await app.addUser('ada', { isAdmin: true });
    const reveal = async (token: string, mailId = id) =>
      app.call('POST', `/v0.1/admin/mails/${mailId}/reveal_link`, { token, body: {} });
    const token = await app.userToken(ada);
    expect((await reveal(token)).json()).toEqual({ link: mail.text.split('\n')[1] });
    const { values } = (await app.call('GET', '/v0.1/admin/audit', { token, query: { action: 'mail' } })).json();
    const subject = { kind: 'mail', id, name: mail.to };
    expect(values).toMatchObject([{ action: 'mail.reveal_link', actor: { name: 'ada' }, subject }]);
    expect(JSON.stringify(values)).not.toContain('secret-of-the-link');

    const readOnly = await app.userToken(ada, { scope: ['viewer'] });
    const refused = [
      (await reveal(readOnly)).statusCode,
      (await reveal(await app.userToken(await app.addUser('grace')))).statusCode,
      (await reveal(token, app.deps.newId())).statusCode,
    ];
    expect(refused).toEqual([403, 403, 404]);
    const unknown = app.deps.newId();
    expect((await reveal(token, unknown)).json().error.message).toBe(
      `No mail "${unknown}" found, or you don't have access to it.`,
    );
  });

  test('a link cannot be revealed after sending', async () => {
    const smtp = await smtpServer();
    const app = await testApp(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await write(app);
    await app.runJobs();
    const [{ id }] = (await outbox(app)).values;
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const response = await app.call('POST', `/v0.1/admin/mails/${id}/reveal_link`, { token, body: {} });
    expect([response.statusCode, response.json().error.message]).toEqual([
      409,
      expect.stringContaining('the email was sent'),
    ]);
  });

  test('stores an email for the configured number of days', async () => {
    const app = await testApp(dialect, { mailRetentionDays: 2 });
    for (let n = 0; n < 3; n++) await write(app, { subject: 'old' });
    app.advance(DAY);
    await write(app, { subject: 'young' });
    const subjects = async () => (await outbox(app)).values.map(({ subject }: { subject: string }) => subject);
    app.advance(DAY);
    await sweepMails(app.deps);
    expect(await subjects()).toEqual(['young', 'old', 'old', 'old']);
    app.advance(1);
    await sweepMails(app.deps);
    expect(await subjects()).toEqual(['young']);
  });

  test('sorts the outbox by time, even if the clock was set back', async () => {
    const app = await testApp(dialect);
    await write(app, { subject: 'written first' });
    app.advance(-HOUR);
    await write(app, { subject: 'an hour earlier' });
    const { values } = await outbox(app);
    expect(values.map(({ subject }: { subject: string }) => subject)).toEqual(['written first', 'an hour earlier']);
  });

  test('a page of the outbox has 50 emails by default', async () => {
    const app = await testApp(dialect);
    await tx(systemCtx(app.deps), async (ctx) => {
      for (let n = 0; n < 51; n++) await sendMail(ctx, mail);
    });
    const first = await outbox(app);
    const second = await outbox(app, { cursor: first.next_cursor });
    expect([first.values.length, second.values.length, second.next_cursor]).toEqual([50, 1, undefined]);
  });

  test('the outbox is paged newest first, without gaps or repetition', async () => {
    const app = await testApp(dialect);
    for (const subject of ['a', 'b', 'c']) await write(app, { subject });
    const first = await outbox(app, { limit: '2' });
    const second = await outbox(app, { limit: '2', cursor: first.next_cursor });
    const subjects = [...first.values, ...second.values].map(({ subject }) => subject);
    expect([subjects, second.next_cursor]).toEqual([['c', 'b', 'a'], undefined]);
  });

  test('does not log the link of a secret email, but an administrator can reveal it', async () => {
    const app = await testApp(dialect);
    await sendMail(systemCtx(app.deps), mail, { isSecret: true });
    await app.runJobs();
    expect(await app.logged()).toContain('stays in the outbox');
    expect(await app.logged()).not.toContain('secret-of-the-link');
    expect((await outbox(app)).values).toMatchObject([{ has_link: true }]);
  });

  test('reports an email without a link, which cannot be revealed', async () => {
    const app = await testApp(dialect);
    await write(app, { text: 'Come aboard.' });
    await app.runJobs();
    const [{ id, has_link, text }] = (await outbox(app)).values;
    expect([has_link, text]).toEqual([false, 'Come aboard.']);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const response = await app.call('POST', `/v0.1/admin/mails/${id}/reveal_link`, { token, body: {} });
    expect(response.statusCode).toBe(409);
    expect(await recorded(app, 'mail.')).toEqual([]);
  });

  test('sends at most twenty emails per address and hour, ignoring case', async () => {
    const app = await testApp(dialect);
    const refusal = (email: string) =>
      tx(systemCtx(app.deps), (ctx) => refuseCrowdedRecipient(ctx, email)).then(
        () => undefined,
        (error: unknown) => (error instanceof Failure ? [error.code, error.headers['retry-after']] : error),
      );
    await write(app, { to: 'ada@example.com' });
    for (let n = 0; n < 19; n++) await write(app, { to: n % 2 ? 'grace@example.com' : 'Grace@Example.com' });
    expect(await refusal('grace@example.com')).toBeUndefined();
    await write(app, { to: 'grace@example.com' });
    expect(await refusal('GRACE@example.com')).toEqual(['TooManyRequests', '3600']);
    expect([...(await listCrowdedRecipients(app.deps))]).toEqual(['grace@example.com']);
    expect(await refusal('ada@example.com')).toBeUndefined();
    app.advance(HOUR - 1);
    expect(await refusal('grace@example.com')).toEqual(['TooManyRequests', '3600']);
    app.advance(1);
    expect(await refusal('grace@example.com')).toBeUndefined();
  });

  test('the outbox can be searched and sorted by address and subject', async () => {
    const app = await testApp(dialect);
    for (const [to, subject] of [
      ['zoe@example.com', 'Alpha'],
      ['Ada@example.com', 'gamma'],
      ['mary@example.com', 'Beta'],
    ] as const)
      await write(app, { to, subject });
    const found = async (query: Record<string, string>) =>
      (await outbox(app, query)).values.map(({ subject }: { subject: string }) => subject);
    expect(await found({ sort: 'to', order: 'asc' })).toEqual(['gamma', 'Beta', 'Alpha']);
    expect(await found({ sort: 'subject', order: 'asc' })).toEqual(['Alpha', 'Beta', 'gamma']);
    expect(await found({ sort: 'created_at', order: 'asc' })).toEqual(['Alpha', 'gamma', 'Beta']);
    expect([await found({ search: 'ADA@' }), await found({ search: 'alph' })]).toEqual([['gamma'], ['Alpha']]);
    expect(await found({ search: 'aboard' })).toEqual([]);
  });
});
