import { codePushDeployments_list, OVERVIEW_ROWS } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../../extensions/app-overviews.ts';
import { toIso } from '../../../kernel/clock.ts';
import { listDeployments } from '../deployments/deployments.ts';
import { listNewestReleases } from '../releases/releases.ts';
import { isUnfinished } from '../updates/rollout.ts';
import { listCounts } from './counts.store.ts';

/** Adoption of the latest CodePush release of each deployment, and rollouts that were halted. */
export const deploymentOverview: AppOverviewPart = {
  needs: codePushDeployments_list,
  async read(ctx) {
    const [deployments, releases] = await Promise.all([listDeployments(ctx), listNewestReleases(ctx)]);
    const halted = deployments.flatMap(({ id, name }) => {
      const release = releases.get(id);
      if (!release?.isDisabled || !isUnfinished(release.rollout ?? null)) return [];
      return { name: `${release.label} in ${name}`, path: { deployment_name: name }, at: toIso(release.releasedAt) };
    });
    return {
      deployments: await Promise.all(
        deployments.slice(0, OVERVIEW_ROWS).map(async ({ id, name }) => {
          const counts = await listCounts.all(ctx.db, { deploymentId: id });
          const label = releases.get(id)?.label;
          const active = counts.map((row) => ({ label: row.label, active: Math.max(0, row.active) }));
          return {
            name,
            ...(label ? { latest_label: label } : {}),
            latest_active: active.find((row) => row.label === label)?.active ?? 0,
            active: active.reduce((sum, row) => sum + row.active, 0),
          };
        }),
      ),
      attention: summarize('halted_rollout', 'urgent', halted),
    };
  },
};
