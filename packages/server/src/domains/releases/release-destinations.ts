import type { AppCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { badRequest, Failure, notFound } from '../../kernel/errors.ts';
import { hasAppAccess } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { getGroup, getGroupById } from '../groups/index.ts';
import { announceRelease } from './mails/announcing.ts';
import { noticeTesters } from './mails/notifications.ts';
import {
  deleteReleaseGroup,
  deleteReleaseTester,
  deleteTesterReleases,
  findUserByEmail,
  saveReleaseGroup,
  saveReleaseTester,
  setGroupMandatory,
  setTesterMandatory,
} from './releases.store.ts';
import { changeRelease, type Destination, releaseSubject } from './releases.ts';
import { getStore, publishRelease } from './stores/stores.ts';
import { blockDistribution } from './test-gates.ts';

export interface DistributeOptions {
  isMandatory: boolean;
  /** Whether testers are notified by email. */
  notifyTesters: boolean;
}

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

const notifyDestination = async (
  ctx: AppCtx,
  releaseId: number,
  destinationId: string,
  { notifyTesters }: DistributeOptions,
) => notifyTesters && noticeTesters(ctx, releaseId, destinationId);

export const distributeToGroup = (
  ctx: AppCtx,
  releaseId: number,
  groupId: string,
  options: DistributeOptions,
): Promise<void> =>
  changeRelease(ctx, releaseId, async (ctx, release) => {
    const group = await getGroupById(ctx, groupId);
    if (await blockDistribution(ctx, release, { type: 'group', destination: group.id, ...options })) return;
    await saveReleaseGroup.run(ctx.db, {
      app_id: ctx.app.id,
      release_id: releaseId,
      group_id: group.id,
      is_mandatory: flag(options.isMandatory),
      added_at: ctx.clock.now(),
    });
    await notifyDestination(ctx, releaseId, group.id, options);
    const { isMandatory } = options;
    await announceRelease(ctx, release, { type: 'group', id: group.id, name: group.name, isMandatory });
    await record(ctx, 'release.distribute', releaseSubject(ctx.app, releaseId), {
      after: { group: group.name, mandatory_update: options.isMandatory },
    });
  });

/**
 * Distributes to a user with access to the app or a member of one of its groups; others must be invited to a group first.
 */
export const distributeToTester = (
  ctx: AppCtx,
  releaseId: number,
  email: string,
  options: DistributeOptions,
): Promise<string> =>
  changeRelease(ctx, releaseId, async (ctx, release) => {
    const user = await findUserByEmail.first(ctx.db, { emailKey: email.toLowerCase() });
    if (!user || !(await hasAppAccess(ctx, user.id))) {
      throw badRequest(`${email} is not a tester of this app. Add them to a distribution group first.`);
    }
    if (await blockDistribution(ctx, release, { type: 'tester', destination: user.email, ...options })) return user.id;
    await saveReleaseTester.run(ctx.db, {
      app_id: ctx.app.id,
      release_id: releaseId,
      user_id: user.id,
      is_mandatory: flag(options.isMandatory),
      added_at: ctx.clock.now(),
    });
    await notifyDestination(ctx, releaseId, user.id, options);
    await announceRelease(ctx, release, { type: 'tester', id: user.id, isMandatory: options.isMandatory });
    await record(ctx, 'release.distribute', releaseSubject(ctx.app, releaseId), {
      after: { tester: user.email, mandatory_update: options.isMandatory },
    });
    return user.id;
  });

/** Testers are identified by email address, all other destinations by ID. */
export async function distributeTo(
  ctx: AppCtx,
  releaseId: number,
  { type, id }: Pick<Destination, 'type' | 'id'>,
  options: DistributeOptions,
): Promise<void> {
  if (type === 'group') await distributeToGroup(ctx, releaseId, id, options);
  else if (type === 'tester') await distributeToTester(ctx, releaseId, id, options);
  else await publishRelease(ctx, releaseId, id);
}

export interface NamedDestination {
  /** Default: a group, otherwise a tester. */
  type?: Destination['type'] | undefined;
  id?: string | undefined;
  /** Name of a group or store, or the email address of a tester. */
  name?: string | undefined;
}

/** Distributes by ID or by name, as existing clients do. */
export async function distributeToNamed(
  ctx: AppCtx,
  releaseId: number,
  { type, id, name }: NamedDestination,
  options: DistributeOptions,
): Promise<void> {
  if (type === 'tester' && name === undefined) {
    throw badRequest('Testers are identified by email address. Send it as the name of the destination.');
  }
  if (type !== 'tester' && id !== undefined)
    return distributeTo(ctx, releaseId, { type: type ?? 'group', id }, options);
  if (name === undefined) throw badRequest('Send the ID or the name of the destination.');
  if (type === 'tester') return distributeTo(ctx, releaseId, { type, id: name }, options);
  if (type === 'store') return distributeTo(ctx, releaseId, { type, id: (await getStore(ctx, name)).id }, options);
  const group = await getGroup(ctx, name).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'NotFound') return undefined;
    throw error;
  });
  if (group) return distributeToGroup(ctx, releaseId, group.id, options);
  if (type === undefined && name.includes('@'))
    return distributeTo(ctx, releaseId, { type: 'tester', id: name }, options);
  throw notFound('distribution group', name);
}

