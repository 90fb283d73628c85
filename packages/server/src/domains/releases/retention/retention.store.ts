import { insertInto, statement } from '../releases.tables.ts';

/** Of an app, or of whoever owns apps. */
export const findRule = statement((q, p: { id: string }) =>
  q.selectFrom('release_retention').selectAll().where('id', '=', p.id),
);

export const saveRule = insertInto('release_retention', (insert, p) =>
  insert.onConflict((c) =>
    c.column('id').doUpdateSet({ keep_last: p.keep_last, keep_days: p.keep_days, keep_latest: p.keep_latest }),
  ),
);

/** Apps that a rule may delete releases of. */
export const listRuledApps = statement((q) =>
  q
    .selectFrom('apps')
    .select(['apps.id', 'apps.owner_id'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('release_retention')
          .select('release_retention.id')
          .where((eb) =>
            eb.or([
              eb('release_retention.id', '=', eb.ref('apps.id')),
              eb('release_retention.id', '=', eb.ref('apps.owner_id')),
            ]),
          ),
      ),
    ),
);

/** Apps of an owner that have releases, and no rule of their own. */
export const listUnruledApps = statement((q, p: { ownerId: string }) =>
  q
    .selectFrom('apps')
    .select(['apps.id', 'apps.name'])
    .where('apps.owner_id', '=', p.ownerId)
    .where('apps.id', 'in', q.selectFrom('releases').select('releases.app_id'))
    .where('apps.id', 'not in', q.selectFrom('release_retention').select('release_retention.id'))
    .orderBy('apps.name_key'),
);

export const deleteOrphanRules = statement((q) =>
  q
    .deleteFrom('release_retention')
    .where('id', 'not in', q.selectFrom('apps').select('apps.id'))
    .where('id', 'not in', q.selectFrom('owners').select('owners.id')),
);
