import { type Buffer, isUtf8 } from 'node:buffer';
import { Event_GetByTenantIdAndTrackingId, EventInput, HealthEvents_Import, Type } from '@mooring/contract';
import { type SpooledFile, spool } from '../../../http/kinds/spool.ts';
import { route } from '../../../http/mount.ts';
import { createCheck } from '../../../http/requests/validation.ts';
import { badRequest, Failure } from '../../../kernel/errors.ts';
import { describeExcess, hasNul, parseJson } from '../../../kernel/text/json.ts';
import { eventsInJson, eventsOnLines, type FilePart } from './event-file.ts';
import type { EventDraft } from './event-rules.ts';
import type { Publication } from './health-events.ts';
import { type ImportItem, importEvents } from './import.ts';
import { withVendor } from './vendor-field.ts';

const { trackingId: name } = Event_GetByTenantIdAndTrackingId.params.properties;
const properties = { ...EventInput.properties, lastUpdateTime: Type.Optional(Type.String({ format: 'date-time' })) };
const check = createCheck(Type.Object({ name, properties: Type.Object(properties) }));
const known = new Set(Object.keys(properties));

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw badRequest('The event is not valid UTF-8.');
  const text = bytes.toString();
  const excess = describeExcess(text);
  if (excess) throw badRequest(`The event ${excess}.`);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw badRequest(`The event is not valid JSON: ${(error as Error).message}.`);
  }
  if (hasNul(text, value)) throw badRequest('The event must not contain a NUL character.');
  return value;
}

function readEvent(value: { name: string; properties: object }, vendor: string): Publication {
  const event = { name: value.name, properties: value.properties && withVendor(value.properties, vendor) };
  check(event);
  const draft = Object.fromEntries(Object.entries(event.properties).filter(([key]) => known.has(key))) as EventDraft;
  return { trackingId: event.name, draft };
}

function toItem({ bytes, problem, end }: FilePart, vendor: string): ImportItem {
  const position = { end, size: bytes?.length ?? 0 };
  let trackingId: string | undefined;
  try {
    if (problem || !bytes) throw badRequest(problem ?? 'The event is empty.');
    const value = parse(bytes) as { name: string; properties: object } | null;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw badRequest('The event must be a JSON object.');
    if (typeof value.name === 'string') trackingId = value.name.slice(0, 100);
    return { ...position, event: readEvent(value, vendor) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...position, problem: error, trackingId };
  }
}

async function* itemsIn(content: SpooledFile, maxBytes: number, vendor: string): AsyncGenerator<ImportItem> {
  const split = content.type.includes('ndjson') ? eventsOnLines : eventsInJson;
  for await (const part of split(content.chunks(), maxBytes)) yield toItem(part, vendor);
}

/** Refuses a file without events before anything is recorded. */
async function refuseOther(content: SpooledFile, maxBytes: number): Promise<void> {
  if (content.type.includes('ndjson')) return;
  for await (const { problem, isLast } of eventsInJson(content.chunks(), maxBytes)) {
    if (isLast) throw badRequest(`${problem} Send a page of events, an array of events, or one event on each line.`);
    return;
  }
}

export const importRoutes = [
  route(HealthEvents_Import, async (ctx, { file }, { reportProgress }) => {
    const { bodyLimit, dataDir, vendorName } = ctx.config;
    const content = await spool(file, dataDir);
    try {
      await refuseOther(content, bodyLimit);
      const { sha256, bytes } = content;
      return await importEvents(ctx, { sha256, bytes, items: itemsIn(content, bodyLimit, vendorName) }, reportProgress);
    } finally {
      await content.close();
    }
  }),
];
