import { insertInto, statement } from '../sign-in.tables.ts';

export const findFactor = statement((q, p: { userId: string }) =>
  q.selectFrom('second_factors').selectAll().where('user_id', '=', p.userId),
);

/** Replaces one that was not confirmed; inserts nothing if there is a confirmed one. */
export const saveFactor = insertInto('second_factors', (insert) =>
  insert
    .onConflict((c) =>
      c
        .column('user_id')
        .doUpdateSet((e) => ({
          sealed_secret: e.ref('excluded.sealed_secret'),
          last_step: e.ref('excluded.last_step'),
        }))
        .where('second_factors.enabled_at', 'is', null),
    )
    .returning('user_id'),
);

/** Marks a step as used. Changes nothing if it, or a later one, was used: parallel requests can't use a code twice. */
export const consumeStep = statement((q, p: { userId: string; step: number }) =>
  q
    .updateTable('second_factors')
    .set({ last_step: p.step })
    .where('user_id', '=', p.userId)
    .where('last_step', '<', p.step),
);

export const enableFactor = statement((q, p: { userId: string; now: number }) =>
  q
    .updateTable('second_factors')
    .set({ enabled_at: p.now })
    .where('user_id', '=', p.userId)
    .where('enabled_at', 'is', null),
);

export const deleteFactor = statement((q, p: { userId: string }) =>
  q.deleteFrom('second_factors').where('user_id', '=', p.userId),
);

export const insertRecoveryCode = insertInto('recovery_codes');

export const countRecoveryCodes = statement((q, p: { userId: string }) =>
  q
    .selectFrom('recovery_codes')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId),
);

export const consumeRecoveryCode = statement((q, p: { userId: string; hash: string }) =>
  q.deleteFrom('recovery_codes').where('user_id', '=', p.userId).where('hash', '=', p.hash),
);

export const deleteRecoveryCodes = statement((q, p: { userId: string }) =>
  q.deleteFrom('recovery_codes').where('user_id', '=', p.userId),
);
