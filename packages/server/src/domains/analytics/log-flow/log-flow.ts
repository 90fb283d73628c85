import { setTimeout } from 'node:timers/promises';
import type { AppCtx } from '../../../context.ts';
import { DAY, SECOND, toIso } from '../../../kernel/clock.ts';
import { readReceived } from '../../ingest/index.ts';
import { excludeErased, listKnownErasures } from '../deletion/erasures.ts';

/** Names of log types in the API. */
const typeNames = {
  event: 'event',
  page: 'page',
  startSession: 'start_session',
  distributionStartSession: 'distribution_start_session',
  startService: 'start_service',
  customProperties: 'custom_properties',
  pushInstallation: 'push_installation',
  managedError: 'error',
  appleError: 'error',
  handledError: 'error',
} as const;
type LogType = keyof typeof typeNames;
const types: ReadonlySet<string> = new Set(Object.keys(typeNames));

const MAX_LOGS = 100;
/** Polling interval of live streams. */
const LOOK_EVERY = SECOND;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toText = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;

/** A received log with decoded fields. */
export interface FlowLog {
  type: (typeof typeNames)[LogType];
  at: number;
  installId: string;
  device: Fields;
  sessionId: string | undefined;
  id: string | undefined;
  name: string | undefined;
  properties: Record<string, string> | undefined;
  services: string[] | undefined;
  distributionGroupId: string | undefined;
  pushToken: string | undefined;
}

/** Prefers typed properties; converts values to text. */
function readProperties({ typedProperties, properties }: Fields): Record<string, string> | undefined {
  const list = [typedProperties, properties].find(Array.isArray);
  const entries: [unknown, unknown][] = list
    ? list.filter(isObject).map(({ name, value }) => [name, value])
    : Object.entries(isObject(properties) ? properties : {});
  const valid = entries.flatMap(([name, value]) => {
    const [key, text] = [toText(name), toText(value)];
    return key === undefined || text === undefined ? [] : [[key, text] as const];
  });
  return valid.length > 0 ? Object.fromEntries(valid) : undefined;
}

/** The name of a crash or error: the type of its exception. */
const readExceptionType = ({ exception, exceptionType }: Fields): string | undefined =>
  toText(isObject(exception) ? exception.type : undefined) ?? toText(exceptionType);

function toFlowLog(installId: string, { type, at, value }: { type: string; at: number; value: Fields }): FlowLog {
  const { device, sid, id, name, services, distributionGroupId, pushToken } = value;
  return {
    type: typeNames[type as LogType],
    at,
    installId,
    device: isObject(device) ? device : {},
    sessionId: toText(sid),
    id: toText(id),
    name: toText(name) ?? readExceptionType(value),
    properties: readProperties(value),
    services: Array.isArray(services) ? services.flatMap((service) => toText(service) ?? []) : undefined,
    distributionGroupId: toText(distributionGroupId),
    pushToken: toText(pushToken),
  };
}

/**
 * Logs received after a time, in order. All logs of a batch were received at the same time, so a batch is never split
 * between responses: the rest could not be requested. Only a batch that exceeds the limit by itself is cut.
 */
export async function followLogs(ctx: AppCtx, start: string | undefined) {
  const today = toIso(ctx.clock.now() - (ctx.clock.now() % DAY));
  // Streams continue with the new day at midnight.
  const from = start === undefined || Date.parse(start) < Date.parse(today) ? today : start;
  const received = await readReceived(ctx, ctx.app.id, { after: Date.parse(from), limit: MAX_LOGS, types });
  const logs: FlowLog[] = [];
  let last = from;
  let { isMore } = received;
  const erasures = await listKnownErasures(ctx, ctx.app.id);
  for (const batch of received.batches) {
    const seen = excludeErased(batch, erasures, ctx.config.analyticsNameLength).filter((log) => !log.isErased);
    if (logs.length > 0 && logs.length + seen.length > MAX_LOGS) {
      isMore = true;
      break;
    }
    logs.push(...seen.slice(0, MAX_LOGS).map((log) => toFlowLog(batch.installId, log)));
    isMore ||= seen.length > MAX_LOGS;
    last = toIso(batch.receivedAt);
  }
  return { logs, last, isMore };
}

/** Filter of a live stream. */
export interface FlowFilter {
  type?: FlowLog['type'] | FlowLog['type'][];
  name?: string;
  version?: string;
  install_id?: string;
}

function matchesFilter({ type, name, version, install_id }: FlowFilter, log: FlowLog): boolean {
  const types = [type ?? []].flat();
  return (
    (types.length === 0 || types.includes(log.type)) &&
    (name === undefined || log.name === name) &&
    (version === undefined || toText(log.device.appVersion) === version) &&
    (install_id === undefined || log.installId === install_id.toLowerCase())
  );
}

/** Streams logs in small groups. Waits for slow readers. The ID is the time of the last log. */
export async function* watchFlow(
  ctx: AppCtx,
  filter: FlowFilter,
  {
    signal,
    lastEventId,
    seconds = 60,
  }: { signal: AbortSignal; lastEventId?: string | undefined; seconds?: number | undefined },
): AsyncGenerator<{ event: 'watching' | 'logs'; id: string; logs: FlowLog[]; isCut: boolean }> {
  const until = performance.now() + seconds * SECOND;
  const isKnown = lastEventId !== undefined && !Number.isNaN(Date.parse(lastEventId));
  let start = isKnown ? toIso(Date.parse(lastEventId)) : toIso(ctx.clock.now());
  if (!isKnown) yield { event: 'watching', id: start, logs: [], isCut: false };
  while (!signal.aborted) {
    const { logs, last, isMore } = await followLogs(ctx, start);
    const matching = logs.filter((log) => matchesFilter(filter, log));
    start = last;
    if (matching.length > 0)
      yield { event: 'logs', id: last, logs: matching, isCut: isMore && logs.length === MAX_LOGS };
    if (isMore) continue;
    if (performance.now() + LOOK_EVERY > until) return;
    await setTimeout(LOOK_EVERY, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
