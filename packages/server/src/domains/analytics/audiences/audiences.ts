import type { AppCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import type { CustomType } from '../../../telemetry/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { getRetainedRange } from '../deletion/retention.ts';
import { queryTelemetry } from '../telemetry-queries.ts';
import { type CustomTypes, deviceProperties, findDeviceProperty, readDefinition } from './audience-filter.ts';
import {
  type AudienceRow,
  deleteAudienceRow,
  findAudience,
  listAudienceRows,
  saveAudience,
} from './audiences.store.ts';

const customCodec = jsonCodec('analytics_audiences.custom_properties', objectOutline<CustomTypes>());

/** A named definition that selects devices of an app. */
export interface Audience {
  name: string;
  description: string;
  definition: string;
  isEnabled: boolean;
  custom: CustomTypes;
  changedAt: number;
}

/** Matching devices, and all devices. */
export interface AudienceCounts {
  count: number;
  total: number;
}

const MAX_VALUES = 2000;

const toAudience = (row: AudienceRow): Audience => ({
  name: row.name,
  description: row.description,
  definition: row.definition,
  isEnabled: row.is_enabled === 1,
  custom: customCodec.parse(row.custom_properties),
  changedAt: row.changed_at,
});

/** Counts all audiences in one pass over the devices. */
async function countAudiences(ctx: AppCtx, audiences: readonly Pick<Audience, 'definition' | 'custom'>[]) {
  const filters = audiences.map(({ definition, custom }) => readDefinition(definition, custom));
  const { total, counts } = await queryTelemetry(ctx, ctx.app.id, {
    kind: 'audiences',
    range: await getRetainedRange(ctx),
    filter: {},
    audiences: filters,
  });
  return counts.map((count): AudienceCounts => ({ count, total }));
}

type Counted = Audience & { counts: AudienceCounts | undefined };

/** Audiences by name; the enabled ones have counts. */
async function countEnabled(ctx: AppCtx, audiences: readonly Audience[]): Promise<Counted[]> {
  const enabled = audiences.filter(({ isEnabled }) => isEnabled);
  const counts = enabled.length > 0 ? await countAudiences(ctx, enabled) : [];
  return audiences.map((audience) => ({ ...audience, counts: counts[enabled.indexOf(audience)] }));
}

export async function listAudiences(ctx: AppCtx, { withDisabled = false } = {}): Promise<Counted[]> {
  const audiences = (await listAudienceRows.all(ctx.db, { appId: ctx.app.id })).map(toAudience);
  return countEnabled(
    ctx,
    audiences.filter(({ isEnabled }) => withDisabled || isEnabled),
  );
}

async function readAudience(ctx: AppCtx, name: string): Promise<Audience> {
  const row = await findAudience.first(ctx.db, { appId: ctx.app.id, name });
  if (!row) throw notFound('audience', name);
  return toAudience(row);
}

export async function getAudience(ctx: AppCtx, name: string): Promise<Counted> {
  const [audience] = await countEnabled(ctx, [await readAudience(ctx, name)]);
  if (!audience) throw notFound('audience', name);
  return audience;
}

export const checkAudience = async (ctx: AppCtx, name: string): Promise<void> => void (await readAudience(ctx, name));

export interface AudienceChange {
  description?: string;
  definition: string;
  enabled?: boolean;
  custom_properties?: CustomTypes;
}

export async function testAudience(ctx: AppCtx, { definition, custom_properties: custom = {} }: AudienceChange) {
  const [counts = { count: 0, total: 0 }] = await countAudiences(ctx, [{ definition, custom }]);
  return { definition, custom, ...counts };
}

const toRecord = ({ description, definition, isEnabled, custom }: Audience) => ({
  description,
  definition,
  enabled: isEnabled,
  custom_properties: JSON.stringify(custom),
});

export async function saveAudienceAs(ctx: AppCtx, name: string, change: AudienceChange): Promise<Counted> {
  const { definition, description = '', enabled = true, custom_properties: custom = {} } = change;
  readDefinition(definition, custom);
  await tx(ctx, async (ctx) => {
    const appId = ctx.app.id;
    await lock(ctx, 'analytics-audiences', appId);
    const rows = await listAudienceRows.all(ctx.db, { appId });
    const before = rows.find((row) => row.name === name);
    const most = ctx.config.analyticsAudiences;
    if (!before && rows.length >= most) throw conflict(`An app can have at most ${most} audiences. Delete one first.`);
    const now = ctx.clock.now();
    const audience = { name, description, definition, isEnabled: enabled, custom, changedAt: now };
    const isEnabled = enabled ? 1 : 0;
    await saveAudience.run(ctx.db, {
      appId,
      name,
      description,
      definition,
      isEnabled,
      custom: JSON.stringify(custom),
      now,
    });
    await record(ctx, before ? 'analytics_audience.update' : 'analytics_audience.create', appSubject(ctx.app), {
      ...(before ? { before: { name, ...toRecord(toAudience(before)) } } : {}),
      after: { name, ...toRecord(audience) },
    });
  });
  return getAudience(ctx, name);
}

export const deleteAudience = (ctx: AppCtx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const audience = await readAudience(ctx, name);
    await deleteAudienceRow.run(ctx.db, { appId: ctx.app.id, name });
    await record(ctx, 'analytics_audience.delete', appSubject(ctx.app), { before: { name, ...toRecord(audience) } });
  });

export const listCustomProperties = async (ctx: AppCtx): Promise<{ name: string; type: CustomType }[]> =>
  queryTelemetry(ctx, ctx.app.id, { kind: 'customProperties', range: await getRetainedRange(ctx), filter: {} });

export async function listDeviceValues(ctx: AppCtx, propertyName: string, contains = ''): Promise<string[]> {
  const name = findDeviceProperty(propertyName);
  if (!name) return [];
  const property = deviceProperties[name];
  const range = await getRetainedRange(ctx);
  return queryTelemetry(ctx, ctx.app.id, {
    kind: 'deviceValues',
    range,
    filter: {},
    property,
    contains,
    limit: MAX_VALUES,
  });
}
