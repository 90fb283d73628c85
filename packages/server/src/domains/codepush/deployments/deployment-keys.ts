import type { AppCtx, Deps } from '../../../context.ts';
import { claim } from '../../../db/claim.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { conflict, Failure } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { deleteEndedKeys, deleteFormerKeys, insertFormerKey, listFormerKeys } from './deployment-keys.store.ts';
import { findDeploymentByKey, updateDeploymentRow } from './deployments.store.ts';
import {
  changeDeployment,
  type Deployment,
  deploymentSubject,
  getDeployment,
  newKey,
  refuseFormerKey,
  takenKey,
} from './deployments.ts';

export const unknownKey = () =>
  new Failure('NotFound', 'No deployment has this key. It is shown on the page of the deployment.');

const isKey = (key: string): boolean => /^[A-Za-z0-9_-]{10,100}$/.test(key);

/** The deployment that devices with this key mean, and until when they do. */
export async function findByKey({ db, clock }: Pick<Deps, 'db' | 'clock'>, key: string) {
  if (!isKey(key)) return undefined;
  const row = await findDeploymentByKey.first(db, { key, former: key, now: clock.now() });
  return row && { id: row.id, version: row.version, endsAt: row.ends_at ?? Number.POSITIVE_INFINITY };
}

/** What is built into apps, and what was built into those that are still in use. */
export interface DeploymentKeys {
  key: string;
  former: { key: string; endsAt: number }[];
}

const keysOf = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string, key: string): Promise<DeploymentKeys> => ({
  key,
  former: (await listFormerKeys.all(db, { deploymentId: id, now: clock.now() })).map((row) => ({
    key: row.key,
    endsAt: row.ends_at,
  })),
});

export async function getKeys(ctx: AppCtx, name: string): Promise<DeploymentKeys> {
  const { id, key } = await getDeployment(ctx, name);
  return keysOf(ctx, id, key);
}

const MOST_FORMER = 10;

/** After the key was written, so that of two who want it at once the second sees that the first has it. */
async function replaceKey(ctx: AppCtx, { id }: Deployment, key: string): Promise<void> {
  const replaced = updateDeploymentRow.run(ctx.db, { id, key });
  await claim({ table: 'codepush_deployments', columns: ['key'] }, takenKey(), replaced);
  await refuseFormerKey(ctx, key);
}

/** Gives a deployment a new key. What is installed asks by the old one until its users update, so that holds on for a while. */
export const rotateKey = (
  ctx: AppCtx,
  name: string,
  { overlapHours, key }: { overlapHours: number; key?: string | undefined },
): Promise<DeploymentKeys> =>
  changeDeployment(ctx, name, async (ctx, deployment) => {
    const { id, key: before } = deployment;
    const now = ctx.clock.now();
    if (key === before) throw conflict('The deployment has this key already; name another, or none.');
    await deleteEndedKeys.run(ctx.db, { deploymentId: id, now });
    if (overlapHours > 0 && (await listFormerKeys.all(ctx.db, { deploymentId: id, now })).length >= MOST_FORMER)
      throw conflict(`${MOST_FORMER} former keys of "${name}" count still; end them first.`);
    const after = key ?? newKey();
    await replaceKey(ctx, deployment, after);
    if (overlapHours > 0)
      await insertFormerKey.run(ctx.db, { key: before, deployment_id: id, ends_at: now + overlapHours * HOUR });
    await record(ctx, 'deployment.rotate_key', deploymentSubject(ctx, deployment), {
      after: { overlap_hours: overlapHours },
    });
    return keysOf(ctx, id, after);
  });

/** From now on only the newest key counts. */
export const endFormerKeys = (ctx: AppCtx, name: string): Promise<void> =>
  changeDeployment(ctx, name, async (ctx, deployment) => {
    const ended = await deleteFormerKeys.run(ctx.db, { deploymentId: deployment.id });
    await record(ctx, 'deployment.end_former_keys', deploymentSubject(ctx, deployment), { after: { ended } });
  });
