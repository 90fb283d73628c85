import { createPrivateKey } from 'node:crypto';
import type { AppCtx, ConnectionList, Ctx } from '../../../context.ts';
import { claim } from '../../../db/claim.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { DAY, toIso } from '../../../kernel/clock.ts';
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts';
import { open, seal } from '../../../kernel/sealed.ts';
import { OutboundError } from '../../../outbound/fetch.ts';
import { getAppRef } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { announceRelease } from '../mails/announcing.ts';
import type { DistributionStoresTable, ReleaseStoresTable } from '../releases.tables.ts';
import { changeRelease, findRelease, type GivenRelease, listReleases, releaseSubject } from '../releases.ts';
import { refuseWhileRed } from '../test-gates.ts';
import { publishOnPlay, type ServiceAccount, StoreRefusal } from './google-play.ts';
import {
  deleteReleaseStore,
  deleteStoreRow,
  findReleaseStore,
  findStoreById,
  findStoreByName,
  insertStore,
  listReleaseStores,
  listStoreRows,
  listStoresOfPerson,
  type Publishing,
  savePublishing,
  saveReleaseStore,
  saveStoreConnection,
  saveStoreCredentials,
} from './stores.store.ts';

export type StoreType = 'googleplay' | 'intune' | 'apple';

export interface Store {
  id: string;
  name: string;
  type: StoreType;
  track: string | undefined;
  serviceConnectionId: string | undefined;
  hasCredentials: boolean;
  createdBy: string | undefined;
}

const toStore = (row: DistributionStoresTable): Store => ({
  id: row.id,
  name: row.name,
  type: row.type,
  track: row.track ?? undefined,
  serviceConnectionId: row.service_connection_id ?? undefined,
  hasCredentials: row.sealed_credentials !== null,
  createdBy: row.created_by ?? undefined,
});

const storeName = { table: 'distribution_stores', columns: ['app_id', 'name_key'] };

const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

const subjectOf = ({ app }: Pick<AppCtx, 'app'>, id: string, name: string) =>
  ({ kind: 'store', id, name: `${app.ownerName}/${app.name} ${name}`, appId: app.id, orgId: app.ownerId }) as const;

export interface NewStore {
  type: StoreType;
  name: string;
  track: string | undefined;
  serviceConnectionId: string | undefined;
}

const tracks = ['production', 'beta', 'alpha'];

export const createStore = (ctx: AppCtx, { type, name, track = 'production', serviceConnectionId }: NewStore) =>
  tx(ctx, async (ctx): Promise<Store> => {
    if (type !== 'googleplay') {
      throw badRequest(
        `This server publishes on Google Play only: ${type === 'apple' ? 'the App Store' : 'Intune'} needs tools that run elsewhere.`,
      );
    }
    if (!tracks.includes(track)) throw badRequest(`Google Play has the tracks ${tracks.join(', ')}.`);
    const row: DistributionStoresTable = {
      id: ctx.newId(),
      app_id: ctx.app.id,
      name,
      name_key: nameKey(name),
      type,
      track,
      service_connection_id: serviceConnectionId ?? null,
      sealed_credentials: null,
      created_by: ctx.actor.kind === 'user' ? ctx.actor.user.id : null,
      created_at: ctx.clock.now(),
    };
    const taken = conflict(`There is a store "${name}" already.`);
    await claim(storeName, taken, insertStore.run(ctx.db, row));
    await record(ctx, 'store.create', subjectOf(ctx, row.id, name), { after: { type, track } });
    return toStore(row);
  });

export const listStores = async ({ db, app }: AppCtx): Promise<Store[]> =>
  (await listStoreRows.all(db, { appId: app.id })).map(toStore);

async function getRow({ db, app }: AppCtx, name: string): Promise<DistributionStoresTable> {
  const row = await findStoreByName.first(db, { appId: app.id, nameKey: nameKey(name) });
  if (!row) throw notFound('store', name);
  return row;
}

