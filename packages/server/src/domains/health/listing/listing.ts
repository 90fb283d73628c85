import { setImmediate } from 'node:timers/promises';
import type { Ctx, UserCtx } from '../../../context.ts';
import { parseOwnJson } from '../../../kernel/text/json.ts';
import { isOperator, listReadable, type Subscription } from '../../subscriptions/index.ts';
import { type Event, forOperator, forReader } from '../events/rendering.ts';
import type { FilterNode } from '../filter/filter-ast.ts';
import { toCondition } from './conditions.ts';
import type { Body, EventBodies, StoredEventBody } from './event-bodies.ts';
import {
  ALL_EVENTS,
  always,
  type Cover,
  countComparisons,
  fromLines,
  getCover,
  getSpan,
  type PlainFilter,
  withoutNot,
} from './facets.ts';
import { type Condition, type IndexKey, pageEvents, pageSeqs, type Range, scanEvents } from './listing.store.ts';

/** The audience of events that name no subscription or tenant. */
export const EVERYONE = '';

/** The reader of a listing. */
export interface Reader {
  /** Part of skip tokens. */
  id: string;
  /** Subscriptions and tenants, including everyone; operators read all. */
  audiences: ReadonlySet<string> | 'all';
}

export const createReader = ({
  subscription: { id, tenantId },
}: {
  subscription: Pick<Subscription, 'id' | 'tenantId'>;
}): Reader => ({
  id,
  audiences: new Set([EVERYONE, id, tenantId]),
});

/** Everything that the caller may read; operators see every event with all its audiences. */
export async function readerEverywhere(ctx: UserCtx): Promise<Reader> {
  const { user } = ctx.actor;
  if (user.isAdmin || (await isOperator(ctx, ctx.actor))) return { id: `all/${user.id}`, audiences: 'all' };
  const readable = await listReadable(ctx);
  const named = readable.flatMap(({ id, tenantId }) => [id, tenantId]);
  return { id: `user/${user.id}`, audiences: new Set([EVERYONE, ...named]) };
}

/** Renders an event for a reader. */
export const renderFor = (ctx: Pick<Ctx, 'config'>, { audiences }: Reader, text: string): string =>
  audiences === 'all' ? forOperator(text, ctx.config.vendorName) : forReader(text, ctx.config.vendorName, audiences);

const COMMA = 0x2c;

/** Renders several events for a reader, with the text around them. */
export function renderAll(ctx: Pick<Ctx, 'config'>, reader: Reader, bodies: readonly Body[], around: [string, string]) {
  const parts = bodies.map((body) => (typeof body === 'string' ? Buffer.from(renderFor(ctx, reader, body)) : body));
  const [before, after] = around.map((text) => Buffer.from(text)) as [Buffer, Buffer];
  const commas = Math.max(0, parts.length - 1);
  const page = Buffer.allocUnsafe(
    parts.reduce((sum, { length }) => sum + length, before.length + after.length + commas),
  );
  let at = before.copy(page);
  parts.forEach((part, n) => {
    if (n > 0) page[at++] = COMMA;
    at += part.copy(page, at);
  });
  after.copy(page, at);
  return page;
}

export const parseAll = (ctx: Pick<Ctx, 'config'>, reader: Reader, bodies: readonly Body[]): Event[] =>
  parseOwnJson<Event[]>(renderAll(ctx, reader, bodies, ['[', ']']).toString());

/** Maximum number of index ranges that one page reads. */
const MAX_INDEX_KEYS = 90;
/**
 * Maximum number of events that one query reads, and that one page reads, if the index alone does not answer a filter.
 */
const WINDOW = 1000;
const MAX_SCANNED = 20_000;

interface Plan {
  keys: IndexKey[] | undefined;
  /** Undefined: the index alone determines the matching events. */
  condition: Condition | undefined;
  /** Number of events per step of a search for a page. */
  window: number;
}

const everything: Condition = { kind: 'constant', value: true };

