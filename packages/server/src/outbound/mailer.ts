import type { Transporter } from 'nodemailer';
import { SECOND } from '../kernel/clock.ts';

export interface Mail {
  /** Names the mail on its way, so that one that is sent again is known to be the same. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** What mail programs show instead, with images as data: they go along as parts of the mail. */
  html?: string | undefined;
  /** Where its reader can end such mails by a single POST (RFC 8058). */
  unsubscribeUrl?: string | undefined;
}

export interface Mailer {
  /** Resolves once the mail server has taken the mail. */
  send(mail: Mail): Promise<void>;
  /** Signs in to the mail server and sends nothing; throws with the reason when that cannot be done. */
  check(): Promise<void>;
}

export interface MailServer {
  /** `smtp://` or `smtps://`, with name and password if the mail server wants them. */
  smtpUrl: string;
  /** Whether mails may go in the clear where the mail server offers no TLS. */
  smtpTls: 'required' | 'optional';
}

/** One setting decides on TLS: what the address says about it does not count. */
function withoutTlsOptions(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const name of ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'secure']) url.searchParams.delete(name);
  return url.href;
}

/** Loaded with the first mail: most servers start without one to send, and stay smaller for it. */
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

/** Connects and signs in, without sending; throws with the reason when that cannot be done. */
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
      // As an object, the address is taken as it is: a comma in it does not make two.
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
