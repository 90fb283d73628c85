import { adminMails_list, adminMails_revealLink, type InputOf, type OutputOf } from '@mooring/contract';
import { call, useChange, usePages } from './client.ts';

export type Mail = OutputOf<typeof adminMails_list>['values'][number];

export type MailsQuery = Pick<InputOf<typeof adminMails_list>['query'], 'search' | 'sort' | 'order'>;

export const useMails = (query: MailsQuery) =>
  usePages<Mail>(['admin', 'mails', query], (cursor) => call(adminMails_list, { query: { ...query, cursor } }));

/** The answer is a link that works for whoever has it: take it and call reset(), so nothing keeps it. */
export const useRevealLink = () =>
  useChange((mail: Mail) => call(adminMails_revealLink, { params: { mail_id: mail.id } }));
