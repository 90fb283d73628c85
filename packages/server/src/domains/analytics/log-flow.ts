import type { AppCtx } from '../../context.ts';
import { DAY, toIso } from '../../kernel/clock.ts';
import { readReceived } from '../ingest/index.ts';

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
  for (const batch of received.batches) {
    if (logs.length > 0 && logs.length + batch.logs.length > MOST_LOGS) {
      isMore = true;
      break;
    }
    logs.push(...batch.logs.slice(0, MOST_LOGS).map((log) => toFlowLog(batch.installId, log)));
    isMore ||= batch.logs.length > MOST_LOGS;
    last = toIso(batch.receivedAt);
  }
  return { logs, last, isMore };
}
