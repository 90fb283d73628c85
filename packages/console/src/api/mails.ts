import { adminMails_list, adminMails_revealLink, type OutputOf } from '@mooring/contract';
import { call, useChange, usePages } from './client.ts';

export type Mail = OutputOf<typeof adminMails_list>['values'][number];

export const useMails = () =>
  usePages<Mail>(['admin', 'mails'], (cursor) => call(adminMails_list, { query: { cursor } }));

/** The answer is a link that works for whoever has it: take it and call reset(), so nothing keeps it. */
export const useRevealLink = () =>
  useChange((mail: Mail) => call(adminMails_revealLink, { params: { mail_id: mail.id } }));
