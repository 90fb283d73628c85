import { insertInto, statement } from '../codepush.tables.ts';

/** Replaces an expired row with the same key. */
export const insertPreviousKey = insertInto('codepush_former_keys', (insert) =>
  insert.onConflict((c) =>
    c.column('key').doUpdateSet((eb) => ({
      deployment_id: eb.ref('excluded.deployment_id'),
      ends_at: eb.ref('excluded.ends_at'),
    })),
  ),
);

export const findPreviousKey = statement((q, p: { key: string; now: number }) =>
  q.selectFrom('codepush_former_keys').select('key').where('key', '=', p.key).where('ends_at', '>', p.now),
);

export const listPreviousKeys = statement((q, p: { deploymentId: string; now: number }) =>
  q
    .selectFrom('codepush_former_keys')
    .select(['key', 'ends_at'])
    .where('deployment_id', '=', p.deploymentId)
    .where('ends_at', '>', p.now)
    .orderBy('ends_at')
    .orderBy('key'),
);

export const deletePreviousKeys = statement((q, p: { deploymentId: string }) =>
  q.deleteFrom('codepush_former_keys').where('deployment_id', '=', p.deploymentId),
);

export const deleteEndedKeys = statement((q, p: { deploymentId: string; now: number }) =>
  q.deleteFrom('codepush_former_keys').where('deployment_id', '=', p.deploymentId).where('ends_at', '<=', p.now),
);
