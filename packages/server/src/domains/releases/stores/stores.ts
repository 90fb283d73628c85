import { createPrivateKey } from 'node:crypto';
import { type Handover, Type } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../../context.ts';
import { claim } from '../../../db/rows/claim.ts';
import { tx } from '../../../db/tx.ts';
import type { ServiceConnectionList } from '../../../extensions/service-connections.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { DAY, toIso } from '../../../kernel/clock.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline, StringRecord } from '../../../kernel/text/json-codec.ts';
import { OutboundError } from '../../../outbound/fetch.ts';
import { getAppRef } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { type ListedRunner, listAppRunners, logSize, readWholeLog } from '../../runners/index.ts';
import { dropHandover, handOver, missingAmong } from '../handovers.ts';
import { announceRelease } from '../mails/announcing.ts';
import type { DistributionStoresTable, ReleaseStoresTable } from '../releases.tables.ts';
import {
  changeRelease,
  type DistributedRelease,
  findRelease,
  findVisibleRelease,
  listReleases,
  type Release,
  releaseSubject,
} from '../releases.ts';
import { blockDistribution } from '../test-gates.ts';
import { findAppleMapping } from './apple-mappings.store.ts';
import { toMapping } from './apple-mappings.ts';
import { publishOnPlay, type ServiceAccount, StoreRefusal } from './google-play.ts';
import { type StoreType, storeKinds } from './store-kinds.ts';
import {
  deleteReleaseStore,
  deleteStoreRow,
  findLatestStoreRelease,
  findReleaseStore,
  findReleaseStoreByAttempt,
  findSilentPublishing,
  findStoreById,
  findStoreByName,
  insertStore,
  listStoreAttempts,
  listStoreReleaseRows,
  listStoreRows,
  listStoresByCreator,
  type Publishing,
  savePublishing,
  saveReleaseStore,
  saveStoreConnection,
  saveStoreCredentials,
} from './stores.store.ts';

const detailsCodec = jsonCodec('distribution_stores.details', objectOutline<IntuneDetails>());
const credentialsCodec = jsonCodec('distribution_stores.sealed_credentials', StringRecord);
const serviceAccountCodec = jsonCodec(
  'distribution_stores.sealed_credentials',
  objectOutline<ServiceAccount>({ client_email: Type.String(), private_key: Type.String() }),
);

export interface Store {
  id: string;
  name: string;
  type: StoreType;
  track: string | undefined;
  serviceConnectionId: string | undefined;
  hasCredentials: boolean;
  createdBy: string | undefined;
  intune: IntuneDetails | undefined;
}

/** Audience and category in Intune. */
export interface IntuneDetails {
  target_audience?: { name?: string } | undefined;
  app_category?: { name?: string } | undefined;
  tenant_id?: string | undefined;
}

const toStore = (row: DistributionStoresTable): Store => ({
  id: row.id,
  name: row.name,
  type: row.type,
  track: row.track ?? undefined,
  serviceConnectionId: row.service_connection_id ?? undefined,
  hasCredentials: row.sealed_credentials !== null,
  createdBy: row.created_by ?? undefined,
  intune: row.details === null ? undefined : detailsCodec.parse(row.details),
});

const storeName = { table: 'distribution_stores', columns: ['app_id', 'name_key'] };

const PURPOSE = 'store-credentials';

const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

const storeSubject = ({ app }: Pick<AppCtx, 'app'>, id: string, name: string) =>
  ({ kind: 'store', id, name: `${app.ownerName}/${app.name} ${name}`, appId: app.id, orgId: app.ownerId }) as const;

export interface NewStore {
  type: StoreType;
  name: string;
  track: string | undefined;
  serviceConnectionId: string | undefined;
  intune: IntuneDetails | undefined;
  secrets: Record<string, string> | undefined;
}

const sealSecrets = ({ secretKey }: Pick<Ctx, 'secretKey'>, secrets: object): string =>
  seal(secretKey, PURPOSE, JSON.stringify(secrets));

