import { endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

export const Mail = Type.Object(
  {
    id: Uuid,
    to: Type.String(),
    subject: Type.String(),
    text: Type.String({ description: 'Without its link, which only the recipient may use.' }),
    has_link: Type.Boolean({ description: 'True if the email has a link that was not sent and can be shown.' }),
    created_at: Time,
    sent_at: Type.Optional(Time),
    error: Type.Optional(Type.String({ description: 'Why the last attempt failed.' })),
  },
  { $id: 'Mail' },
);

export const adminMails_list = endpoint({
  id: 'adminMails_list',
  method: 'GET',
  path: '/v0.1/admin/mails',
  tag: 'administration',
  summary: 'List the emails of this server, newest first',
  description:
    'Without a mail server, emails stay in the outbox; adminMails_revealLink shows a link so that you can pass it on.',
  access: 'admin',
  effect: 'read',
  query: Type.Object(listQuery(['created_at', 'to', 'subject'], 'recipients and subjects')),
  response: json(Page(Mail), { description: 'A page of emails.' }),
});

export const adminMails_revealLink = endpoint({
  id: 'adminMails_revealLink',
  needsUnlimited: true,
  method: 'POST',
  path: '/v0.1/admin/mails/{mail_id}/reveal_link',
  tag: 'administration',
  summary: 'Show the link of an unsent email, so that you can pass it on',
  description:
    'Anyone with the link can use it, so each call is recorded in the audit log. Fails with 409 if the email was sent.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ mail_id: Uuid }),
  request: json(Type.Object({})),
  response: json(Type.Object({ link: Type.String() }), { description: 'The link.' }),
  errors: [404, 409],
});
