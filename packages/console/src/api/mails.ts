import { adminMails_list, type OutputOf } from '@mooring/contract';
import { call, usePages } from './client.ts';

export type Mail = OutputOf<typeof adminMails_list>['values'][number];

export const useMails = () =>
  usePages<Mail>(['admin', 'mails'], (cursor) => call(adminMails_list, { query: { cursor } }));
