import { adminMails_list, adminMails_revealLink, type EndpointInput, type EndpointOutput } from '@mooring/contract';
import { call, useChange, usePages } from '../client.ts';

export type Mail = EndpointOutput<typeof adminMails_list>['values'][number];

export type MailsQuery = Pick<EndpointInput<typeof adminMails_list>['query'], 'search' | 'sort' | 'order'>;

export const useMails = (query: MailsQuery) =>
  usePages<Mail>(['admin', 'emails', query], (cursor) => call(adminMails_list, { query: { ...query, cursor } }));

/** Anyone with the returned link can use it: take it and call reset(), so that nothing keeps it. */
export const useRevealLink = () =>
  useChange((mail: Mail) => call(adminMails_revealLink, { params: { mail_id: mail.id } }));
