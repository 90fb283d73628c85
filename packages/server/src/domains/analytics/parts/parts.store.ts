import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { isAmong } from '../../../db/portable.ts';
import { insertInto, query, statement } from '../analytics.tables.ts';

export const insertPart = insertInto('analytics_parts');

const shown = ['id', 'day', 'is_sealed', 'log_count', 'first_batch', 'last_batch', 'files', 'forgotten'] as const;

export const listLiveParts = statement((q, p: { appId: string; from: number; to: number }) =>
  q
    .selectFrom('analytics_parts')
    .select(shown)
    .where('app_id', '=', p.appId)
    .where('state', '=', 'live')
    .where('day', '>=', p.from)
    .where('day', '<=', p.to)
    .orderBy('day')
    .orderBy('id'),
);
export type LivePartRow = Awaited<ReturnType<typeof listLiveParts.all>>[number];

export const listLivePartsForApps = statement((q, p: { appIds: string; from: number; to: number }, dialect) =>
  q
    .selectFrom('analytics_parts')
    .select(['app_id', ...shown])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .where('state', '=', 'live')
    .where('day', '>=', p.from)
    .where('day', '<=', p.to)
    .orderBy('day')
    .orderBy('id'),
);

/** Replaced segments that are still pinned. */
export const listPinnedOld = statement((q, p: { appId: string }) =>
  q
    .selectFrom('analytics_parts')
    .select(shown)
    .where('app_id', '=', p.appId)
    .where('state', '=', 'old')
    .where('id', 'in', q.selectFrom('analytics_pins').select('part_id').where('app_id', '=', p.appId)),
);

/** Returns nothing if the segment has changed since it was read. */
export const changeState = statement(
  (q, p: { appId: string; id: string; from: 'draft' | 'live'; to: 'live' | 'old'; forgotten: string; now: number }) =>
    q
      .updateTable('analytics_parts')
      .set({ state: p.to, changed_at: p.now })
      .where('app_id', '=', p.appId)
      .where('id', '=', p.id)
      .where('state', '=', p.from)
      .where('forgotten', '=', p.forgotten),
);

/** Saves the properties of a draft once its files are stored. */
export const finishDraft = statement((q, p: { appId: string; id: string; files: string; logCount: number }) =>
  q
    .updateTable('analytics_parts')
    .set({ files: p.files, log_count: p.logCount })
    .where('app_id', '=', p.appId)
    .where('id', '=', p.id)
    .where('state', '=', 'draft'),
);

/** Days to merge: those with more than `most` segments, and calm past days with more than one. */
export const listDaysToMerge = (db: Db, p: { appId: string; most: number; today: number; before: number }) =>
  query(db, (q) =>
    q
      .selectFrom('analytics_parts')
      .select('day')
      .where('app_id', '=', p.appId)
      .where('state', '=', 'live')
      .groupBy('day')
      .having(
        sql<boolean>`count(*) > ${p.most} or (count(*) > 1 and day < ${p.today} and max(changed_at) < ${p.before})
          or max(case when forgotten = '[]' then 0 else 1 end) = 1`,
      )
      .orderBy('day'),
  );

export const listDaysToSeal = statement((q, p: { appId: string; before: number }) =>
  q
    .selectFrom('analytics_parts')
    .select('day')
    .distinct()
    .where('app_id', '=', p.appId)
    .where('state', '=', 'live')
    .where('day', '<', p.before)
    .where('is_sealed', '=', 0)
    .orderBy('day'),
);

export const listAppsWithParts = statement((q, p: { after: string }) =>
  q
    .selectFrom('analytics_parts')
    .leftJoin('app_names', 'app_names.id', 'analytics_parts.app_id')
    .select(['analytics_parts.app_id as appId', 'app_names.id as kept'])
    .where('analytics_parts.app_id', '>', p.after)
    .orderBy('analytics_parts.app_id')
    .limit(1),
);

