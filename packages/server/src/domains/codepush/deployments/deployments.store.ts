import { sql } from 'kysely';
import { lockRows } from '../../../db/portable.ts';
import { insertInto, statement, updateRow } from '../codepush.tables.ts';

/** Nothing comes back when the app has one of that name, or anybody one with that key. */
export const insertDeployment = insertInto('codepush_deployments', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('id'),
);

export const listDeploymentRows = statement((q, p: { appId: string }) =>
  q.selectFrom('codepush_deployments').selectAll().where('app_id', '=', p.appId).orderBy('name'),
);

export const findDeploymentRow = statement((q, p: { appId: string; name: string }) =>
  q.selectFrom('codepush_deployments').selectAll().where('app_id', '=', p.appId).where('name', '=', p.name),
);

export const lockDeploymentRow = statement((q, p: { appId: string; name: string }, dialect) =>
  lockRows(
    dialect,
    q.selectFrom('codepush_deployments').selectAll().where('app_id', '=', p.appId).where('name', '=', p.name),
  ),
);

/** The deployment that has this key now, or had it until later than now; then with the end of it. */
export const findDeploymentByKey = statement((q, p: { key: string; former: string; now: number }) =>
  q
    .selectFrom('codepush_deployments')
    .select(['id', 'version', sql<number | null>`null`.as('ends_at')])
    .where('key', '=', p.key)
    .unionAll(
      q
        .selectFrom('codepush_former_keys as former')
        .innerJoin('codepush_deployments as deployment', 'deployment.id', 'former.deployment_id')
        .select(['deployment.id', 'deployment.version', 'former.ends_at'])
        .where('former.key', '=', p.former)
        .where('former.ends_at', '>', p.now),
    ),
);

export const countDeployments = statement((q, p: { appId: string }) =>
  q
    .selectFrom('codepush_deployments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('app_id', '=', p.appId),
);

export const updateDeploymentRow = updateRow('codepush_deployments');

export const raiseDeployment = statement((q, p: { id: string }) =>
  q.updateTable('codepush_deployments').set({ version: sql<number>`version + 1` }).where('id', '=', p.id),
);

/** All in which a package is out. */
export const raiseDeploymentsWith = statement((q, p: { packageId: string }) =>
  q
    .updateTable('codepush_deployments')
    .set({ version: sql<number>`version + 1` })
    .where('id', 'in', q.selectFrom('codepush_releases').select('deployment_id').where('package_id', '=', p.packageId)),
);

export const deleteDeploymentRow = statement((q, p: { id: string }) =>
  q.deleteFrom('codepush_deployments').where('id', '=', p.id),
);
