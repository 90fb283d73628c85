import { must, networks, optional, text } from '../setting-kinds.ts';

export const outboundSettings = {
  smtpUrl: optional(
    {
      variable: 'MOORING_SMTP_URL',
      description:
        'Mail server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start. Unset: mails stay in the outbox that administrators read.',
      secret: true,
    },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isSmtp = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
      must(isSmtp, 'an address such as smtp://user:password@host:587');
      return value;
    },
  ),
  smtpTls: text(
    {
      variable: 'MOORING_SMTP_TLS',
      description:
        '`required`: mails and the password of the mail server go over TLS or not at all, by STARTTLS for `smtp://`. `optional`: also in the clear, for a mail server without TLS on the same machine.',
    },
    'required',
    (value) => {
      must(value === 'required' || value === 'optional', '`required` or `optional`');
      return value as 'required' | 'optional';
    },
  ),
  mailFrom: text(
    { variable: 'MOORING_MAIL_FROM', description: 'Sender of mails, with or without a name.' },
    'Mooring <mooring@localhost>',
    (value) => {
      must(
        /^([^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/.test(value),
        'an e-mail address, or a name and an address such as Mooring <mooring@example.com>',
      );
      return value;
    },
  ),
  outboundAllow: text(
    {
      variable: 'MOORING_OUTBOUND_ALLOW',
      description:
        'Addresses or networks, with commas, that this server may send requests to although they are not public, e.g. `10.0.0.0/8`.',
    },
    '',
    networks,
  ),
};
