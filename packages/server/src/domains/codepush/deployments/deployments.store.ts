import { sql } from 'kysely';
import { lockRows } from '../../../db/portable.ts';
import { insertInto, statement, updateRow } from '../codepush.tables.ts';

/** Returns nothing if the app has a deployment of that name, or any deployment has the key. */
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

/** The deployment with this key, current or previous; for a previous key also its expiry. */
export const findDeploymentByKey = statement((q, p: { key: string; previousKey: string; now: number }) =>
  q
    .selectFrom('codepush_deployments')
    .select(['id', 'version', sql<number | null>`null`.as('ends_at')])
    .where('key', '=', p.key)
    .unionAll(
      q
        .selectFrom('codepush_former_keys as former')
        .innerJoin('codepush_deployments as deployment', 'deployment.id', 'former.deployment_id')
        .select(['deployment.id', 'deployment.version', 'former.ends_at'])
        .where('former.key', '=', p.previousKey)
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

/** Deployments with a release of this package. */
export const raiseDeploymentsWith = statement((q, p: { packageId: string }) =>
  q
    .updateTable('codepush_deployments')
    .set({ version: sql<number>`version + 1` })
    .where('id', 'in', q.selectFrom('codepush_releases').select('deployment_id').where('package_id', '=', p.packageId)),
);

export const deleteDeploymentRow = statement((q, p: { id: string }) =>
  q.deleteFrom('codepush_deployments').where('id', '=', p.id),
);
