import { isAmong } from '../../../db/portable.ts';
import { insertInto, statement } from '../codepush.tables.ts';

export const insertPackage = insertInto('codepush_packages');

export const findPackage = statement((q, p: { id: string }) =>
  q.selectFrom('codepush_packages').selectAll().where('id', '=', p.id),
);

export const findDiff = statement((q, p: { id: string }) =>
  q.selectFrom('codepush_diffs').selectAll().where('id', '=', p.id),
);

/** Finished diffs of all releases of a deployment. */
export const listDeploymentDiffs = statement((q, p: { deploymentId: string }) =>
  q
    .selectFrom('codepush_diffs')
    .select(['package_id', 'from_hash', 'id', 'size'])
    .where('state', '=', 'ready')
    .where(
      'package_id',
      'in',
      q.selectFrom('codepush_releases').select('package_id').where('deployment_id', '=', p.deploymentId),
    ),
);

export const listPackageDiffs = statement((q, p: { packageId: string }) =>
  q.selectFrom('codepush_diffs').selectAll().where('package_id', '=', p.packageId),
);

export const insertDiff = insertInto('codepush_diffs', (insert) =>
  insert.onConflict((c) => c.columns(['package_id', 'from_hash']).doNothing()),
);

export const finishDiff = statement((q, p: { id: string; state: 'ready' | 'none'; size: number }) =>
  q
    .updateTable('codepush_diffs')
    .set({ state: p.state, size: p.size })
    .where('id', '=', p.id)
    .where('state', '=', 'making'),
);

/** Marks packages without a release, and unmarks those with one. */
export const markUnused = statement((q, p: { now: number }) =>
  q
    .updateTable('codepush_packages')
    .set({ unused_since: p.now })
    .where('unused_since', 'is', null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('codepush_releases')
            .select('codepush_releases.number')
            .whereRef('codepush_releases.package_id', '=', 'codepush_packages.id'),
        ),
      ),
    ),
);

export const markUsed = statement((q) =>
  q
    .updateTable('codepush_packages')
    .set({ unused_since: null })
    .where('unused_since', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('codepush_releases')
          .select('codepush_releases.number')
          .whereRef('codepush_releases.package_id', '=', 'codepush_packages.id'),
      ),
    ),
);

export const listUnused = statement((q, p: { before: number; limit: number }) =>
  q
    .selectFrom('codepush_packages')
    .selectAll()
    .where('unused_since', '<', p.before)
    .orderBy('unused_since')
    .limit(p.limit),
);

export const deletePackageDiffs = statement((q, p: { packageId: string }) =>
  q.deleteFrom('codepush_diffs').where('package_id', '=', p.packageId),
);

export const deletePackage = statement((q, p: { id: string }) =>
  q.deleteFrom('codepush_packages').where('id', '=', p.id),
);

/** Packages in deployments of the app, each counted once. */
export const sumPackageSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom(
      q
        .selectFrom('codepush_releases')
        .innerJoin('codepush_deployments', 'codepush_deployments.id', 'codepush_releases.deployment_id')
        .innerJoin('codepush_packages', 'codepush_packages.id', 'codepush_releases.package_id')
        .select(['codepush_deployments.app_id', 'codepush_packages.id', 'codepush_packages.size'])
        .distinct()
        .where(isAmong(dialect, 'codepush_deployments.app_id', p.appIds))
        .as('packages'),
    )
    .select((eb) => ['packages.app_id', eb.fn.sum<number | null>('packages.size').as('sum')])
    .groupBy('packages.app_id'),
);
