import { type EndpointInput, type ExportConfigurations_PartialUpdate, Type } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { open, seal } from '../../kernel/crypto/sealed.ts';
import { badRequest, conflict, Failure, notFound } from '../../kernel/errors.ts';
import { jsonCodec, listOutline, objectOutline } from '../../kernel/text/json-codec.ts';
import { OutboundError } from '../../outbound/fetch.ts';
import { logArchive } from '../analytics/index.ts';
import { appSubject, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { reportArchive } from '../crashes/index.ts';
import { batchReader, findReading, releaseBatches, retainBatches } from '../ingest/index.ts';
import {
  type ConfigurationRow,
  deleteConfigurationRow,
  dropPlan,
  findConfiguration,
  insertConfiguration,
  listConfigurationRows,
  startRow,
  stopRow,
  updateConfigurationRow,
} from './configurations.store.ts';
import {
  type ConfigurationInput,
  type Destination,
  DestinationError,
  type ExportType,
  kinds,
  type OpenSettings,
  type SecretSettings,
  type Settings,
} from './destinations/index.ts';
import { exportedTypes } from './records.ts';
import { findFirstReportEntity } from './reports-left.ts';

export const entitiesCodec = jsonCodec('export_configurations.entities', listOutline<Entities[number]>(Type.String()));
const settingsCodec = jsonCodec('export_configurations.settings', objectOutline<OpenSettings>());
const secretCodec = jsonCodec('export_configurations.sealed', objectOutline<SecretSettings>());

export type ConfigurationChange = EndpointInput<typeof ExportConfigurations_PartialUpdate>['body'];
type Entities = NonNullable<ConfigurationInput['export_entities']>;

/** An export of an app without secrets, with its progress. */
export interface Configuration {
  row: ConfigurationRow;
  type: ExportType;
  entities: Entities;
  open: OpenSettings;
  waiting: number;
  waitingSince: number | undefined;
  /** Remaining days or parts of days of the backfill, plus one for crashes, errors and attachments. */
  waitingParts: number;
}

const PURPOSE = 'export';
const MAX_CONFIGURATIONS = 20;

export const createBatchReader = (id: string) => batchReader(id, exportedTypes);

export function readSettings({ secretKey }: Pick<Ctx, 'secretKey'>, row: ConfigurationRow): Settings {
  const secret = open(secretKey, PURPOSE, row.secret);
  if (secret === undefined) {
    throw new DestinationError(
      "Can't decrypt the credentials: they were encrypted with another MOORING_SECRET_KEY. Set them again.",
      {
        isLasting: true,
      },
    );
  }
  const opened = secretCodec.parse(secret);
  if (row.type !== 'file' && Object.keys(opened).length === 0) {
    throw new DestinationError('The credentials were removed when the app was transferred. Set them again.', {
      isLasting: true,
    });
  }
  return { open: settingsCodec.parse(row.settings), secret: opened };
}

/** Without secrets if they can't be decrypted; updating the export then requires new ones. */
function knownSettings(ctx: Ctx, row: ConfigurationRow): Settings {
  try {
    return readSettings(ctx, row);
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    return { open: settingsCodec.parse(row.settings), secret: {} };
  }
}

export const openDestination = (ctx: Ctx, row: ConfigurationRow, settings = readSettings(ctx, row)): Destination =>
  kinds[row.type as ExportType].open(ctx, row.app_id, settings);

async function toConfiguration(ctx: Pick<Ctx, 'db'>, row: ConfigurationRow): Promise<Configuration> {
  const reading = await findReading(ctx, createBatchReader(row.id), row.app_id);
  return {
    row,
    type: row.type as ExportType,
    entities: entitiesCodec.parse(row.entities),
    open: settingsCodec.parse(row.settings),
    waiting: reading?.waiting ?? 0,
    waitingSince: reading?.waitingSince,
    waitingParts: (await logArchive.count(ctx, row.app_id, row.id)) + (row.reports_left === null ? 0 : 1),
  };
}

async function readRow(ctx: AppCtx, id: string): Promise<ConfigurationRow> {
  const row = await findConfiguration.first(ctx.db, { id });
  if (row?.app_id !== ctx.app.id) throw notFound('export configuration', id);
  return row;
}

export async function listConfigurations(ctx: AppCtx): Promise<Configuration[]> {
  const found: Configuration[] = [];
  for (const row of await listConfigurationRows.all(ctx.db, { appId: ctx.app.id })) {
    found.push(await toConfiguration(ctx, row));
  }
  return found;
}

export const getConfiguration = async (ctx: AppCtx, id: string): Promise<Configuration> =>
  toConfiguration(ctx, await readRow(ctx, id));

/** The reason for a failed write, if users may see it. */
export function getFailureReason(error: unknown): { reason: string; isLasting: boolean } | undefined {
  if (error instanceof DestinationError) return { reason: error.message, isLasting: error.isLasting };
  if (error instanceof OutboundError) {
    return { reason: error.message, isLasting: error.problem === 'bad_url' || error.problem === 'refused_address' };
  }
  if (error instanceof Failure && error.code === 'BadRequest') return { reason: error.message, isLasting: true };
  return undefined;
}

/** Writes and deletes a small test file or record. Returns the reason if that fails. */
async function tryDestination(open: () => Destination): Promise<string | undefined> {
  try {
    await open().check();
    return undefined;
  } catch (error) {
    const known = getFailureReason(error);
    if (!known) throw error;
    return known.reason;
  }
}

async function checkDestination(open: () => Destination): Promise<void> {
  const reason = await tryDestination(open);
  if (reason !== undefined) throw badRequest(`A test write to the destination failed. ${reason}`);
}

const toAudit = ({ type, entities, settings }: Pick<ConfigurationRow, 'type' | 'entities' | 'settings'>) => ({
  type,
  entities,
  settings,
});

export async function createConfiguration(ctx: AppCtx, input: ConfigurationInput): Promise<Configuration> {
  const {
    type,
    export_entities: entities = [],
    backfill = true,
    resource_name,
    resource_group,
    ...openSettings
  } = input;
  const appId = ctx.app.id;
  const settings = kinds[type].read(openSettings);
  const destination = kinds[type].open(ctx, appId, settings);
  await checkDestination(() => destination);
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'exports', appId);
    if ((await listConfigurationRows.all(ctx.db, { appId })).length >= MAX_CONFIGURATIONS) {
      throw conflict(`An app can have at most ${MAX_CONFIGURATIONS} export configurations. Delete one first.`);
    }
    const now = ctx.clock.now();
    const id = ctx.newId();
    const row: ConfigurationRow = {
      app_id: appId,
      id,
      type,
      settings: JSON.stringify(settings.open),
      secret: seal(ctx.secretKey, PURPOSE, JSON.stringify(settings.secret)),
      entities: JSON.stringify([...new Set(entities)]),
      resource_name: resource_name ?? null,
      resource_group: resource_group ?? null,
      backfill: backfill ? 1 : 0,
      state: 'Pending',
      state_info: null,
      created_at: now,
      last_run_at: null,
      last_error: null,
      last_error_at: null,
      failing_since: null,
      failures: 0,
      due_at: now,
      last_window: 0,
      logs_after: backfill ? await logArchive.pin(ctx, appId, id) : 0,
      plan: null,
      ...(backfill
        ? await beginReports(ctx, appId, filterAccepted(destination, entities))
        : { reports_after: 0, reports_left: null }),
    };
    await insertConfiguration.run(ctx.db, row);
    await retainBatches(ctx, createBatchReader(row.id), appId, { isFromOldest: backfill });
    await record(ctx, 'export_configuration.create', appSubject(ctx.app), { after: toAudit(row) });
    return toConfiguration(ctx, row);
  });
}

