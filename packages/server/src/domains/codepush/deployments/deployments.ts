import type { AppCtx, Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { claim } from '../../../db/rows/claim.ts';
import { tx } from '../../../db/tx.ts';
import { randomBase62 } from '../../../kernel/crypto/crypto.ts';
import { conflict, Failure } from '../../../kernel/errors.ts';
import { refuseDots } from '../../../kernel/text/names.ts';
import { record } from '../../audit/index.ts';
import type { CodepushDeploymentsTable } from '../codepush.tables.ts';
import { findPreviousKey } from './deployment-keys.store.ts';
import {
  countDeployments,
  deleteDeploymentRow,
  findDeploymentRow,
  insertDeployment,
  listDeploymentRows,
  lockDeploymentRow,
  raiseDeployment,
  updateDeploymentRow,
} from './deployments.store.ts';

/** A channel for releases, which devices identify by its key. */
export interface Deployment {
  id: string;
  name: string;
  key: string;
  lastNumber: number;
  haltPercent: number | undefined;
}

const toDeployment = (row: CodepushDeploymentsTable): Deployment => ({
  id: row.id,
  name: row.name,
  key: row.key,
  lastNumber: row.last_number,
  haltPercent: row.halt_percent ?? undefined,
});

/** One client compares this sentence; it interprets any other as a missing app. */
const missing = (name: string) => new Failure('NotFound', `Deployment "${name}" does not exist.`);

export const deploymentSubject = ({ app }: Pick<AppCtx, 'app'>, { id, name }: Pick<Deployment, 'id' | 'name'>) =>
  ({
    kind: 'deployment',
    id,
    name: `${app.ownerName}/${app.name}/${name}`,
    orgId: app.ownerId,
    appId: app.id,
  }) as const;

export async function listDeployments({ db, app }: AppCtx): Promise<Deployment[]> {
  return (await listDeploymentRows.all(db, { appId: app.id })).map(toDeployment);
}

export async function getDeployment({ db, app }: Pick<AppCtx, 'db' | 'app'>, name: string): Promise<Deployment> {
  const row = await findDeploymentRow.first(db, { appId: app.id, name });
  if (!row) throw missing(name);
  return toDeployment(row);
}

/** Runs `work` on a locked deployment. Devices get the result with their next check. */
export const changeDeployment = <C extends Ctx & Pick<AppCtx, 'app'>, T>(
  ctx: C,
  name: string,
  work: (ctx: C, deployment: Deployment) => Promise<T>,
): Promise<T> =>
  tx(ctx, async (ctx) => {
    const row = await lockDeploymentRow.first(ctx.db, { appId: ctx.app.id, name });
    if (!row) throw missing(name);
    const result = await work(ctx, toDeployment(row));
    await raiseDeployment.run(ctx.db, { id: row.id });
    return result;
  });

const KEY_LENGTH = 37;

export const newKey = (): string => randomBase62(KEY_LENGTH);

export const takenKey = () => conflict('Another deployment uses this key. Send another key, or omit it to create one.');

/** A key that is still valid for another deployment would be ambiguous. */
export async function refusePreviousKey({ db, clock }: Pick<Ctx, 'db' | 'clock'>, key: string): Promise<void> {
  if (await findPreviousKey.first(db, { key, now: clock.now() })) throw takenKey();
}

const takenName = (name: string) => conflict(`A deployment named "${name}" already exists. Choose another name.`);

export async function createDeployment(ctx: AppCtx, input: { name: string; key?: string }): Promise<Deployment> {
  refuseDots(input.name);
  const most = ctx.config.codepushDeployments;
  return tx(ctx, async (ctx) => {
    if (most !== undefined) {
      await lock(ctx, 'codepush-deployments', ctx.app.id);
      const count = await countDeployments.first(ctx.db, { appId: ctx.app.id });
      if (Number(count?.count ?? 0) >= most)
        throw conflict(`An app can have at most ${most} deployments on this server. Delete one first.`);
    }
    const deployment = { name: input.name, key: input.key ?? newKey() };
    const id = ctx.newId();
    const added = await insertDeployment.first(ctx.db, {
      id,
      app_id: ctx.app.id,
      ...deployment,
      last_number: 0,
      version: 1,
      created_at: ctx.clock.now(),
      halt_percent: null,
    });
    if (!added) {
      const isNameTaken = await findDeploymentRow.first(ctx.db, { appId: ctx.app.id, name: input.name });
      throw isNameTaken ? takenName(input.name) : takenKey();
    }
    await refusePreviousKey(ctx, deployment.key);
    await record(ctx, 'deployment.create', deploymentSubject(ctx, { id, ...deployment }), {
      after: { name: input.name },
    });
    return { id, ...deployment, lastNumber: 0, haltPercent: undefined };
  });
}

async function rename(ctx: AppCtx, deployment: Deployment, name: string): Promise<void> {
  if (name === deployment.name) return;
  const renamed = updateDeploymentRow.run(ctx.db, { id: deployment.id, name });
  await claim({ table: 'codepush_deployments', columns: ['app_id', 'name'] }, takenName(name), renamed);
  await record(ctx, 'deployment.rename', deploymentSubject(ctx, deployment), {
    before: { name: deployment.name },
    after: { name },
  });
}

/** Omitted fields stay; a null limit never halts rollouts. */
export async function updateDeployment(
  ctx: AppCtx,
  name: string,
  change: { name?: string | undefined; haltPercent?: number | null | undefined },
): Promise<void> {
  if (change.name !== undefined) refuseDots(change.name);
  await changeDeployment(ctx, name, async (ctx, deployment) => {
    if (change.name !== undefined) await rename(ctx, deployment, change.name);
    const { haltPercent } = change;
    if (haltPercent === undefined || (haltPercent ?? undefined) === deployment.haltPercent) return;
    await updateDeploymentRow.run(ctx.db, { id: deployment.id, halt_percent: haltPercent });
    await record(ctx, 'deployment.update', deploymentSubject(ctx, deployment), {
      before: { halt_percent: deployment.haltPercent },
      after: { halt_percent: haltPercent ?? undefined },
    });
  });
}

export const deleteDeployment = (ctx: AppCtx, name: string): Promise<void> =>
  changeDeployment(ctx, name, async (ctx, deployment) => {
    await deleteDeploymentRow.run(ctx.db, { id: deployment.id });
    await record(ctx, 'deployment.delete', deploymentSubject(ctx, deployment), { before: { name } });
  });
