import { chartDimensions, MOST_BUCKETS } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { DAY, HOUR, SECOND, toIso } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import {
  type Dimension,
  dayOf,
  type Filter,
  type FunnelStep,
  type Grouping,
  type Measure,
  startOfDay,
  type TimeRange,
} from '../../../telemetry/index.ts';
import { type Asked, intervalDays, MOST_DAYS, namesFrom, rangeOf, ratio } from '../asked.ts';
import { keptRange } from '../deletion/retention.ts';
import { ask } from '../questions.ts';

type Names = string | string[];

/** Which devices, in the words of the wire. */
export interface AskedFilters {
  versions?: Names;
  builds?: Names;
  countries?: Names;
  models?: Names;
  oses?: Names;
  languages?: Names;
  carriers?: Names;
}

const dimensionOf: Readonly<Record<keyof AskedFilters, Dimension>> = {
  versions: 'version',
  builds: 'build',
  countries: 'country',
  models: 'model',
  oses: 'os',
  languages: 'language',
  carriers: 'carrier',
};

export function filtersFrom(asked: AskedFilters): Filter {
  const given = Object.entries(dimensionOf).map(([name, dimension]) => {
    const values = namesFrom(asked[name as keyof AskedFilters]);
    return [dimension, dimension === 'country' ? values.map(upperCountry) : values] as const;
  });
  return Object.fromEntries(given.filter(([, values]) => values.length > 0));
}

const upperCountry = (code: string): string => (code === 'unknown' ? code : code.toUpperCase());

/** From one time to another, and the days of that. */
function timesOf(ctx: AppCtx, { start, end }: { start: string; end?: string }) {
  const times: TimeRange = { from: Date.parse(start), to: end === undefined ? ctx.clock.now() : Date.parse(end) };
  if (times.from >= times.to) throw badRequest('start must be before end.');
  if (times.to - times.from > MOST_DAYS * DAY) {
    throw badRequest(`From start to end are more than ${MOST_DAYS} days; ask for fewer.`);
  }
  return { times, range: { from: dayOf(times.from), to: dayOf(times.to - 1) } };
}

const intervalMs = { PT1H: HOUR, P1D: DAY, P1W: 7 * DAY, P30D: 30 * DAY } as const;

export interface AskedBreakdown extends AskedFilters {
  start: string;
  end?: string;
  measure: Measure;
  event?: string;
  by?: Names;
  interval?: keyof typeof intervalMs;
  $top?: number;
}

const PROPERTY = 'property:';

function groupingFrom(text: string): Grouping {
  if (text.startsWith(PROPERTY)) return { property: text.slice(PROPERTY.length) };
  if (text === 'event') return text;
  const dimension = chartDimensions.find((name) => name === text);
  if (!dimension) throw badRequest(`by must be one of ${chartDimensions.join(', ')}, event or ${PROPERTY} and a name.`);
  return dimension;
}

/** A measure by up to two things, in buckets. */
export async function breakDown(ctx: AppCtx, asked: AskedBreakdown) {
  const { measure, event, interval, $top: limit = 10 } = asked;
  const { times, range } = timesOf(ctx, asked);
  const by = [asked.by ?? []].flat().map(groupingFrom);
  const length = times.to - times.from;
  const bucketMs = interval === undefined ? 0 : intervalMs[interval];
  const buckets = bucketMs === 0 ? 1 : Math.ceil(length / bucketMs);
  if (buckets > MOST_BUCKETS) {
    throw badRequest(`That are ${buckets} buckets of ${interval}, more than ${MOST_BUCKETS}; ask for less time.`);
  }
  if (event === undefined && by.some((grouping) => typeof grouping !== 'string')) {
    throw badRequest('A property belongs to an event; name it in event.');
  }
  if (measure !== 'events' && by.includes('event')) throw badRequest('Only events have names; count events by event.');
  if (event !== undefined && measure === 'crashes') throw badRequest('Crashes are no events; leave out event.');
  const filter = filtersFrom(asked);
  const answer = await ask(ctx, ctx.app.id, {
    ask: 'breakdown',
    range,
    filter,
    times,
    measure,
    event,
    by,
    bucketMs,
    limit,
  });
  return {
    ...answer,
    buckets: Array.from({ length: buckets }, (_, at) => toIso(times.from + at * bucketMs)),
  };
}