export const getStore = async (ctx: AppCtx, name: string): Promise<Store> => toStore(await getRow(ctx, name));

export const connectStore = (ctx: AppCtx, name: string, serviceConnectionId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { id } = await getRow(ctx, name);
    await saveStoreConnection.run(ctx.db, { id, serviceConnectionId });
    await record(ctx, 'store.update', subjectOf(ctx, id, name), { after: { connection: serviceConnectionId } });
  });

const PURPOSE = 'store-credentials';

/** Whether it can sign: a key that cannot would be noticed only when somebody publishes. */
function checkKey(pem: string): void {
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return;
  } catch {
    // Whatever it is, it is none.
  }
  throw badRequest(
    'private_key is no RSA key in PEM; send the JSON file of the service account as Google gave it out.',
  );
}

export const setStoreCredentials = (ctx: AppCtx, name: string, account: ServiceAccount): Promise<void> =>
  tx(ctx, async (ctx) => {
    checkKey(account.private_key);
    const { id } = await getRow(ctx, name);
    const { client_email, private_key, private_key_id } = account;
    const sealed = seal(ctx.secretKey, PURPOSE, JSON.stringify({ client_email, private_key, private_key_id }));
    await saveStoreCredentials.run(ctx.db, { id, sealed });
    await record(ctx, 'store.update', subjectOf(ctx, id, name), { after: { signs_in_as: client_email } });
  });

export const deleteStore = (ctx: AppCtx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { id, type, track } = await getRow(ctx, name);
    await deleteStoreRow.run(ctx.db, { id });
    await record(ctx, 'store.delete', subjectOf(ctx, id, name), { before: { type, track } });
  });

export type PublishingStatus = 'submitted' | 'processing' | 'published' | 'failed';

export const storePublish = defineJob<Publishing & { attempt: string }>('store.publish', {
  isRemote: true,
  maxAttempts: 6,
});

/** A job that was given up leaves it so; after a day it may be begun anew. */
const isOnItsWay = (row: ReleaseStoresTable | undefined, now: number): boolean =>
  row !== undefined && ['submitted', 'processing'].includes(row.status) && row.added_at > now - DAY;

/** Has a release published. What is on its way already is not sent twice. */
export const publishRelease = (ctx: AppCtx, releaseId: number, storeId: string): Promise<void> =>
  changeRelease(ctx, releaseId, async (ctx, release) => {
    const store = await findStoreById.first(ctx.db, { appId: ctx.app.id, id: storeId });
    if (!store) throw notFound('store', storeId);
    if (release.kind !== 'apk' && release.kind !== 'aab') {
      throw badRequest(`Google Play takes .apk and .aab packages, and this release is a .${release.kind}.`);
    }
    await refuseWhileRed(ctx, release);
    const where = { appId: ctx.app.id, releaseId, storeId };
    const before = await findReleaseStore.first(ctx.db, where);
    if (!isOnItsWay(before, ctx.clock.now())) {
      const attempt = ctx.newId();
      await saveReleaseStore.run(ctx.db, {
        app_id: ctx.app.id,
        release_id: releaseId,
        store_id: storeId,
        status: 'submitted',
        attempt,
        log: '',
        error: null,
        added_at: ctx.clock.now(),
      });
      await enqueue(ctx, storePublish, { ...where, attempt });
      await announceRelease(ctx, release, { type: 'store', id: storeId, name: store.name, isMandatory: false });
    }
    await record(ctx, 'release.distribute', releaseSubject(ctx.app, releaseId), { after: { store: store.name } });
  });