/** Marks expired days as replaced. */
export const retireParts = statement((q, p: { appId: string; before: number; now: number }) =>
  q
    .updateTable('analytics_parts')
    .set({ state: 'old', changed_at: p.now })
    .where('app_id', '=', p.appId)
    .where('state', '=', 'live')
    .where('day', '<', p.before),
);

/** Deleted apps with live parts. Steps from app to app by the index, because apps have thousands of parts each. */
export const listDeletedAppsWithParts = statement((q) =>
  q
    .withRecursive('known', (c) =>
      c
        .selectFrom('analytics_parts')
        .select(({ fn }) => fn.min<string | null>('app_id').as('app_id'))
        .unionAll(
          c
            .selectFrom('known')
            .select(({ selectFrom }) =>
              selectFrom('analytics_parts')
                .select(({ fn }) => fn.min<string | null>('analytics_parts.app_id').as('app_id'))
                .whereRef('analytics_parts.app_id', '>', 'known.app_id')
                .as('app_id'),
            )
            .where('known.app_id', 'is not', null),
        ),
    )
    .selectFrom('known')
    .select('known.app_id as appId')
    .where('known.app_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('app_names').select('app_names.id').whereRef('app_names.id', '=', 'known.app_id'))),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('analytics_parts as live')
          .select('live.id')
          .whereRef('live.app_id', '=', 'known.app_id')
          .where('live.state', '=', 'live'),
      ),
    )
    .$narrowType<{ appId: string }>(),
);

/**
 * Parts that no query reads, and drafts of processes that were killed. Parts with deleted data, and those of deleted apps,
 * are listed sooner.
 */
export const listDeadParts = statement((q, p: { before: number; deletedBefore: number; limit: number }) =>
  q
    .selectFrom('analytics_parts')
    .select(['app_id', 'id', 'day', 'state'])
    .where('state', 'in', ['old', 'draft'])
    .where((eb) =>
      eb.or([
        eb('changed_at', '<', p.before),
        eb.and([eb('state', '=', 'old'), eb('forgotten', '<>', '[]'), eb('changed_at', '<', p.deletedBefore)]),
        eb.and([
          eb('changed_at', '<', p.deletedBefore),
          eb.not(
            eb.exists(
              eb.selectFrom('app_names').select('app_names.id').whereRef('app_names.id', '=', 'analytics_parts.app_id'),
            ),
          ),
        ]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('analytics_pins')
            .select('holder')
            .whereRef('analytics_pins.app_id', '=', 'analytics_parts.app_id')
            .whereRef('analytics_pins.part_id', '=', 'analytics_parts.id'),
        ),
      ),
    )
    .orderBy('changed_at')
    .limit(p.limit),
);

/** Selects the segments that are still read: live ones, ones replaced only recently, and pinned ones. */
export const listReadParts = statement((q, p: { ids: string; since: number }, dialect) =>
  q
    .selectFrom('analytics_parts')
    .select(['id', 'app_id'])
    .where(isAmong(dialect, 'id', p.ids))
    .where((eb) =>
      eb.or([
        eb('state', '=', 'live'),
        eb('changed_at', '>=', p.since),
        eb('id', 'in', q.selectFrom('analytics_pins').select('part_id')),
      ]),
    ),
);

export const deletePart = statement((q, p: { appId: string; id: string; state: 'old' | 'draft' }) =>
  q.deleteFrom('analytics_parts').where('app_id', '=', p.appId).where('id', '=', p.id).where('state', '=', p.state),
);

/** Segments with erased logs, including replaced ones whose files still exist. */
export const listMarked = statement((q, p: { appId: string }) =>
  q
    .selectFrom('analytics_parts')
    .select(['state', 'forgotten'])
    .where('app_id', '=', p.appId)
    .where('state', 'in', ['live', 'old'])
    .where('forgotten', '<>', '[]'),
);

export const savePartErasures = statement((q, p: { appId: string; id: string; forgotten: string }) =>
  q.updateTable('analytics_parts').set({ forgotten: p.forgotten }).where('app_id', '=', p.appId).where('id', '=', p.id),
);
