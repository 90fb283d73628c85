import type { Ctx, Deps } from '../../../context.ts';
import { defineJob } from '../../../jobs/index.ts';
import { getAppRef } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { announceForApp } from '../../webhooks/index.ts';
import { changeDeployment, deploymentSubject } from '../deployments/deployments.ts';
import { disableRelease, findRollout } from '../releases/releases.store.ts';

interface Which {
  deploymentId: string;
  /** Number of the release. */
  number: number;
  label: string;
}

export const rolloutsCheck = defineJob<Which>('codepush_rollouts.check');

/** Fewer reports are not significant. */
const MIN_REPORTS = 20;

/** Returns the rollout and its counts if devices' reports exceed the limit. */
async function findFailing({ db }: Pick<Deps, 'db'>, which: Which) {
  const found = await findRollout.first(db, which);
  if (!found) return undefined;
  const { app_id: appId, name, halt_percent: percent } = found;
  const [installed, failed] = [Number(found.installed ?? 0), Number(found.failed ?? 0)];
  const isFailing = installed + failed >= MIN_REPORTS && failed * 100 >= (percent ?? 0) * (installed + failed);
  return isFailing ? { appId, name, installed, failed } : undefined;
}

/** Disables the release if too many devices rolled it back, and announces that. */
export async function checkRollout(ctx: Ctx, which: Which): Promise<void> {
  const failing = await findFailing(ctx, which);
  if (!failing) return;
  const app = await getAppRef(ctx, failing.appId);
  await changeDeployment({ ...ctx, app }, failing.name, async (ctx, deployment) => {
    const still = deployment.id === which.deploymentId ? await findFailing(ctx, which) : undefined;
    // The rollout was stopped or finished in the meantime.
    if (!still) return;
    const { installed, failed } = still;
    const { deploymentId, number, label } = which;
    await disableRelease.run(ctx.db, { deploymentId, number });
    await record(ctx, 'deployment.halt_rollout', deploymentSubject(ctx, deployment), {
      after: { label, is_disabled: true, installed, failed },
    });
    await announceForApp(ctx, 'codePushHalted', app.id, ({ page }) => ({
      url: page(`codepush/${encodeURIComponent(deployment.name)}`),
      deployment: deployment.name,
      label,
      installed,
      failed,
    }));
  });
}