export const createStore = (ctx: AppCtx, { type, name, track, serviceConnectionId, intune, secrets }: NewStore) =>
  tx(ctx, async (ctx): Promise<Store> => {
    const kind = storeKinds[type];
    if (track !== undefined && !kind.tracks.includes(track)) {
      throw badRequest(
        kind.tracks.length === 0
          ? `${kind.name} has no tracks. Omit track.`
          : `${kind.name} has the tracks ${kind.tracks.join(', ')}. Choose one of them.`,
      );
    }
    if (intune && type !== 'intune')
      throw badRequest('intune_details is only allowed for stores of type intune. Omit it.');
    const row: DistributionStoresTable = {
      id: ctx.newId(),
      app_id: ctx.app.id,
      name,
      name_key: nameKey(name),
      type,
      track: track ?? kind.tracks[0] ?? null,
      service_connection_id: serviceConnectionId ?? null,
      sealed_credentials: secrets ? sealSecrets(ctx, secrets) : null,
      created_by: ctx.actor.kind === 'user' ? ctx.actor.user.id : null,
      created_at: ctx.clock.now(),
      details: intune ? JSON.stringify(intune) : null,
    };
    const taken = conflict(`A store named "${name}" already exists. Choose another name.`);
    await claim(storeName, taken, insertStore.run(ctx.db, row));
    await record(ctx, 'store.create', storeSubject(ctx, row.id, name), { after: { type, track: row.track } });
    return toStore(row);
  });

export const listStores = async ({ db, app }: AppCtx): Promise<Store[]> =>
  (await listStoreRows.all(db, { appId: app.id })).map(toStore);

/** Explains why a store cannot publish now; undefined if it can. */
function missingFor({ name, type, hasCredentials }: Store, runners: readonly ListedRunner[]): string | undefined {
  const { handover } = storeKinds[type];
  if (handover) return missingAmong(runners, handover);
  return hasCredentials ? undefined : `The store "${name}" has no credentials. Set them first.`;
}

/** Explains for each store that cannot publish now why, by ID. */
export async function findMissing(ctx: AppCtx, stores: readonly Store[]): Promise<Map<string, string>> {
  const needsRunners = stores.some(({ type }) => storeKinds[type].handover !== undefined);
  const runners = needsRunners ? await listAppRunners(ctx) : [];
  return new Map(
    stores.flatMap((store) => {
      const missing = missingFor(store, runners);
      return missing === undefined ? [] : [[store.id, missing] as const];
    }),
  );
}

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
    await record(ctx, 'store.update', storeSubject(ctx, id, name), { after: { connection: serviceConnectionId } });
  });

/** Google issues keys with 2,048 bits; each doubling makes signing eight times slower. */
const MAX_KEY_BITS = 4096;

/** Checks that the key can sign; otherwise the failure would only appear when a release is published. */
function checkKey(pem: string): void {
  let bits = 0;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    if (asymmetricKeyType === 'rsa') bits = asymmetricKeyDetails?.modulusLength ?? 0;
  } catch {
    // Any error means that the key is invalid.
  }
  if (bits > MAX_KEY_BITS) {
    throw badRequest(
      `private_key has ${bits} bits; the maximum is ${MAX_KEY_BITS}. Send the unchanged JSON file of the service account from Google.`,
    );
  }
  if (bits > 0) return;
  throw badRequest(
    'private_key is not an RSA key in PEM format. Send the unchanged JSON file of the service account from Google.',
  );
}

export interface Credentials {
  account: ServiceAccount | undefined;
  secrets: Record<string, string> | undefined;
}

function chooseCredentials(
  type: StoreType,
  { account, secrets }: Credentials,
): { stored: object; audited: Record<string, string> } {
  const { name, handover } = storeKinds[type];
  if (handover) {
    if (!secrets) throw badRequest(`A runner publishes to ${name}. Send the credentials for its command as secrets.`);
    return { stored: secrets, audited: { secrets: Object.keys(secrets).join(', ') } };
  }
  if (!account) throw badRequest(`${name} needs the key of a service account. Send it as service_account.`);
  const { client_email, private_key, private_key_id } = account;
  checkKey(private_key);
  return { stored: { client_email, private_key, private_key_id }, audited: { signs_in_as: client_email } };
}

export const setStoreCredentials = (ctx: AppCtx, name: string, credentials: Credentials): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { id, type } = await getRow(ctx, name);
    const { stored, audited } = chooseCredentials(type, credentials);
    await saveStoreCredentials.run(ctx.db, { id, sealed: sealSecrets(ctx, stored) });
    await record(ctx, 'store.update', storeSubject(ctx, id, name), { after: audited });
  });

export const deleteStore = (ctx: AppCtx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { id, type, track } = await getRow(ctx, name);
    for (const { attempt } of await listStoreAttempts.all(ctx.db, { storeId: id })) await dropHandover(ctx, attempt);
    await deleteStoreRow.run(ctx.db, { id });
    await record(ctx, 'store.delete', storeSubject(ctx, id, name), { before: { type, track } });
  });

export type PublishingStatus = 'submitted' | 'processing' | 'published' | 'failed';

