import { randomBytes, randomInt } from 'node:crypto';
import { SDK_KEYS_MAX } from '@mooring/contract';
import type { AppCtx, Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { HOUR } from '../../kernel/clock.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import {
  deleteEndedKeys,
  deleteKey,
  endKey,
  findProject,
  insertKey,
  insertProject,
  listValidKeys,
  lockProject,
  updateKey,
} from './sdk-keys.store.ts';
import type { SdkKeysTable } from './sdk-keys.tables.ts';

export interface SdkKey {
  projectId: number;
  publicKey: string;
  name: string;
  isEnabled: boolean;
  createdAt: number;
  /** When it stops working, if it is being revoked. */
  endsAt: number | undefined;
}

/** Long enough that apps of two merged servers get different IDs. JavaScript and all SDKs can represent them. */
const FIRST_PROJECT_ID = 100_000_000_000;
const LAST_PROJECT_ID = 281_474_976_710_655;
const MAX_ATTEMPTS = 10;

const toSdkKey = (projectId: number, row: SdkKeysTable): SdkKey => ({
  projectId,
  publicKey: row.public_key,
  name: row.name,
  isEnabled: row.is_enabled === 1,
  createdAt: row.created_at,
  endsAt: row.ends_at ?? undefined,
});

const createRow = (appId: string, name: string, now: number): SdkKeysTable => ({
  public_key: randomBytes(16).toString('hex'),
  app_id: appId,
  name,
  is_enabled: 1,
  created_at: now,
  ends_at: null,
});

const INITIAL_NAME = 'Default';

/** Creates the project ID and the first key of a new app. */
export async function addProject({ db, clock }: Ctx, appId: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const id = randomInt(FIRST_PROJECT_ID, LAST_PROJECT_ID);
    if ((await insertProject.run(db, { id, app_id: appId })) > 0) break;
    if (attempt === MAX_ATTEMPTS) throw new Error('no unused project ID was found');
  }
  await insertKey.run(db, createRow(appId, INITIAL_NAME, clock.now()));
}

async function getProjectId({ db }: Pick<Deps, 'db'>, appId: string): Promise<number> {
  const project = await findProject.first(db, { appId });
  if (!project) throw notFound('app');
  return project.id;
}

export async function listSdkKeys(ctx: Pick<AppCtx, 'db' | 'clock' | 'app'>): Promise<SdkKey[]> {
  const { db, clock, app } = ctx;
  const projectId = await getProjectId(ctx, app.id);
  const rows = await listValidKeys.all(db, { appId: app.id, now: clock.now() });
  return rows.map((row) => toSdkKey(projectId, row));
}

/** The key for new builds of the app: the newest one that is enabled and not being revoked. */
export async function getCurrentSdkKey(ctx: AppCtx): Promise<SdkKey> {
  const enabled = (await listSdkKeys(ctx)).filter(({ isEnabled }) => isEnabled);
  const current = enabled.find(({ endsAt }) => endsAt === undefined) ?? enabled[0];
  if (!current) {
    throw conflict('This app has no enabled SDK key, so Sentry SDKs cannot send. Create a key, or enable one.');
  }
  return current;
}

/** Runs a change of the keys of an app alone. */
const changeKeys = <T>(ctx: AppCtx, work: (ctx: AppCtx, keys: readonly SdkKey[]) => Promise<T>): Promise<T> =>
  tx(ctx, async (ctx) => {
    await lockProject.first(ctx.db, { appId: ctx.app.id });
    await deleteEndedKeys.run(ctx.db, { appId: ctx.app.id, now: ctx.clock.now() });
    return work(ctx, await listSdkKeys(ctx));
  });

function findKey(keys: readonly SdkKey[], publicKey: string): SdkKey {
  const match = keys.find((key) => key.publicKey === publicKey.toLowerCase());
  if (!match) throw notFound('SDK key', publicKey);
  return match;
}

export const createSdkKey = (ctx: AppCtx, name: string | undefined): Promise<SdkKey> =>
  changeKeys(ctx, async (ctx, keys) => {
    if (keys.length >= SDK_KEYS_MAX) {
      throw conflict(`This app already has ${SDK_KEYS_MAX} SDK keys. Revoke one that no installed version uses.`);
    }
    const row = createRow(ctx.app.id, name?.trim() ?? `Key ${keys.length + 1}`, ctx.clock.now());
    await insertKey.run(ctx.db, row);
    await record(ctx, 'sdk_key.create', appSubject(ctx.app), { after: { name: row.name } });
    return toSdkKey(await getProjectId(ctx, ctx.app.id), row);
  });

export const changeSdkKey = (
  ctx: AppCtx,
  publicKey: string,
  change: { name?: string | undefined; isEnabled?: boolean | undefined },
): Promise<SdkKey> =>
  changeKeys(ctx, async (ctx, keys) => {
    const before = findKey(keys, publicKey);
    const after = {
      ...before,
      name: change.name?.trim() ?? before.name,
      isEnabled: change.isEnabled ?? before.isEnabled,
    };
    await updateKey.run(ctx.db, {
      appId: ctx.app.id,
      publicKey: before.publicKey,
      name: after.name,
      isEnabled: after.isEnabled ? 1 : 0,
    });
    await record(ctx, 'sdk_key.update', appSubject(ctx.app), {
      before: { name: before.name, is_enabled: before.isEnabled },
      after: { name: after.name, is_enabled: after.isEnabled },
    });
    return after;
  });

/** Revokes a key, immediately or after some hours. */
export const revokeSdkKey = (ctx: AppCtx, publicKey: string, overlapHours: number): Promise<void> =>
  changeKeys(ctx, async (ctx, keys) => {
    const key = findKey(keys, publicKey);
    const own = { appId: ctx.app.id, publicKey: key.publicKey };
    if (overlapHours === 0) await deleteKey.run(ctx.db, own);
    else await endKey.run(ctx.db, { ...own, endsAt: ctx.clock.now() + overlapHours * HOUR });
    await record(ctx, 'sdk_key.delete', appSubject(ctx.app), {
      before: { name: key.name },
      after: { overlap_hours: overlapHours },
    });
  });
