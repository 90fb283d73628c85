import Type from 'typebox';
import { endpoint } from '../endpoint/endpoint.ts';
import { Time, Uuid } from '../fields.ts';
import { Page, PageQuery } from '../paging.ts';

export const Mail = Type.Object(
  {
    id: Uuid,
    to: Type.String(),
    subject: Type.String(),
    text: Type.String({ description: 'Without its link once it was sent.' }),
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
  description: 'Without a mail server they stay here, to be passed on by hand.',
  access: 'admin',
  query: Type.Object(PageQuery),
  success: { status: 200, description: 'A page of mails.', body: Page(Mail) },
});
