import { setTimeout } from 'node:timers/promises';
import type { AppCtx } from '../../../context.ts';
import { DAY, SECOND, toIso } from '../../../kernel/clock.ts';
import { readReceived } from '../../ingest/index.ts';
import { listKnownForgotten, withoutForgotten } from '../deletion/forgotten.ts';

/** What the types of logs are called here. */
const typeWords = {
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
type LogType = keyof typeof typeWords;
const types: ReadonlySet<string> = new Set(Object.keys(typeWords));

const MOST_LOGS = 100;
/** How often it is looked for those who watch. */
const LOOK_EVERY = SECOND;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;

/** A log that came, in plain words. */
export interface FlowLog {
  type: (typeof typeWords)[LogType];
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

/** Typed properties win over plain ones; values that are no text become some. */
function propertiesOf({ typedProperties, properties }: Fields): Record<string, string> | undefined {
  const list = [typedProperties, properties].find(Array.isArray);
  const entries: [unknown, unknown][] = list
    ? list.filter(isObject).map(({ name, value }) => [name, value])
    : Object.entries(isObject(properties) ? properties : {});
  const kept = entries.flatMap(([name, value]) => {
    const [key, text] = [textOf(name), textOf(value)];
    return key === undefined || text === undefined ? [] : [[key, text] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function toFlowLog(installId: string, { type, at, value }: { type: string; at: number; value: Fields }): FlowLog {
  const { device, sid, id, name, services, distributionGroupId, pushToken } = value;
  return {
    type: typeWords[type as LogType],
    at,
    installId,
    device: isObject(device) ? device : {},
    sessionId: textOf(sid),
    id: textOf(id),
    name: textOf(name),
    properties: propertiesOf(value),
    services: Array.isArray(services) ? services.flatMap((service) => textOf(service) ?? []) : undefined,
    distributionGroupId: textOf(distributionGroupId),
    pushToken: textOf(pushToken),
  };
}

/**
 * Logs that came after a time, in the order in which they came. All of a batch came at the same time, so a batch is shown
 * whole, or the rest of it could never be asked for; only one that is too large by itself is cut.
 */
export async function followLogs(ctx: AppCtx, start: string | undefined) {
  const today = toIso(ctx.clock.now() - (ctx.clock.now() % DAY));
  // Whoever follows over midnight goes on with the new day.
  const from = start === undefined || Date.parse(start) < Date.parse(today) ? today : start;
  const received = await readReceived(ctx, ctx.app.id, { after: Date.parse(from), limit: MOST_LOGS, types });
  const logs: FlowLog[] = [];
  let last = from;
  let { isMore } = received;
  const forgotten = await listKnownForgotten(ctx, ctx.app.id);
  for (const batch of received.batches) {
    const seen = withoutForgotten(batch, forgotten, ctx.config.analyticsNameLength).filter((log) => !log.isForgotten);
    if (logs.length > 0 && logs.length + seen.length > MOST_LOGS) {
      isMore = true;
      break;
    }
    logs.push(...seen.slice(0, MOST_LOGS).map((log) => toFlowLog(batch.installId, log)));
    isMore ||= seen.length > MOST_LOGS;
    last = toIso(batch.receivedAt);
  }
  return { logs, last, isMore };
}

/** What a reader of the live stream wants to see. */
export interface FlowFilter {
  type?: FlowLog['type'] | FlowLog['type'][];
  name?: string;
  version?: string;
  install_id?: string;
}

function isWanted({ type, name, version, install_id }: FlowFilter, log: FlowLog): boolean {
  const types = [type ?? []].flat();
  return (
    (types.length === 0 || types.includes(log.type)) &&
    (name === undefined || log.name === name) &&
    (version === undefined || textOf(log.device.appVersion) === version) &&
    (install_id === undefined || log.installId === install_id.toLowerCase())
  );
}

/** Logs as they come, a few at a time: a reader who is slow makes this wait. The id is the time of the last that was read. */
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
    const wanted = logs.filter((log) => isWanted(filter, log));
    start = last;
    if (wanted.length > 0) yield { event: 'logs', id: last, logs: wanted, isCut: isMore && logs.length === MOST_LOGS };
    if (isMore) continue;
    if (performance.now() + LOOK_EVERY > until) return;
    await setTimeout(LOOK_EVERY, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
