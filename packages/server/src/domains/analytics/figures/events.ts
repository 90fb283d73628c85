import { hash } from 'node:crypto';
import type { AppCtx } from '../../../context.ts';
import { badRequest } from '../../../kernel/errors.ts';
import type { EventOrder } from '../../../telemetry/index.ts';
import { type Asked, filterFrom, namesFrom, rangeOf, ratio, series } from '../asked.ts';
import { keptRange } from '../deletion/retention.ts';
import { ask } from '../questions.ts';

/** Columns of the wire that events can be sorted by. */
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
    throw badRequest(`$orderby must be one of ${[...orders.keys()].join(', ')}, and asc or desc.`);
  }
  return { order, isDescending: direction === 'desc' };
}

/** The same for the same name, without a table of names. */
const idOf = (appId: string, name: string): string =>
  hash('sha256', `${appId}\n${name}`, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

interface Listing {
  event_name?: string | string[];
  $top?: number;
  $skip?: number;
  $orderby?: string;
}

export async function listEvents(ctx: AppCtx, asked: Asked & Listing) {
  const { total, totalDevices, rows } = await ask(ctx, ctx.app.id, {
    ask: 'events',
    range: rangeOf(ctx, asked),
    filter: filterFrom(asked),
    names: namesFrom(asked.event_name),
    ...orderFrom(asked.$orderby ?? 'count desc'),
    skip: asked.$skip ?? 0,
    limit: asked.$top ?? 30,
  });
  return { total, totalDevices, events: rows.map((row) => ({ ...row, id: idOf(ctx.app.id, row.name) })) };
}

/** An event day by day; `of` says which of its figures, or a ratio of two. */
export async function countEvent(ctx: AppCtx, name: string, asked: Asked) {
  const range = rangeOf(ctx, asked);
  const answer = await ask(ctx, ctx.app.id, { ask: 'eventByDay', range, filter: filterFrom(asked), name });
  const perDevice = ({ count, devices }: typeof answer.total) => ratio(count, devices);
  // One that happened outside of sessions only was in none of them.
  const perSession = ({ count, sessions }: typeof answer.total) => ratio(count, sessions);
  const daily = (of: (day: typeof answer.total) => number) => series(range, answer.days.map(of));
  return { ...answer, perDevice, perSession, daily };
}

export const listEventProperties = async (ctx: AppCtx, name: string): Promise<string[]> =>
  ask(ctx, ctx.app.id, { ask: 'eventProperties', range: await keptRange(ctx), filter: {}, name });

export const countPropertyValues = (
  ctx: AppCtx,
  { name, property, limit }: { name: string; property: string; limit: number },
  asked: Asked,
) =>
  ask(ctx, ctx.app.id, {
    ask: 'propertyValues',
    range: rangeOf(ctx, asked),
    filter: filterFrom(asked),
    name,
    property,
    limit,
  });
