import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startSmtp } from '../../../../test-support/smtp.ts';
import { localCertificate } from '../http/network/tls.ts';
import { createMailer, tryMailServer } from './mailer.ts';

const mail = { id: 'a', to: 'grace@example.com', subject: 'Hello', text: 'Come aboard.' };

async function plainServer() {
  const smtp = await startSmtp();
  onTestFinished(smtp.stop);
  return smtp;
}

test.each(['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true&secure=false'])(
  'sends neither email nor password without TLS if it is required, even with the URL option "%s"',
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

test('sends emails without TLS if it is optional', async () => {
  const smtp = await plainServer();
  await createMailer({ smtpUrl: smtp.url, smtpTls: 'optional', from: 'mooring@example.com' }).send(mail);
  expect(smtp.received).toMatchObject([{ to: ['grace@example.com'] }]);
});

test.each(['required', 'optional'] as const)(
  'sends email and password over STARTTLS only if the certificate is trusted: %s',
  async (smtpTls) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mooring-mailer-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { cert, key, caFile } = await localCertificate(folder, ['127.0.0.1'], Date.now());
    const smtp = await startSmtp({ tls: { cert, key } });
    onTestFinished(smtp.stop);
    const smtpUrl = `smtp://ada:secret-word@127.0.0.1:${smtp.port}`;
    const send = () => createMailer({ smtpUrl, smtpTls, from: 'mooring@example.com' }).send(mail);

    await expect(send()).rejects.toThrow('certificate');
    expect([smtp.received, smtp.commands.includes('AUTH')]).toEqual([[], false]);

    const trusted = getCACertificates();
    onTestFinished(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, readFileSync(caFile ?? '', 'utf8')]);
    await tryMailServer({ smtpUrl, smtpTls });
    await send();
    expect(smtp.received).toMatchObject([{ to: ['grace@example.com'], isEncrypted: true }]);
    expect(smtp.commands).toContain('AUTH');
  },
);
