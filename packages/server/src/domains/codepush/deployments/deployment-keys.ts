import type { AppCtx, Deps } from '../../../context.ts';
import { claim } from '../../../db/rows/claim.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { conflict, Failure } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { deleteEndedKeys, deletePreviousKeys, insertPreviousKey, listPreviousKeys } from './deployment-keys.store.ts';
import { findDeploymentByKey, updateDeploymentRow } from './deployments.store.ts';
import {
  changeDeployment,
  type Deployment,
  deploymentSubject,
  getDeployment,
  newKey,
  refusePreviousKey,
  takenKey,
} from './deployments.ts';

export const unknownKey = () =>
  new Failure('NotFound', 'No deployment has this key. Copy the key from the page of the deployment.');

const isKey = (key: string): boolean => /^[A-Za-z0-9_-]{10,100}$/.test(key);

/** The deployment with this current or previous key, and when a previous key expires. */
export async function findByKey({ db, clock }: Pick<Deps, 'db' | 'clock'>, key: string) {
  if (!isKey(key)) return undefined;
  const row = await findDeploymentByKey.first(db, { key, previousKey: key, now: clock.now() });
  return row && { id: row.id, version: row.version, endsAt: row.ends_at ?? Number.POSITIVE_INFINITY };
}

/** The current key, and previous ones that installed apps may still send. */
export interface DeploymentKeys {
  key: string;
  previous: { key: string; endsAt: number }[];
}

const loadKeys = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
  key: string,
): Promise<DeploymentKeys> => ({
  key,
  previous: (await listPreviousKeys.all(db, { deploymentId: id, now: clock.now() })).map((row) => ({
    key: row.key,
    endsAt: row.ends_at,
  })),
});

export async function getKeys(ctx: AppCtx, name: string): Promise<DeploymentKeys> {
  const { id, key } = await getDeployment(ctx, name);
  return loadKeys(ctx, id, key);
}

const MAX_PREVIOUS_KEYS = 10;

/** Checked after the write, so that of two concurrent requests for a key, the second fails. */
async function replaceKey(ctx: AppCtx, { id }: Deployment, key: string): Promise<void> {
  const replaced = updateDeploymentRow.run(ctx.db, { id, key });
  await claim({ table: 'codepush_deployments', columns: ['key'] }, takenKey(), replaced);
  await refusePreviousKey(ctx, key);
}

/** Replaces the key of a deployment. Installed apps send the old one until users update, so it stays valid for some hours. */
export const rotateKey = (
  ctx: AppCtx,
  name: string,
  { overlapHours, key }: { overlapHours: number; key?: string | undefined },
): Promise<DeploymentKeys> =>
  changeDeployment(ctx, name, async (ctx, deployment) => {
    const { id, key: before } = deployment;
    const now = ctx.clock.now();
    if (key === before)
      throw conflict('The deployment already has this key. Send another key, or omit it to create one.');
    await deleteEndedKeys.run(ctx.db, { deploymentId: id, now });
    if (overlapHours > 0 && (await listPreviousKeys.all(ctx.db, { deploymentId: id, now })).length >= MAX_PREVIOUS_KEYS)
      throw conflict(`"${name}" already has ${MAX_PREVIOUS_KEYS} previous keys. Revoke them first.`);
    const after = key ?? newKey();
    await replaceKey(ctx, deployment, after);
    if (overlapHours > 0)
      await insertPreviousKey.run(ctx.db, { key: before, deployment_id: id, ends_at: now + overlapHours * HOUR });
    await record(ctx, 'deployment.rotate_key', deploymentSubject(ctx, deployment), {
      after: { overlap_hours: overlapHours },
    });
    return loadKeys(ctx, id, after);
  });

/** Ends all previous keys. */
export const endPreviousKeys = (ctx: AppCtx, name: string): Promise<void> =>
  changeDeployment(ctx, name, async (ctx, deployment) => {
    const ended = await deletePreviousKeys.run(ctx.db, { deploymentId: deployment.id });
    await record(ctx, 'deployment.end_former_keys', deploymentSubject(ctx, deployment), { after: { ended } });
  });
