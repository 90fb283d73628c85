import { lockRowsForNoKeyUpdate } from '../../../db/portable.ts';
import { insertInto, statement } from '../apps.tables.ts';

const columns = ['apps.id', 'apps.name', 'owner_names.id as owner_id', 'owner_names.name as owner_name'] as const;

/** The app with this secret, current or previous. */
export const findAppBySecret = statement((q, p: { secret: string; previous: string; now: number }) =>
  q
    .selectFrom('apps')
    .innerJoin('owner_names', 'owner_names.id', 'apps.owner_id')
    .select([...columns])
    .where('apps.app_secret', '=', p.secret)
    .union(
      q
        .selectFrom('app_former_secrets')
        .innerJoin('apps', 'apps.id', 'app_former_secrets.app_id')
        .innerJoin('owner_names', 'owner_names.id', 'apps.owner_id')
        .select([...columns])
        .where('app_former_secrets.secret', '=', p.previous)
        .where('app_former_secrets.ends_at', '>', p.now),
    ),
);

/** When the next previous secret expires, which limits caching. */
export const findNextEnd = statement((q, p: { now: number }) =>
  q
    .selectFrom('app_former_secrets')
    .select(({ fn }) => fn.min('ends_at').as('ends_at'))
    .where('ends_at', '>', p.now),
);

export const findSecret = statement((q, p: { id: string }) =>
  q.selectFrom('apps').select('app_secret').where('id', '=', p.id),
);

export const lockSecret = statement((q, p: { id: string }, dialect) =>
  lockRowsForNoKeyUpdate(dialect, q.selectFrom('apps').select('app_secret').where('id', '=', p.id)),
);

export const insertPreviousSecret = insertInto('app_former_secrets');

export const listPreviousSecrets = statement((q, p: { appId: string; now: number }) =>
  q
    .selectFrom('app_former_secrets')
    .select(['secret', 'ends_at'])
    .where('app_id', '=', p.appId)
    .where('ends_at', '>', p.now)
    .orderBy('ends_at')
    .orderBy('secret'),
);

export const deletePreviousSecrets = statement((q, p: { appId: string }) =>
  q.deleteFrom('app_former_secrets').where('app_id', '=', p.appId),
);

export const deleteEndedSecrets = statement((q, p: { appId: string; now: number }) =>
  q.deleteFrom('app_former_secrets').where('app_id', '=', p.appId).where('ends_at', '<=', p.now),
);
