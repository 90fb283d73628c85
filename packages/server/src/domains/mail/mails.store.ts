import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { folded, mentionsTerms, selectPage } from '../../db/rows/listing.ts';
import type { Listing } from '../../kernel/paging.ts';
import { insertInto, type MailsTable, query, statement, updateRow } from './mail.tables.ts';

export type MailRow = MailsTable;

export const insertMail = insertInto('mails');

export const findMail = statement((q, p: { id: string }) => q.selectFrom('mails').selectAll().where('id', '=', p.id));

export const saveSent = statement((q, p: { id: string; at: number; text: string }) =>
  q
    .updateTable('mails')
    .set({ sent_at: p.at, text: p.text, error: null, unsubscribe_url: null, html: null })
    .where('id', '=', p.id),
);

export const saveError = updateRow('mails');

/** Lists addresses that received this many emails since a time. */
export const listRecipients = statement((q, p: { since: number; count: number }) =>
  q
    .selectFrom('mails')
    .select(({ fn }) => fn<string>('lower', ['to']).as('key'))
    .where('created_at', '>', p.since)
    .groupBy(({ fn }) => fn<string>('lower', ['to']))
    .having(({ fn }) => fn.countAll(), '>=', p.count),
);

/** Deletes the oldest emails, a few per statement. */
export const deleteOldMails = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('mails')
    .where(
      'id',
      'in',
      q.selectFrom('mails').select('id').where('created_at', '<', p.before).orderBy('created_at').limit(p.limit),
    ),
);

const keys = {
  created_at: sql.ref<number>('mails.created_at'),
  to: folded('mails.to'),
  subject: sql<string>`substr(${folded('mails.subject')}, 1, 200)`,
};

export const pageMails = (db: Db, listing: Listing<keyof typeof keys>) =>
  query(db, (q) =>
    selectPage(
      q
        .selectFrom('mails')
        .selectAll()
        .where(mentionsTerms(listing.terms, ['mails.to', 'mails.subject'])),
      { key: keys[listing.sort], id: sql.ref('mails.id') },
      listing,
    ),
  );