const withdrawn = (ctx: AppCtx, releaseId: number, what: Record<string, string>) =>
  record(ctx, 'release.withdraw', releaseSubject(ctx.app, releaseId), { before: what });

export const setMandatoryForGroup = (ctx: AppCtx, releaseId: number, groupId: string, isMandatory: boolean) =>
  changeRelease(ctx, releaseId, async (ctx) => {
    const where = { appId: ctx.app.id, releaseId, groupId, isMandatory: flag(isMandatory) };
    if ((await setGroupMandatory.run(ctx.db, where)) === 0)
      throw notFound('distribution group of this release', groupId);
    await record(ctx, 'release.distribute', releaseSubject(ctx.app, releaseId), {
      after: { group: groupId, mandatory_update: isMandatory },
    });
  });

export const setMandatoryForTester = (ctx: AppCtx, releaseId: number, userId: string, isMandatory: boolean) =>
  changeRelease(ctx, releaseId, async (ctx) => {
    const where = { appId: ctx.app.id, releaseId, userId, isMandatory: flag(isMandatory) };
    if ((await setTesterMandatory.run(ctx.db, where)) === 0) throw notFound('tester of this release', userId);
    await record(ctx, 'release.distribute', releaseSubject(ctx.app, releaseId), {
      after: { tester: userId, mandatory_update: isMandatory },
    });
  });

export const takeFromGroup = (ctx: AppCtx, releaseId: number, groupId: string): Promise<void> =>
  changeRelease(ctx, releaseId, async (ctx) => {
    const where = { appId: ctx.app.id, releaseId, groupId };
    if ((await deleteReleaseGroup.run(ctx.db, where)) === 0)
      throw notFound('distribution group of this release', groupId);
    await withdrawn(ctx, releaseId, { group: groupId });
  });

export const takeFromGroupNamed = async (ctx: AppCtx, releaseId: number, name: string): Promise<void> =>
  takeFromGroup(ctx, releaseId, (await getGroup(ctx, name)).id);

export const takeFromTester = (ctx: AppCtx, releaseId: number, userId: string): Promise<void> =>
  changeRelease(ctx, releaseId, async (ctx) => {
    const where = { appId: ctx.app.id, releaseId, userId };
    if ((await deleteReleaseTester.run(ctx.db, where)) === 0) throw notFound('tester of this release', userId);
    await withdrawn(ctx, releaseId, { tester: userId });
  });

/** Withdraws all releases that were distributed directly to a tester; those of their groups remain. */
export const takeAllFromTester = (ctx: AppCtx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const taken = await deleteTesterReleases.run(ctx.db, { appId: ctx.app.id, userId });
    if (taken === 0) throw notFound('tester with individually distributed releases', userId);
    const { app } = ctx;
    const subject = {
      kind: 'release',
      id: userId,
      name: `${app.ownerName}/${app.name}`,
      appId: app.id,
      orgId: app.ownerId,
    };
    await record(
      ctx,
      'release.withdraw',
      { ...subject, kind: 'release' },
      { before: { tester: userId, releases: taken } },
    );
  });
