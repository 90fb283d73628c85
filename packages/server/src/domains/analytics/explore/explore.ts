import { chartDimensions, MAX_BUCKETS } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { DAY, HOUR, SECOND, toIso } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import {
  type Dimension,
  type Filter,
  type FunnelStep,
  type Grouping,
  getDayStart,
  type Measure,
  type TimeRange,
  toDay,
} from '../../../telemetry/index.ts';
import { getRetainedRange } from '../deletion/retention.ts';
import { intervalDays, MAX_RANGE_DAYS, namesFrom, parseDayRange, type QueryRange, ratio } from '../query-range.ts';
import { queryTelemetry } from '../telemetry-queries.ts';

type Names = string | string[];

/** Device filters, with the parameter names of the API. */
export interface FilterParams {
  versions?: Names;
  builds?: Names;
  countries?: Names;
  models?: Names;
  oses?: Names;
  languages?: Names;
  carriers?: Names;
}

const dimensionByParam: Readonly<Record<keyof FilterParams, Dimension>> = {
  versions: 'version',
  builds: 'build',
  countries: 'country',
  models: 'model',
  oses: 'os',
  languages: 'language',
  carriers: 'carrier',
};

export function filtersFrom(params: FilterParams): Filter {
  const entries = Object.entries(dimensionByParam).map(([name, dimension]) => {
    const values = namesFrom(params[name as keyof FilterParams]);
    return [dimension, dimension === 'country' ? values.map(upperCountry) : values] as const;
  });
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0));
}

const upperCountry = (code: string): string => (code === 'unknown' ? code : code.toUpperCase());

/** The time range of a request, and its days. */
function parseTimeRange(ctx: AppCtx, { start, end }: { start: string; end?: string }) {
  const times: TimeRange = { from: Date.parse(start), to: end === undefined ? ctx.clock.now() : Date.parse(end) };
  if (times.from >= times.to) throw badRequest('start must be before end.');
  if (times.to - times.from > MAX_RANGE_DAYS * DAY) {
    throw badRequest(`The range exceeds ${MAX_RANGE_DAYS} days. Shorten it.`);
  }
  return { times, range: { from: toDay(times.from), to: toDay(times.to - 1) } };
}

const intervalMs = { PT1H: HOUR, P1D: DAY, P1W: 7 * DAY, P30D: 30 * DAY } as const;

export interface BreakdownParams extends FilterParams {
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
  if (!dimension)
    throw badRequest(
      `by must be one of ${chartDimensions.join(', ')}, event, or ${PROPERTY} followed by the name of a property.`,
    );
  return dimension;
}

/** A measure, grouped by up to two dimensions, in buckets. */
export async function breakDown(ctx: AppCtx, params: BreakdownParams) {
  const { measure, event, interval, $top: limit = 10 } = params;
  const { times, range } = parseTimeRange(ctx, params);
  const by = [params.by ?? []].flat().map(groupingFrom);
  const length = times.to - times.from;
  const bucketMs = interval === undefined ? 0 : intervalMs[interval];
  const buckets = bucketMs === 0 ? 1 : Math.ceil(length / bucketMs);
  if (buckets > MAX_BUCKETS) {
    throw badRequest(
      `The range has ${buckets} buckets of ${interval} (max ${MAX_BUCKETS}). Shorten the range or use a longer interval.`,
    );
  }
  if (event === undefined && by.some((grouping) => typeof grouping !== 'string')) {
    throw badRequest('Grouping by a property requires an event. Send its name as event.');
  }
  if (measure !== 'events' && by.includes('event'))
    throw badRequest('Only the measure events can be grouped by event. Change measure or by.');
  if (event !== undefined && measure === 'crashes') throw badRequest("Crashes can't be filtered by event. Omit event.");
  const filter = filtersFrom(params);
  const result = await queryTelemetry(ctx, ctx.app.id, {
    kind: 'breakdown',
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
    ...result,
    buckets: Array.from({ length: buckets }, (_, at) => toIso(times.from + at * bucketMs)),
  };
}

export interface FunnelParams extends FilterParams, Omit<QueryRange, 'versions'> {
  steps: { event: string; property?: string; value?: string }[];
  within_seconds?: number;
}

const DEFAULT_WINDOW = 7 * DAY;

function stepFrom({ event: name, property, value }: FunnelParams['steps'][number]): FunnelStep {
  if ((property === undefined) !== (value === undefined)) {
    throw badRequest(`The step ${name} has only one of property and value. Send both, or neither.`);
  }
  return property === undefined || value === undefined ? { name } : { name, property: { name: property, value } };
}

export async function countFunnel(ctx: AppCtx, params: FunnelParams) {
  const range = parseDayRange(ctx, params);
  const steps = params.steps.map(stepFrom);
  const withinMs = params.within_seconds === undefined ? DEFAULT_WINDOW : params.within_seconds * SECOND;
  const counts = await queryTelemetry(ctx, ctx.app.id, {
    kind: 'funnel',
    range,
    filter: filtersFrom(params),
    steps,
    withinMs,
  });
  return counts.map((devices, at) => ({
    event: steps[at]?.name ?? '',
    devices,
    ofFirst: ratio(devices, counts[0] ?? 0),
    ofPrevious: ratio(devices, counts[at === 0 ? 0 : at - 1] ?? 0),
  }));
}

export interface RetentionParams extends FilterParams, Omit<QueryRange, 'versions'> {
  interval: keyof typeof intervalDays;
}

/** Devices by the day they were first seen, and how many returned. */
export async function measureRetention(ctx: AppCtx, params: RetentionParams) {
  const range = parseDayRange(ctx, params);
  const bucketDays = intervalDays[params.interval];
  const cohorts = await queryTelemetry(ctx, ctx.app.id, {
    kind: 'retention',
    range,
    filter: filtersFrom(params),
    bucketDays,
    since: (await getRetainedRange(ctx)).from,
  });
  return cohorts.map((active, at) => ({
    datetime: toIso(getDayStart(range.from + at * bucketDays)),
    devices: active[0] ?? 0,
    active,
  }));
}

export interface PathsParams extends FilterParams, Omit<QueryRange, 'versions'> {
  from?: string;
  length?: number;
  $top?: number;
}

export const listSessionPaths = (ctx: AppCtx, { from, length = 5, $top: limit = 50, ...params }: PathsParams) =>
  queryTelemetry(ctx, ctx.app.id, {
    kind: 'sessionPaths',
    range: parseDayRange(ctx, params),
    filter: filtersFrom(params),
    start: from,
    length,
    limit,
  });

export interface LogsParams extends FilterParams {
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
export async function searchLogs(ctx: AppCtx, params: LogsParams) {
  const { property, value, $top: limit = 50, $skip: skip = 0 } = params;
  if (property === undefined && value !== undefined)
    throw badRequest('value requires property. Send both, or neither.');
  const found = await queryTelemetry(ctx, ctx.app.id, {
    kind: 'logSearch',
    ...parseTimeRange(ctx, params),
    filter: filtersFrom(params),
    name: params.event,
    install: params.install_id,
    user: params.user_id,
    session: params.session_id,
    property: property === undefined ? undefined : { name: property, value },
    skip,
    limit: limit + 1,
  });
  return { logs: found.slice(0, limit), hasMore: found.length > limit };
}
