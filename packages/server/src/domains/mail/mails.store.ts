import { insertInto, type MailsTable, statement, updateRow } from './mail.tables.ts';

export type MailRow = MailsTable;

export const insertMail = insertInto('mails');

export const findMail = statement((q, p: { id: string }) => q.selectFrom('mails').selectAll().where('id', '=', p.id));

export const saveSent = statement((q, p: { id: string; at: number; text: string }) =>
  q.updateTable('mails').set({ sent_at: p.at, text: p.text, error: null }).where('id', '=', p.id),
);

export const saveError = updateRow('mails');

/** Addresses that so many mails were written to since then. */
export const listRecipients = statement((q, p: { since: number; count: number }) =>
  q
    .selectFrom('mails')
    .select(({ fn }) => fn<string>('lower', ['to']).as('key'))
    .where('created_at', '>', p.since)
    .groupBy(({ fn }) => fn<string>('lower', ['to']))
    .having(({ fn }) => fn.countAll(), '>=', p.count),
);

/** The oldest, a few at a time. */
export const deleteOldMails = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('mails')
    .where(
      'id',
      'in',
      q
        .selectFrom('mails')
        .select('id')
        .where('created_at', '<', p.before)
        .orderBy('created_at')
        .orderBy('id')
        .limit(p.limit),
    ),
);

/** Newest first, from just before a position on. */
export const pageMails = statement((q, p: { at: number; id: string; limit: number }) =>
  q
    .selectFrom('mails')
    .selectAll()
    .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(p.at, p.id)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);
