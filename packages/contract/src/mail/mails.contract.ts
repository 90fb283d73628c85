import { endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

export const Mail = Type.Object(
  {
    id: Uuid,
    to: Type.String(),
    subject: Type.String(),
    text: Type.String({ description: 'Without its link, which is for nobody but the recipient.' }),
    has_link: Type.Boolean({ description: 'It has a link that was not sent, and can be shown.' }),
    created_at: Time,
    sent_at: Type.Optional(Time),
    error: Type.Optional(Type.String({ description: 'Why it could not be sent the last time.' })),
  },
  { $id: 'Mail' },
);

export const adminMails_list = endpoint({
  id: 'adminMails_list',
  method: 'GET',
  path: '/v0.1/admin/mails',
  tag: 'administration',
  summary: 'Lists the mails that this server has written, newest first',
  description: 'Without a mail server they stay here; adminMails_revealLink shows a link to be passed on by hand.',
  access: 'admin',
  effect: 'read',
  query: Type.Object(listQuery(['created_at', 'to', 'subject'], 'recipients and subjects')),
  response: json(Page(Mail), { description: 'A page of mails.' }),
});

export const adminMails_revealLink = endpoint({
  id: 'adminMails_revealLink',
  method: 'POST',
  path: '/v0.1/admin/mails/{mail_id}/reveal_link',
  tag: 'administration',
  summary: 'Shows the link of a mail that was not sent, to be passed on by hand',
  description: 'Whoever has the link can use it, so each time is recorded. Refused with 409 once the mail was sent.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ mail_id: Uuid }),
  request: json(Type.Object({})),
  response: json(Type.Object({ link: Type.String() }), { description: 'The link.' }),
  errors: [404, 409],
});
