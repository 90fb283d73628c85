import { expect, onTestFinished, test } from 'vitest';
import { startSmtp } from '../../../../tools/smtp.ts';
import { createMailer, tryMailServer } from './mailer.ts';

const mail = { id: 'a', to: 'grace@example.com', subject: 'Hello', text: 'Come aboard.' };

async function plainServer() {
  const smtp = await startSmtp();
  onTestFinished(smtp.stop);
  return smtp;
}

test.each(['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true&secure=false'])(
  'where TLS is required, a mail server without it gets neither mail nor password, whatever the address says: %s',
  async (options) => {
    const smtp = await plainServer();
    const smtpUrl = `smtp://ada:secret-word@127.0.0.1:${smtp.port}/${options}`;
    const mailer = createMailer({ smtpUrl, smtpTls: 'required', from: 'mooring@example.com' });
    await expect(mailer.send(mail)).rejects.toThrow('STARTTLS');
    await expect(tryMailServer({ smtpUrl, smtpTls: 'required' })).rejects.toThrow('STARTTLS');
    expect(smtp.received).toEqual([]);
    expect(smtp.commands).not.toContain('AUTH');
  },
);

test('where it is optional, mails go to a mail server without it', async () => {
  const smtp = await plainServer();
  await createMailer({ smtpUrl: smtp.url, smtpTls: 'optional', from: 'mooring@example.com' }).send(mail);
  expect(smtp.received).toMatchObject([{ to: ['grace@example.com'] }]);
});
