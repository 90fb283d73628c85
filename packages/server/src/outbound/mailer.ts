import type { Transporter } from 'nodemailer';
import { SECOND } from '../kernel/clock.ts';

export interface Mail {
  /** Becomes the message ID, so that a repeated email is recognized. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** HTML alternative, with images as data URLs, which become parts of the email. */
  html?: string | undefined;
  /** URL for one-click unsubscribe by POST (RFC 8058). */
  unsubscribeUrl?: string | undefined;
}

export interface Mailer {
  /** Resolves once the mail server has accepted the email. */
  send(mail: Mail): Promise<void>;
  /** Signs in to the mail server without sending; throws the reason if that fails. */
  check(): Promise<void>;
}

export interface MailServer {
  /** `smtp://` or `smtps://`, with user name and password if required. */
  smtpUrl: string;
  /** `optional` allows unencrypted email if the mail server offers no TLS. */
  smtpTls: 'required' | 'optional';
}

/** Removes TLS options from the URL, because one setting controls TLS. */
function withoutTlsOptions(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const name of ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'secure']) url.searchParams.delete(name);
  return url.href;
}

/** Loaded for the first email, because most servers start without sending one, and use less memory that way. */
async function openTransport({ smtpUrl, smtpTls }: MailServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: withoutTlsOptions(smtpUrl),
    requireTLS: smtpTls === 'required',
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Connects and signs in without sending; throws the reason if that fails. */
export async function tryMailServer(server: MailServer): Promise<void> {
  const transport = await openTransport(server);
  await transport.verify();
  transport.close();
}

export function createMailer({ from, ...server }: MailServer & { from: string }): Mailer {
  let opening: Promise<Transporter> | undefined;
  const open = (): Promise<Transporter> => {
    opening ??= openTransport(server);
    return opening;
  };
  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      const transport = await open();
      // Passed as an object, so that an address with a comma is not parsed as two.
      const address = { name: '', address: to };
      const headers: Record<string, string> = unsubscribeUrl
        ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
        : {};
      const alternative = html === undefined ? {} : { html, attachDataUrls: true };
      const messageId = `<${id}@mooring>`;
      await transport.sendMail({ from, to: address, subject, text, ...alternative, headers, messageId });
    },
    async check() {
      await (await open()).verify();
    },
  };
}
