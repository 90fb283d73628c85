import { hash } from 'node:crypto';
import type { AppCtx } from '../../../context.ts';
import { badRequest } from '../../../kernel/errors.ts';
import type { EventOrder } from '../../../telemetry/index.ts';
import { getRetainedRange } from '../deletion/retention.ts';
import { filterFrom, namesFrom, parseDayRange, type QueryRange, ratio, series } from '../query-range.ts';
import { queryTelemetry } from '../telemetry-queries.ts';

/** Sortable columns of events, by their API names. */
const orders: ReadonlyMap<string, EventOrder> = new Map([
  ['name', 'name'],
  ['count', 'count'],
  ['previous_count', 'previousCount'],
  ['device_count', 'devices'],
  ['previous_device_count', 'previousDevices'],
  ['count_per_device', 'countPerDevice'],
  ['count_per_session', 'countPerSession'],
]);

function orderFrom(text: string): { order: EventOrder; isDescending: boolean } {
  const [column = '', direction = 'asc', ...rest] = text.trim().split(/\s+/);
  const order = orders.get(column);
  if (!order || rest.length > 0 || !['asc', 'desc'].includes(direction)) {
    throw badRequest(`$orderby must be one of ${[...orders.keys()].join(', ')}, followed by asc or desc.`);
  }
  return { order, isDescending: direction === 'desc' };
}

/** Derived from the name, so no table of names is needed. */
const toEventId = (appId: string, name: string): string =>
  hash('sha256', `${appId}\n${name}`, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

interface Listing {
  event_name?: string | string[];
  $top?: number;
  $skip?: number;
  $orderby?: string;
}

export async function listEvents(ctx: AppCtx, params: QueryRange & Listing) {
  const { total, totalDevices, rows } = await queryTelemetry(ctx, ctx.app.id, {
    kind: 'events',
    range: parseDayRange(ctx, params),
    filter: filterFrom(params),
    names: namesFrom(params.event_name),
    ...orderFrom(params.$orderby ?? 'count desc'),
    skip: params.$skip ?? 0,
    limit: params.$top ?? 30,
  });
  return { total, totalDevices, events: rows.map((row) => ({ ...row, id: toEventId(ctx.app.id, row.name) })) };
}

/** An event by day. `of` picks one of its figures, or a ratio of two. */
export async function countEvent(ctx: AppCtx, name: string, params: QueryRange) {
  const range = parseDayRange(ctx, params);
  const result = await queryTelemetry(ctx, ctx.app.id, { kind: 'eventByDay', range, filter: filterFrom(params), name });
  const perDevice = ({ count, devices }: typeof result.total) => ratio(count, devices);
  // Events outside of sessions have no sessions to divide by.
  const perSession = ({ count, sessions }: typeof result.total) => ratio(count, sessions);
  const daily = (of: (day: typeof result.total) => number) => series(range, result.days.map(of));
  return { ...result, perDevice, perSession, daily };
}

export const listEventProperties = async (ctx: AppCtx, name: string): Promise<string[]> =>
  queryTelemetry(ctx, ctx.app.id, { kind: 'eventProperties', range: await getRetainedRange(ctx), filter: {}, name });

export const countPropertyValues = (
  ctx: AppCtx,
  { name, property, limit }: { name: string; property: string; limit: number },
  params: QueryRange,
) =>
  queryTelemetry(ctx, ctx.app.id, {
    kind: 'propertyValues',
    range: parseDayRange(ctx, params),
    filter: filterFrom(params),
    name,
    property,
    limit,
  });