/** Publishes what was submitted, unless it was forgotten or begun anew since; every step is in its log. */
export async function publishSubmitted(
  ctx: Ctx,
  { attempt, ...where }: Publishing & { attempt: string },
): Promise<void> {
  const lines: string[] = [];
  const save = (status: PublishingStatus, error: string | null = null): Promise<boolean> =>
    tx(ctx, async ({ db }) => {
      const saved = await savePublishing.run(db, { ...where, attempt, status, log: lines.join('\n'), error });
      return saved > 0;
    });
  const say = async (step: string): Promise<void> => {
    lines.push(`${toIso(ctx.clock.now())} ${step}`);
    if (!(await save('processing'))) throw new StoreRefusal('It was taken back meanwhile.');
  };
  const fail = async (reason: string): Promise<void> => {
    lines.push(`${toIso(ctx.clock.now())} ${reason}`);
    await save('failed', reason);
  };
  if (!(await save('processing'))) return;
  const store = await findStoreById.first(ctx.db, { appId: where.appId, id: where.storeId });
  const app = await getAppRef(ctx, where.appId);
  const release = await findRelease({ ...ctx, app }, where.releaseId);
  if (!store || !release) return;
  const opened = store.sealed_credentials && open(ctx.secretKey, PURPOSE, store.sealed_credentials);
  if (!opened) {
    return fail(`The store "${store.name}" has no credentials; set them with stores_setCredentials and publish again.`);
  }
  if (!release.bundleIdentifier) return fail('The package does not name its application id.');
  try {
    const { kind, key, size, notes, bundleIdentifier } = release;
    const pack = { packageName: bundleIdentifier, kind: kind === 'aab' ? kind : 'apk', key, size, notes } as const;
    await publishOnPlay(ctx, JSON.parse(opened), { ...pack, track: store.track ?? 'production' }, say);
    await save('published');
  } catch (error) {
    if (error instanceof StoreRefusal) return fail(error.message);
    if (!(error instanceof OutboundError)) throw error;
    lines.push(`${toIso(ctx.clock.now())} ${error.message} It is tried again.`);
    await save('processing', error.message);
    throw error;
  }
}

/** A release in a store. */
export interface StoreRelease extends GivenRelease {
  publishing: { status: string; error: string | undefined; log: string; isLatest: boolean };
}

export async function listStoreReleases(ctx: AppCtx, store: Store): Promise<StoreRelease[]> {
  const rows = (await listReleaseStores.all(ctx.db, { appId: ctx.app.id })).filter(({ id }) => id === store.id);
  const releases = new Map((await listReleases(ctx)).map((release) => [release.id, release]));
  return rows.flatMap(({ release_id, status, error, log }, at) => {
    const release = releases.get(release_id);
    return release ? [{ ...release, publishing: { status, error: error ?? undefined, log, isLatest: at === 0 } }] : [];
  });
}

export async function getStoreRelease(ctx: AppCtx, store: Store, which: number | 'latest'): Promise<StoreRelease> {
  const releases = await listStoreReleases(ctx, store);
  const found = which === 'latest' ? releases[0] : releases.find(({ id }) => id === which);
  if (!found) throw notFound('release in this store', which === 'latest' ? undefined : String(which));
  return found;
}

/** The kind of a store that did not answer when something was to be published there, and is asked again. */
export async function findSilentStore({ db, app }: AppCtx): Promise<StoreType | undefined> {
  const rows = await listReleaseStores.all(db, { appId: app.id });
  return rows.find(({ status, error }) => status === 'processing' && error !== null)?.type;
}

export const takeFromStore = (ctx: AppCtx, releaseId: number, storeId: string): Promise<void> =>
  changeRelease(ctx, releaseId, async (ctx) => {
    const where = { appId: ctx.app.id, releaseId, storeId };
    if ((await deleteReleaseStore.run(ctx.db, where)) === 0) throw notFound('store of this release', storeId);
    await record(ctx, 'release.withdraw', releaseSubject(ctx.app, releaseId), { before: { store: storeId } });
  });

export const storeConnections: ConnectionList = {
  async list({ db }, userId) {
    const rows = await listStoresOfPerson.all(db, { userId });
    return rows.map(({ id, name }) => ({ id, name, service: 'googleplay', isValid: true }));
  },
};
