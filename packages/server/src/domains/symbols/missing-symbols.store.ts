import type { Db } from '../../db/open.ts';
import { insertInto, query, statement } from './symbols.tables.ts';

export const deleteNeeds = statement((q, p: { appId: string; reportId: string }) =>
  q
    .deleteFrom('symbol_needs')
    .where('app_id', '=', p.appId)
    .where('report_id', '=', p.reportId)
    .returning(['version', 'build', 'is_error']),
);

export const insertNeed = insertInto('symbol_needs', (insert) => insert.onConflict((c) => c.doNothing()));

export const upsertMissing = insertInto('missing_symbols', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .columns(['app_id', 'version', 'build', 'symbol_id'])
      .doUpdateSet((eb) => ({ last_at: eb.ref('excluded.last_at'), name: eb.ref('excluded.name') })),
  ),
);

/** Increases the counters; the first call creates the group. */
export const addToGroup = insertInto('symbol_groups', (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(['app_id', 'version', 'build']).doUpdateSet((eb) => ({
      crash_count: eb('symbol_groups.crash_count', '+', eb.ref('excluded.crash_count')),
      error_count: eb('symbol_groups.error_count', '+', eb.ref('excluded.error_count')),
      modified_at: eb.ref('excluded.modified_at'),
    })),
  ),
);

export const listGroupRows = statement((q, p: { appId: string; limit: number }) =>
  q
    .selectFrom('symbol_groups')
    .selectAll()
    .where('app_id', '=', p.appId)
    .orderBy('modified_at', 'desc')
    .orderBy('id')
    .limit(p.limit),
);

export const findGroupRow = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('symbol_groups').selectAll().where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const sumGroups = statement((q, p: { appId: string }) =>
  q
    .selectFrom('symbol_groups')
    .select((eb) => [eb.fn.sum('crash_count').as('crashes')])
    .where('app_id', '=', p.appId),
);

/** Includes whether the symbols have been uploaded, and whether they are ignored. */
const missing = (p: { appId: string }) => (q: Parameters<Parameters<typeof query>[1]>[0]) =>
  q
    .selectFrom('missing_symbols as missing')
    .leftJoin('symbols', (join) =>
      join.onRef('symbols.app_id', '=', 'missing.app_id').onRef('symbols.symbol_id', '=', 'missing.symbol_id'),
    )
    .leftJoin('ignored_symbols as ignored', (join) =>
      join.onRef('ignored.app_id', '=', 'missing.app_id').onRef('ignored.symbol_id', '=', 'missing.symbol_id'),
    )
    .selectAll('missing')
    .select(['symbols.created_at as found_at', 'ignored.at as ignored_at'])
    .where('missing.app_id', '=', p.appId)
    .orderBy('missing.last_at', 'desc')
    .orderBy('missing.symbol_id');

export const listMissingRows = (db: Db, appId: string) => query(db, (q) => missing({ appId })(q).limit(20_000));

export const findMissingRow = (db: Db, appId: string, id: string) =>
  query(db, (q) => missing({ appId })(q).where('missing.symbol_id', '=', id).limit(1));

export type MissingRow = Awaited<ReturnType<typeof listMissingRows>>[number];

/** Reports that need any of these symbols, in a fixed order for paging. */
export const pageNeeds = (db: Db, appId: string, symbolIds: readonly string[], after: string, limit: number) =>
  query(db, (q) =>
    q
      .selectFrom('symbol_needs')
      .select('report_id')
      .distinct()
      .where('app_id', '=', appId)
      .where('symbol_id', 'in', symbolIds)
      .where('report_id', '>', after)
      .orderBy('report_id')
      .limit(limit),
  );

export const countNeeds = (db: Db, appId: string, symbolIds: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('symbol_needs')
      .select((eb) => eb.fn.count('report_id').distinct().as('count'))
      .where('app_id', '=', appId)
      .where('symbol_id', 'in', symbolIds),
  );

/** Entries that no report needs. */
export const deleteSettledMissing = statement((q, p: { before: number }) =>
  q
    .deleteFrom('missing_symbols')
    .where('last_at', '<', p.before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('symbol_needs')
            .select('symbol_needs.symbol_id')
            .whereRef('symbol_needs.app_id', '=', 'missing_symbols.app_id')
            .whereRef('symbol_needs.symbol_id', '=', 'missing_symbols.symbol_id'),
        ),
      ),
    ),
);

export const deleteEmptyGroups = statement((q) =>
  q.deleteFrom('symbol_groups').where('crash_count', '<=', 0).where('error_count', '<=', 0),
);

const deleteDeletedAppRows = (table: 'symbol_needs' | 'missing_symbols' | 'symbol_groups' | 'ignored_symbols') =>
  statement((q) => q.deleteFrom(table).where('app_id', 'not in', q.selectFrom('app_names').select('app_names.id')));

export const deleteForDeletedApps = [
  deleteDeletedAppRows('symbol_needs'),
  deleteDeletedAppRows('missing_symbols'),
  deleteDeletedAppRows('symbol_groups'),
  deleteDeletedAppRows('ignored_symbols'),
];

/** Reports by version and build that wait for symbols which are neither uploaded nor ignored. */
export const listWaitingVersions = statement((q, p: { appId: string; limit: number }) =>
  q
    .selectFrom('symbol_groups as waiting')
    .select(['waiting.version', 'waiting.modified_at'])
    .select((eb) => eb('waiting.crash_count', '+', eb.ref('waiting.error_count')).as('count'))
    .where('waiting.app_id', '=', p.appId)
    .where((eb) => eb(eb('waiting.crash_count', '+', eb.ref('waiting.error_count')), '>', 0))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('missing_symbols as missing')
          .leftJoin('symbols', (join) =>
            join.onRef('symbols.app_id', '=', 'missing.app_id').onRef('symbols.symbol_id', '=', 'missing.symbol_id'),
          )
          .leftJoin('ignored_symbols as ignored', (join) =>
            join.onRef('ignored.app_id', '=', 'missing.app_id').onRef('ignored.symbol_id', '=', 'missing.symbol_id'),
          )
          .select('missing.symbol_id')
          .whereRef('missing.app_id', '=', 'waiting.app_id')
          .whereRef('missing.version', '=', 'waiting.version')
          .whereRef('missing.build', '=', 'waiting.build')
          .where('symbols.created_at', 'is', null)
          .where('ignored.at', 'is', null),
      ),
    )
    .orderBy('waiting.modified_at', 'desc')
    .limit(p.limit),
);
