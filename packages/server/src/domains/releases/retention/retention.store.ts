import { insertInto, statement } from '../releases.tables.ts';

/** Finds the rule of an app, or of an owner of apps. */
export const findRule = statement((q, p: { id: string }) =>
  q.selectFrom('release_retention').selectAll().where('id', '=', p.id),
);

export const saveRule = insertInto('release_retention', (insert, p) =>
  insert.onConflict((c) =>
    c.column('id').doUpdateSet({ keep_last: p.keep_last, keep_days: p.keep_days, keep_latest: p.keep_latest }),
  ),
);

/** Apps whose releases a rule may delete. */
export const listRuledApps = statement((q) =>
  q
    .selectFrom('app_names')
    .select(['app_names.id', 'app_names.owner_id'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('release_retention')
          .select('release_retention.id')
          .where((eb) =>
            eb.or([
              eb('release_retention.id', '=', eb.ref('app_names.id')),
              eb('release_retention.id', '=', eb.ref('app_names.owner_id')),
            ]),
          ),
      ),
    ),
);

/** Apps of an owner that have releases and no rule for the app itself. */
export const listUnruledApps = statement((q, p: { ownerId: string }) =>
  q
    .selectFrom('app_names')
    .select(['app_names.id', 'app_names.name'])
    .where('app_names.owner_id', '=', p.ownerId)
    .where('app_names.id', 'in', q.selectFrom('releases').select('releases.app_id'))
    .where('app_names.id', 'not in', q.selectFrom('release_retention').select('release_retention.id'))
    .orderBy('app_names.name_key'),
);

export const deleteOrphanRules = statement((q) =>
  q
    .deleteFrom('release_retention')
    .where('id', 'not in', q.selectFrom('app_names').select('app_names.id'))
    .where('id', 'not in', q.selectFrom('owner_names').select('owner_names.id')),
);