export const storePublish = defineJob<Publishing & { attempt: string }>('store.publish', {
  lane: 'remote',
  maxAttempts: 6,
});

/** Publishing is in progress, unless its job failed permanently; after a day it may be started again. */
const isOnItsWay = (row: ReleaseStoresTable | undefined, now: number): boolean =>
  row !== undefined && ['submitted', 'processing'].includes(row.status) && row.added_at > now - DAY;

const unseal = ({ secretKey }: Pick<Ctx, 'secretKey'>, { sealed_credentials, name }: DistributionStoresTable) => {
  if (sealed_credentials === null) return undefined;
  const text = open(secretKey, PURPOSE, sealed_credentials);
  if (text === undefined)
    throw badRequest(`The credentials of "${name}" were encrypted with another MOORING_SECRET_KEY. Set them again.`);
  return credentialsCodec.parse(text);
};

/** Hands a release over to the command of a runner; the job is the attempt. */
async function handOverTo(
  ctx: AppCtx,
  store: DistributionStoresTable,
  release: Release,
  what: Handover,
): Promise<string> {
  const { name, track, intune } = toStore(store);
  const row = store.type === 'apple' ? await findAppleMapping.first(ctx.db, { appId: ctx.app.id }) : undefined;
  const mapping = row && toMapping(row);
  const facts = {
    store: {
      name,
      ...(track === undefined ? {} : { track }),
      ...(intune === undefined ? {} : { intune: { ...intune } }),
    },
    ...(mapping
      ? {
          apple: {
            ...(mapping.appleId === undefined ? {} : { apple_id: mapping.appleId }),
            ...(mapping.bundleIdentifier === undefined ? {} : { bundle_identifier: mapping.bundleIdentifier }),
            team_identifier: mapping.teamIdentifier,
            test_flight_groups: mapping.testFlightGroups,
          },
        }
      : {}),
  };
  return handOver(ctx, { what, release, facts, credentials: unseal(ctx, store) });
}

/** Publishes a release, unless its publishing is already in progress. */
export const publishRelease = (ctx: AppCtx, releaseId: number, storeId: string): Promise<void> =>
  changeRelease(ctx, releaseId, async (ctx, release) => {
    const store = await findStoreById.first(ctx.db, { appId: ctx.app.id, id: storeId });
    if (!store) throw notFound('store', storeId);
    const { name, packages, handover } = storeKinds[store.type];
    if (!packages.includes(release.kind)) {
      const taken = packages.map((one) => `.${one}`).join(' and ');
      throw badRequest(`${name} accepts ${taken} packages, but this release is a .${release.kind}.`);
    }
    const distribution = { type: 'store', destination: storeId, isMandatory: false, notifyTesters: false } as const;
    if (await blockDistribution(ctx, release, distribution)) return;
    const where = { appId: ctx.app.id, releaseId, storeId };
    const before = await findReleaseStore.first(ctx.db, where);
    if (!isOnItsWay(before, ctx.clock.now())) {
      if (before) await dropHandover(ctx, before.attempt);
      const attempt = handover ? await handOverTo(ctx, store, release, handover) : ctx.newId();
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
      if (!handover) await enqueue(ctx, storePublish, { ...where, attempt });
      await announceRelease(ctx, release, { type: 'store', id: storeId, name: store.name, isMandatory: false });
    }
    await record(ctx, 'release.distribute', releaseSubject(ctx.app, releaseId), { after: { store: store.name } });
  });

/** Updates the publishing after a change of a runner's job; ignores jobs of other kinds. */
export async function noteHandedOver(
  ctx: Ctx,
  { appId, jobId }: { appId: string; jobId: string },
  status: PublishingStatus,
  error: string | null = null,
): Promise<void> {
  const row = await findReleaseStoreByAttempt.first(ctx.db, { appId, attempt: jobId });
  if (!row) return;
  const which = { appId, releaseId: row.release_id, storeId: row.store_id, attempt: jobId };
  await savePublishing.run(ctx.db, { ...which, status, log: '', error });
}

