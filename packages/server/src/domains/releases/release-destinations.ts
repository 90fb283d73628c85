import type { AppCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { badRequest, Failure, notFound } from '../../kernel/errors.ts';
import { listAppUsers } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { getGroup, listGroups, listTesters } from '../groups/index.ts';
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
import { isHeld } from './test-gates.ts';

export interface Giving {
  isMandatory: boolean;
  /** Whether they are told by mail. */
  isTold: boolean;
}

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

const tell = async (ctx: AppCtx, releaseId: number, destinationId: string, { isTold }: Giving) =>
  isTold && noticeTesters(ctx, releaseId, destinationId);

async function getGroupById(ctx: AppCtx, id: string) {
  const group = (await listGroups(ctx)).find((one) => one.id === id);
  if (!group) throw notFound('distribution group', id);
  return group;
}

export const giveToGroup = (ctx: AppCtx, releaseId: number, groupId: string, giving: Giving): Promise<void> =>
  changeRelease(ctx, releaseId, async (ctx, release) => {
    const group = await getGroupById(ctx, groupId);
    if (await isHeld(ctx, release, { type: 'group', destination: group.id, ...giving })) return;
    await saveReleaseGroup.run(ctx.db, {
      app_id: ctx.app.id,
      release_id: releaseId,
      group_id: group.id,
      is_mandatory: flag(giving.isMandatory),
      added_at: ctx.clock.now(),
    });
    await tell(ctx, releaseId, group.id, giving);
    const { isMandatory } = giving;
    await announceRelease(ctx, release, { type: 'group', id: group.id, name: group.name, isMandatory });
    await record(ctx, 'release.distribute', releaseSubject(ctx.app, releaseId), {
      after: { group: group.name, mandatory_update: giving.isMandatory },
    });
  });

/** Whoever has access to the app, or is in one of its groups; others are asked into a group first. */
export const giveToTester = (ctx: AppCtx, releaseId: number, email: string, giving: Giving): Promise<string> =>
  changeRelease(ctx, releaseId, async (ctx, release) => {
    const user = await findUserByEmail.first(ctx.db, { emailKey: email.toLowerCase() });
    const known =
      user && new Set([...(await listAppUsers(ctx)), ...(await listTesters(ctx))].map((one) => one.user.id));
    if (!user || !known?.has(user.id)) {
      throw badRequest(`${email} is no tester of this app; add them to a distribution group first.`);
    }
    if (await isHeld(ctx, release, { type: 'tester', destination: user.email, ...giving })) return user.id;
    await saveReleaseTester.run(ctx.db, {
      app_id: ctx.app.id,
      release_id: releaseId,
      user_id: user.id,
      is_mandatory: flag(giving.isMandatory),
      added_at: ctx.clock.now(),
    });
    await tell(ctx, releaseId, user.id, giving);
    await announceRelease(ctx, release, { type: 'tester', id: user.id, isMandatory: giving.isMandatory });
    await record(ctx, 'release.distribute', releaseSubject(ctx.app, releaseId), {
      after: { tester: user.email, mandatory_update: giving.isMandatory },
    });
    return user.id;
  });

/** Testers are meant by their e-mail, all others by their id. */
export async function giveTo(
  ctx: AppCtx,
  releaseId: number,
  { type, id }: Pick<Destination, 'type' | 'id'>,
  giving: Giving,
): Promise<void> {
  if (type === 'group') await giveToGroup(ctx, releaseId, id, giving);
  else if (type === 'tester') await giveToTester(ctx, releaseId, id, giving);
  else await publishRelease(ctx, releaseId, id);
}

export interface NamedDestination {
  /** A group, or else a tester, if nobody says. */
  type?: Destination['type'] | undefined;
  id?: string | undefined;
  /** Of a group or a store, or the e-mail of a tester. */
  name?: string | undefined;
}

/** By id or by name, as clients of the published guide say it. */
export async function giveToNamed(
  ctx: AppCtx,
  releaseId: number,
  { type, id, name }: NamedDestination,
  giving: Giving,
): Promise<void> {
  if (type === 'tester' && name === undefined) {
    throw badRequest('A tester is meant by their e-mail; send it as the name of the destination.');
  }
  if (type !== 'tester' && id !== undefined) return giveTo(ctx, releaseId, { type: type ?? 'group', id }, giving);
  if (name === undefined) throw badRequest('A destination needs its id or its name.');
  if (type === 'tester') return giveTo(ctx, releaseId, { type, id: name }, giving);
  if (type === 'store') return giveTo(ctx, releaseId, { type, id: (await getStore(ctx, name)).id }, giving);
  const group = await getGroup(ctx, name).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'NotFound') return undefined;
    throw error;
  });
  if (group) return giveToGroup(ctx, releaseId, group.id, giving);
  if (type === undefined && name.includes('@')) return giveTo(ctx, releaseId, { type: 'tester', id: name }, giving);
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

/** All that somebody was given by themselves; what their groups have they keep. */
export const takeAllFromTester = (ctx: AppCtx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const taken = await deleteTesterReleases.run(ctx.db, { appId: ctx.app.id, userId });
    if (taken === 0) throw notFound('tester with releases of their own', userId);
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