const filterAccepted = (destination: Destination, entities: Entities): Entities =>
  destination.kind === 'files' ? entities : entities.filter((entity) => destination.takes(entity));

/** Backfills crashes, errors and attachments only if they are selected; otherwise their batches are read as they arrive. */
async function beginReports(ctx: Ctx, appId: string, entities: Entities) {
  const left = findFirstReportEntity(entities);
  const isAny = left !== undefined;
  return { reports_after: isAny ? await reportArchive.passed(ctx, appId) : 0, reports_left: left ?? null };
}

/** Omitted fields stay; a new destination is tested first. */
export async function updateConfiguration(
  ctx: AppCtx,
  id: string,
  { type, export_entities, backfill, resource_name, resource_group, ...openSettings }: ConfigurationChange,
): Promise<Configuration> {
  const before = await readRow(ctx, id);
  if (type !== undefined && type !== before.type) {
    throw badRequest(`The type of an export can't be changed from ${before.type} to ${type}. Create another export.`);
  }
  if (openSettings.endpoint !== undefined && openSettings.secret_access_key === undefined) {
    throw badRequest('A new endpoint requires secret_access_key. Send it again.');
  }
  const isElsewhere = Object.values(openSettings).some((value) => value !== undefined);
  let { settings, secret } = before;
  if (isElsewhere) {
    const known = knownSettings(ctx, before);
    const kind = kinds[before.type as ExportType];
    const changed = kind.read({ ...known.open, ...known.secret, ...openSettings });
    const destination = kind.open(ctx, before.app_id, changed);
    await checkDestination(() => destination);
    settings = JSON.stringify(changed.open);
    secret = seal(ctx.secretKey, PURPOSE, JSON.stringify(changed.secret));
  }
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'exports', ctx.app.id);
    const row = await readRow(ctx, id);
    const choice = {
      settings: isElsewhere ? settings : row.settings,
      secret: isElsewhere ? secret : row.secret,
      entities: export_entities ? JSON.stringify([...new Set(export_entities)]) : row.entities,
      resource_name: resource_name ?? row.resource_name,
      resource_group: resource_group ?? row.resource_group,
      backfill: backfill === undefined ? row.backfill : backfill ? (1 as const) : (0 as const),
    };
    await updateConfigurationRow.run(ctx.db, { id, ...choice });
    if (isElsewhere && row.state === 'Invalid') await start(ctx, row, { isFromOldest: false });
    const after = { ...row, ...choice };
    await record(ctx, 'export_configuration.update', appSubject(ctx.app), {
      before: toAudit(row),
      after: toAudit(after),
    });
    return toConfiguration(ctx, await readRow(ctx, id));
  });
}