function planFor({ audiences }: Reader, filter: PlainFilter | undefined, terms: readonly string[]): Plan {
  const cover: Cover = filter ? getCover(filter) : { facets: [ALL_EVENTS], exact: true };
  const filterCondition = filter ? toCondition(filter) : everything;
  const condition: Condition =
    terms.length > 0 ? { kind: 'and', nodes: [filterCondition, { kind: 'terms', terms }] } : filterCondition;
  // A long filter is slow to evaluate, so each step reads fewer events.
  const window = Math.max(50, Math.floor(WINDOW / Math.ceil((filter ? countComparisons(filter) : 1) / 10)));
  if (audiences === 'all' || audiences.size > MAX_INDEX_KEYS) return { keys: undefined, condition, window };
  const tooWide = audiences.size * cover.facets.length > MAX_INDEX_KEYS;
  const facets = tooWide ? [ALL_EVENTS] : cover.facets;
  const keys = [...audiences].flatMap((audience) => facets.map((facet) => ({ audience, facet })));
  return { keys, condition: cover.exact && !tooWide && terms.length === 0 ? undefined : condition, window };
}

export interface Position {
  sortAt: number;
  name: string;
}

export interface Page {
  bodies: Body[];
  /** Start of the next page; undefined after the last one. */
  end: Position | undefined;
}

export interface PageRequest {
  size: number;
  filter: PlainFilter | undefined;
  /** Search words, which all must occur. */
  terms?: readonly string[];
  /** Lower bound of lastUpdateTime. */
  from?: number | undefined;
  after?: Position | undefined;
  /** Maximum number of events that are read for one page if the index alone does not answer the filter. */
  scanned?: number;
  /** Cache of event bodies, for events that are requested repeatedly. */
  bodyCache?: EventBodies;
}

/** Builds a page from one event more than fits, which shows that another page follows. */
function toPage(events: readonly StoredEventBody[], size: number): Page {
  const last = events[size - 1];
  const end = events.length > size && last ? { sortAt: last.sort_at, name: last.name } : undefined;
  return { bodies: events.slice(0, size).map(({ body }) => body), end };
}

/**
 * Returns the next matching events. A page may be short or empty without being the last: the search for rare matches is
 * limited.
 */
export async function findPage(
  ctx: Pick<Ctx, 'db'>,
  reader: Reader,
  { size, filter, terms = [], from, after, scanned: most = MAX_SCANNED, bodyCache }: PageRequest,
): Promise<Page> {
  const { keys, condition, window } = planFor(reader, filter, terms);
  const span = filter ? getSpan(filter) : always;
  const range: Range = {
    until: -Math.max(from ?? span.from, span.from),
    afterAt: Math.max(after?.sortAt ?? -span.to, -span.to),
    afterName: after?.name ?? '',
  };
  if (after && after.sortAt < -span.to) range.afterName = '';
  if (keys && !condition) {
    const pageArgs = [ctx.db, keys, range, size + 1] as const;
    const known = bodyCache?.find(await pageSeqs(...pageArgs));
    if (known) return toPage(known, size);
    const found = await pageEvents(...pageArgs);
    bodyCache?.add(found);
    return toPage(found, size);
  }

  const { audiences } = reader;
  const concerns = (lines: string): boolean =>
    keys !== undefined || audiences === 'all' || fromLines(lines).some((audience) => audiences.has(audience));
  const bodies: Body[] = [];
  let position: Position | undefined;
  for (let scanned = 0; scanned < most; ) {
    const step = scanned === 0 ? Math.min(window, 2 * size) : window;
    const rows = await scanEvents(ctx.db, keys, condition ?? everything, range, step);
    for (const row of rows) {
      if (row.body !== null && concerns(row.audiences)) {
        // One event more than fits means that the next page starts after the preceding one.
        if (bodies.length === size) return { bodies, end: position };
        bodies.push(row.body);
      }
      position = { sortAt: row.sort_at, name: row.name };
    }
    if (rows.length < step || !position) return { bodies, end: undefined };
    scanned += rows.length;
    range.afterAt = position.sortAt;
    range.afterName = position.name;
    // On SQLite a query blocks the process: let other requests run in between.
    await setImmediate();
  }
  return { bodies, end: position };
}

/** Returns the newest events as a reader sees them. */
export async function newestEvents(
  ctx: Pick<Ctx, 'db' | 'config'>,
  reader: Reader,
  filter: FilterNode | undefined,
  size: number,
): Promise<Event[]> {
  const { bodies } = await findPage(ctx, reader, { size, filter: filter && withoutNot(filter) });
  return parseAll(ctx, reader, bodies);
}
