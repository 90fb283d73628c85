import { lockKeptRows } from '../../db/portable.ts';
import { insertInto, statement } from './apps.tables.ts';

const columns = ['apps.id', 'apps.name', 'owners.id as owner_id', 'owners.name as owner_name'] as const;

/** The app that has this secret now, or had it until later than now. */
export const findAppBySecret = statement((q, p: { secret: string; former: string; now: number }) =>
  q
    .selectFrom('apps')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .select([...columns])
    .where('apps.app_secret', '=', p.secret)
    .union(
      q
        .selectFrom('app_former_secrets')
        .innerJoin('apps', 'apps.id', 'app_former_secrets.app_id')
        .innerJoin('owners', 'owners.id', 'apps.owner_id')
        .select([...columns])
        .where('app_former_secrets.secret', '=', p.former)
        .where('app_former_secrets.ends_at', '>', p.now),
    ),
);

/** Until when the one that ends first may be remembered. */
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
  lockKeptRows(dialect, q.selectFrom('apps').select('app_secret').where('id', '=', p.id)),
);

export const insertFormerSecret = insertInto('app_former_secrets');

export const listFormerSecrets = statement((q, p: { appId: string; now: number }) =>
  q
    .selectFrom('app_former_secrets')
    .select(['secret', 'ends_at'])
    .where('app_id', '=', p.appId)
    .where('ends_at', '>', p.now)
    .orderBy('ends_at')
    .orderBy('secret'),
);

export const deleteFormerSecrets = statement((q, p: { appId: string }) =>
  q.deleteFrom('app_former_secrets').where('app_id', '=', p.appId),
);

export const deleteEndedSecrets = statement((q, p: { appId: string; now: number }) =>
  q.deleteFrom('app_former_secrets').where('app_id', '=', p.appId).where('ends_at', '<=', p.now),
);
