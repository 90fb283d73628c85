import { lockRows } from '../../../db/portable.ts';
import { insertInto, statement } from '../accounts.tables.ts';

/** Inserts a row with zero failures, unless there is one. */
export const addFailures = statement((q, p: { subject: string }) =>
  q
    .insertInto('sign_in_failures')
    .values({ subject: p.subject, failures: 0, last_at: 0 })
    .onConflict((c) => c.column('subject').doNothing()),
);

export const lockFailures = statement((q, p: { subject: string }, dialect) =>
  lockRows(dialect, q.selectFrom('sign_in_failures').selectAll().where('subject', '=', p.subject)),
);

export const findFailures = statement((q, p: { subject: string }) =>
  q.selectFrom('sign_in_failures').selectAll().where('subject', '=', p.subject),
);

export const saveFailures = insertInto('sign_in_failures', (insert, p) =>
  insert.onConflict((c) => c.column('subject').doUpdateSet({ failures: p.failures, last_at: p.last_at })),
);

export const deleteFailures = statement((q, p: { subject: string }) =>
  q.deleteFrom('sign_in_failures').where('subject', '=', p.subject),
);

/** Subjects that match the pattern `exempt` are deleted later, before `exemptBefore`. */
export const deleteOldFailures = statement((q, p: { before: number; exempt: string; exemptBefore: number }) =>
  q
    .deleteFrom('sign_in_failures')
    .where((eb) =>
      eb.or([
        eb.and([eb('last_at', '<', p.before), eb('subject', 'not like', p.exempt)]),
        eb('last_at', '<', p.exemptBefore),
      ]),
    ),
);
