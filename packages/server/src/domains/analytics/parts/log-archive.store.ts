import { insertInto, statement } from '../analytics.tables.ts';

export const insertPin = insertInto('analytics_pins', (insert) => insert.onConflict((c) => c.doNothing()));

type Holder = { appId: string; holder: string };

/** Oldest day first. */
export const findPinned = statement((q, p: Holder) =>
  q
    .selectFrom('analytics_pins')
    .innerJoin('analytics_parts', (join) =>
      join
        .onRef('analytics_parts.app_id', '=', 'analytics_pins.app_id')
        .onRef('analytics_parts.id', '=', 'analytics_pins.part_id'),
    )
    .select(['id', 'day', 'is_sealed', 'log_count', 'first_batch', 'last_batch', 'files', 'forgotten'])
    .where('analytics_pins.app_id', '=', p.appId)
    .where('analytics_pins.holder', '=', p.holder)
    .orderBy('day')
    .orderBy('id')
    .limit(1),
);

export const countPinned = statement((q, p: Holder) =>
  q
    .selectFrom('analytics_pins')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('app_id', '=', p.appId)
    .where('holder', '=', p.holder),
);

export const deletePin = statement((q, p: Holder & { partId: string }) =>
  q
    .deleteFrom('analytics_pins')
    .where('app_id', '=', p.appId)
    .where('holder', '=', p.holder)
    .where('part_id', '=', p.partId),
);

export const deletePins = statement((q, p: Holder) =>
  q.deleteFrom('analytics_pins').where('app_id', '=', p.appId).where('holder', '=', p.holder),
);