/** Publishes a submitted release, unless it was withdrawn or started again; logs every step. */
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
    if (!(await save('processing')))
      throw new StoreRefusal('The release was withdrawn from the store while it was being published.');
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
    return fail(
      `The store "${store.name}" has no credentials. Set them with stores_setCredentials, then publish again.`,
    );
  }
  if (!release.bundleIdentifier) return fail('The package has no application ID.');
  try {
    const { kind, key, size, notes, bundleIdentifier } = release;
    const pack = { packageName: bundleIdentifier, kind: kind === 'aab' ? kind : 'apk', key, size, notes } as const;
    await publishOnPlay(ctx, serviceAccountCodec.parse(opened), { ...pack, track: store.track ?? 'production' }, say);
    await save('published');
  } catch (error) {
    if (error instanceof StoreRefusal) return fail(error.message);
    if (!(error instanceof OutboundError)) throw error;
    lines.push(`${toIso(ctx.clock.now())} ${error.message} Retrying.`);
    await save('processing', error.message);
    throw error;
  }
}

/** A release in a store. */
export interface StoreRelease extends DistributedRelease {
  publishing: { status: string; error: string | undefined; log: string; attempt: string; isLatest: boolean };
}

interface PublishingRow {
  status: string;
  error: string | null;
  log: string;
  attempt: string;
}

const toStoreRelease = (
  release: DistributedRelease,
  { status, error, log, attempt }: PublishingRow,
  isLatest: boolean,
): StoreRelease => ({ ...release, publishing: { status, error: error ?? undefined, log, attempt, isLatest } });

export async function listStoreReleases(ctx: AppCtx, store: Store): Promise<StoreRelease[]> {
  const rows = await listStoreReleaseRows.all(ctx.db, { appId: ctx.app.id, storeId: store.id });
  const releases = new Map((await listReleases(ctx)).map((release) => [release.id, release]));
  return rows.flatMap((row, at) => {
    const release = releases.get(row.release_id);
    return release ? [toStoreRelease(release, row, at === 0)] : [];
  });
}

export async function getStoreRelease(ctx: AppCtx, store: Store, which: number | 'latest'): Promise<StoreRelease> {
  const inStore = { appId: ctx.app.id, storeId: store.id };
  const latestId = (await findLatestStoreRelease.first(ctx.db, inStore))?.release_id;
  const id = which === 'latest' ? latestId : which;
  const row = id === undefined ? undefined : await findReleaseStore.first(ctx.db, { ...inStore, releaseId: id });
  const release = row && (await findVisibleRelease(ctx, row.release_id));
  if (!release) throw notFound('release in this store', which === 'latest' ? undefined : String(which));
  return toStoreRelease(release, row, row.release_id === latestId);
}

/** Explains why a release was not published, or what it waits for, and whether it has a log. */
export async function explainPublishing(ctx: AppCtx, store: Store, { publishing }: StoreRelease) {
  const { status, error, log, attempt } = publishing;
  const missing = status === 'submitted' ? (await findMissing(ctx, [store])).get(store.id) : undefined;
  const isHandedOver = storeKinds[store.type].handover !== undefined;
  return { message: error ?? missing, hasLog: isHandedOver ? (await logSize(ctx, attempt)) > 0 : log !== '' };
}

/** Returns the log of this server, or of the runner's command. */
export async function readPublishLog(ctx: AppCtx, store: Store, release: StoreRelease): Promise<string> {
  const { status, log, attempt } = release.publishing;
  const isHandedOver = storeKinds[store.type].handover !== undefined;
  const text = isHandedOver ? (await readWholeLog(ctx, attempt)).trimEnd() : log;
  if (text !== '') return `${text}\n`;
  const { message } = await explainPublishing(ctx, store, release);
  return `Not started yet: ${status}.${message === undefined ? '' : ` ${message}`}\n`;
}

/** Finds the type of a store that did not respond to a publishing that is being retried. */
export async function findSilentStore({ db, app }: AppCtx): Promise<StoreType | undefined> {
  return (await findSilentPublishing.first(db, { appId: app.id }))?.type;
}

export const takeFromStore = (ctx: AppCtx, releaseId: number, storeId: string): Promise<void> =>
  changeRelease(ctx, releaseId, async (ctx) => {
    const where = { appId: ctx.app.id, releaseId, storeId };
    const before = await findReleaseStore.first(ctx.db, where);
    if (before) await dropHandover(ctx, before.attempt);
    if ((await deleteReleaseStore.run(ctx.db, where)) === 0) throw notFound('store of this release', storeId);
    await record(ctx, 'release.withdraw', releaseSubject(ctx.app, releaseId), { before: { store: storeId } });
  });

export const storeConnections: ServiceConnectionList = {
  async list({ db }, userId) {
    const rows = await listStoresByCreator.all(db, { userId });
    // Existing clients know no connections to Intune.
    return rows.flatMap(({ id, name, type }) =>
      type === 'intune' ? [] : [{ id, name, service: type, isValid: true }],
    );
  },
};
