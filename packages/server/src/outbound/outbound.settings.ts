import { must, networks, optional, text } from '../setting-kinds.ts';

export const outboundSettings = {
  smtpUrl: optional(
    {
      variable: 'MOORING_SMTP_URL',
      description:
        'Mail server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start. Unset: emails stay in the outbox, where administrators can read them.',
      secret: true,
    },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isSmtp = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
      must(isSmtp, 'a URL such as smtp://user:password@host:587');
      return value;
    },
  ),
  smtpTls: text(
    {
      variable: 'MOORING_SMTP_TLS',
      description:
        '`required`: emails and the password of the mail server are only sent over TLS (STARTTLS for `smtp://`). `optional`: also unencrypted, for a mail server without TLS on the same machine.',
    },
    'required',
    (value) => {
      must(value === 'required' || value === 'optional', '`required` or `optional`');
      return value as 'required' | 'optional';
    },
  ),
  mailFrom: text(
    { variable: 'MOORING_MAIL_FROM', description: 'Sender of emails, with or without a name.' },
    'Mooring <mooring@localhost>',
    (value) => {
      must(
        /^([^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/.test(value),
        'an email address, or a name and an address, such as Mooring <mooring@example.com>',
      );
      return value;
    },
  ),
  outboundAllow: text(
    {
      variable: 'MOORING_OUTBOUND_ALLOW',
      description:
        'Comma-separated IP addresses or networks that are not public, but that this server may send requests to, e.g. `10.0.0.0/8`.',
    },
    '',
    networks,
  ),
};