export interface AskedFunnel extends AskedFilters, Omit<Asked, 'versions'> {
  steps: { event: string; property?: string; value?: string }[];
  within_seconds?: number;
}

const USUAL_WINDOW = 7 * DAY;

function stepFrom({ event: name, property, value }: AskedFunnel['steps'][number]): FunnelStep {
  if ((property === undefined) !== (value === undefined)) {
    throw badRequest(`The step ${name} needs a property and its value, or neither.`);
  }
  return property === undefined || value === undefined ? { name } : { name, property: { name: property, value } };
}

export async function countFunnel(ctx: AppCtx, asked: AskedFunnel) {
  const range = rangeOf(ctx, asked);
  const steps = asked.steps.map(stepFrom);
  const withinMs = asked.within_seconds === undefined ? USUAL_WINDOW : asked.within_seconds * SECOND;
  const counts = await ask(ctx, ctx.app.id, { ask: 'funnel', range, filter: filtersFrom(asked), steps, withinMs });
  return counts.map((devices, at) => ({
    event: steps[at]?.name ?? '',
    devices,
    ofFirst: ratio(devices, counts[0] ?? 0),
    ofPrevious: ratio(devices, counts[at === 0 ? 0 : at - 1] ?? 0),
  }));
}

export interface AskedRetention extends AskedFilters, Omit<Asked, 'versions'> {
  interval: keyof typeof intervalDays;
}

/** Devices by when they were first seen, and how many of them came back. */
export async function measureRetention(ctx: AppCtx, asked: AskedRetention) {
  const range = rangeOf(ctx, asked);
  const bucketDays = intervalDays[asked.interval];
  const cohorts = await ask(ctx, ctx.app.id, {
    ask: 'retention',
    range,
    filter: filtersFrom(asked),
    bucketDays,
    since: (await keptRange(ctx)).from,
  });
  return cohorts.map((active, at) => ({
    datetime: toIso(startOfDay(range.from + at * bucketDays)),
    devices: active[0] ?? 0,
    active,
  }));
}

export interface AskedPaths extends AskedFilters, Omit<Asked, 'versions'> {
  from?: string;
  length?: number;
  $top?: number;
}

export const listSessionPaths = (ctx: AppCtx, { from, length = 5, $top: limit = 50, ...asked }: AskedPaths) =>
  ask(ctx, ctx.app.id, {
    ask: 'sessionPaths',
    range: rangeOf(ctx, asked),
    filter: filtersFrom(asked),
    start: from,
    length,
    limit,
  });

export interface AskedLogs extends AskedFilters {
  start: string;
  end?: string;
  event?: string;
  install_id?: string;
  user_id?: string;
  session_id?: string;
  property?: string;
  value?: string;
  $top?: number;
  $skip?: number;
}

/** Single logs, newest first. */
export async function searchLogs(ctx: AppCtx, asked: AskedLogs) {
  const { property, value, $top: limit = 50, $skip: skip = 0 } = asked;
  if (property === undefined && value !== undefined) throw badRequest('A value needs a property.');
  const found = await ask(ctx, ctx.app.id, {
    ask: 'logSearch',
    ...timesOf(ctx, asked),
    filter: filtersFrom(asked),
    name: asked.event,
    install: asked.install_id,
    user: asked.user_id,
    session: asked.session_id,
    property: property === undefined ? undefined : { name: property, value },
    skip,
    limit: limit + 1,
  });
  return { logs: found.slice(0, limit), hasMore: found.length > limit };
}