/**
 * Continues where the export stopped if the data since then is still waiting. Otherwise starts with new data, or with all
 * stored data.
 */
async function start(ctx: Ctx, { id, app_id: appId }: ConfigurationRow, { isFromOldest }: { isFromOldest: boolean }) {
  const reader = createBatchReader(id);
  if (!(await findReading(ctx, reader, appId))) {
    await dropPlan.run(ctx.db, { id });
    await retainBatches(ctx, reader, appId, { isFromOldest });
  }
  await startRow.run(ctx.db, { id, state: 'Enabled', now: ctx.clock.now() });
}

export async function enableConfiguration(ctx: AppCtx, id: string, { backfill = false } = {}): Promise<void> {
  const row = await readRow(ctx, id);
  if (row.state === 'Enabled' || row.state === 'Pending') return;
  await checkDestination(() => openDestination(ctx, row));
  await tx(ctx, async (ctx) => {
    await lock(ctx, 'exports', ctx.app.id);
    await start(ctx, await readRow(ctx, id), { isFromOldest: backfill });
    await record(ctx, 'export_configuration.enable', appSubject(ctx.app), { after: { id, backfill } });
  });
}

export interface ExportTest {
  reason: string | undefined;
  at: number;
  ms: number;
}

/** Tests the destination with a small write, without changing the export. */
export async function testConfiguration(ctx: AppCtx, id: string): Promise<ExportTest> {
  const row = await readRow(ctx, id);
  const at = ctx.clock.now();
  const reason = await tryDestination(() => openDestination(ctx, row));
  const ms = ctx.clock.now() - at;
  await tx(ctx, (ctx) =>
    record(ctx, 'export_configuration.test', appSubject(ctx.app), { after: { id, succeeded: reason === undefined } }),
  );
  return { reason, at, ms };
}

export const disableConfiguration = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await lock(ctx, 'exports', ctx.app.id);
    const row = await readRow(ctx, id);
    if (row.state === 'Disabled') return;
    await letGo(ctx, row);
    await stopRow.run(ctx.db, { id, state: 'Disabled', info: null, dueAt: null });
    await record(ctx, 'export_configuration.disable', appSubject(ctx.app), { after: { id } });
  });

/** The next owner decides where the data goes, and sets new credentials. */
export async function disableTransferred(ctx: Ctx, appId: string): Promise<void> {
  await lock(ctx, 'exports', appId);
  for (const row of await listConfigurationRows.all(ctx.db, { appId })) {
    await updateConfigurationRow.run(ctx.db, { id: row.id, secret: seal(ctx.secretKey, PURPOSE, '{}') });
    if (row.state === 'Disabled') continue;
    const info =
      row.type === 'file'
        ? 'The app was transferred to another owner. Enable this export to continue it.'
        : 'The app was transferred to another owner. Set the credentials again, then enable this export.';
    await letGo(ctx, row);
    await stopRow.run(ctx.db, { id: row.id, state: 'Disabled', info, dueAt: null });
    await record(ctx, 'export_configuration.disable', appSubject(await getAppRef(ctx, appId)), {
      after: { id: row.id, reason: info },
    });
  }
}

/** Releases waiting data, and discards unfinished plans. */
export async function letGo(ctx: Pick<Ctx, 'db'>, { id, app_id: appId }: ConfigurationRow): Promise<void> {
  await releaseBatches(ctx, createBatchReader(id), appId);
  await logArchive.unpin(ctx, appId, id);
  await dropPlan.run(ctx.db, { id });
}

export const deleteConfiguration = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await lock(ctx, 'exports', ctx.app.id);
    const row = await readRow(ctx, id);
    await letGo(ctx, row);
    await deleteConfigurationRow.run(ctx.db, { id });
    await record(ctx, 'export_configuration.delete', appSubject(ctx.app), { before: toAudit(row) });
  });
