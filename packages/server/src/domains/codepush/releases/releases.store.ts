import type { Kysely } from 'kysely';
import { insertInto, statement, type Tables } from '../codepush.tables.ts';

const selectReleases = (q: Kysely<Tables>) =>
  q
    .selectFrom('codepush_releases')
    .innerJoin('codepush_packages', 'codepush_packages.id', 'codepush_releases.package_id')
    .selectAll('codepush_releases')
    .select(['codepush_packages.package_hash', 'codepush_packages.size', 'codepush_packages.is_zip']);

export const listReleaseRows = statement((q, p: { deploymentId: string }) =>
  selectReleases(q).where('deployment_id', '=', p.deploymentId).orderBy('number'),
);

/** The newest release of each deployment of an app. */
export const listNewestReleaseRows = statement((q, p: { appId: string }) =>
  selectReleases(q).where(({ exists, not, selectFrom, and }) =>
    and([
      exists(
        selectFrom('codepush_deployments')
          .select('codepush_deployments.id')
          .whereRef('codepush_deployments.id', '=', 'codepush_releases.deployment_id')
          .where('codepush_deployments.app_id', '=', p.appId),
      ),
      not(
        exists(
          selectFrom('codepush_releases as later')
            .select('later.number')
            .whereRef('later.deployment_id', '=', 'codepush_releases.deployment_id')
            .whereRef('later.number', '>', 'codepush_releases.number'),
        ),
      ),
    ]),
  ),
);

export const findNewestReleaseRow = statement((q, p: { deploymentId: string }) =>
  selectReleases(q).where('deployment_id', '=', p.deploymentId).orderBy('number', 'desc').limit(1),
);

export const findReleaseByUpload = statement((q, p: { uploadId: string }) =>
  q.selectFrom('codepush_releases').select(['deployment_id', 'number']).where('upload_id', '=', p.uploadId),
);

/** An unfinished rollout, with the halt limit of its deployment. */
export const findRollout = statement((q, p: { deploymentId: string; number: number; label: string }) =>
  q
    .selectFrom('codepush_releases as release')
    .innerJoin('codepush_deployments as deployment', 'deployment.id', 'release.deployment_id')
    .leftJoin('codepush_counts as counts', (join) =>
      join.onRef('counts.deployment_id', '=', 'release.deployment_id').on('counts.label', '=', p.label),
    )
    .select(['deployment.app_id', 'deployment.name', 'deployment.halt_percent', 'counts.installed', 'counts.failed'])
    .where('release.deployment_id', '=', p.deploymentId)
    .where('release.number', '=', p.number)
    .where('release.is_disabled', '=', 0)
    .where('release.rollout', 'is not', null)
    .where('deployment.halt_percent', 'is not', null),
);

export const disableRelease = statement((q, p: { deploymentId: string; number: number }) =>
  q
    .updateTable('codepush_releases')
    .set({ is_disabled: 1 })
    .where('deployment_id', '=', p.deploymentId)
    .where('number', '=', p.number),
);

export const insertRelease = insertInto('codepush_releases');

export const updateReleaseRow = statement(
  (
    q,
    p: {
      deploymentId: string;
      number: number;
      range: string;
      description: string;
      isDisabled: 0 | 1;
      isMandatory: 0 | 1;
      rollout: number | null;
    },
  ) =>
    q
      .updateTable('codepush_releases')
      .set({
        range: p.range,
        description: p.description,
        is_disabled: p.isDisabled,
        is_mandatory: p.isMandatory,
        rollout: p.rollout,
      })
      .where('deployment_id', '=', p.deploymentId)
      .where('number', '=', p.number),
);

export const deleteReleases = statement((q, p: { deploymentId: string; upTo: number }) =>
  q.deleteFrom('codepush_releases').where('deployment_id', '=', p.deploymentId).where('number', '<=', p.upTo),
);
