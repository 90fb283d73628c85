import { setImmediate } from 'node:timers/promises';
import type { Ctx, UserCtx } from '../../../context.ts';
import { isOperator, listReadable, type Subscription } from '../../subscriptions/index.ts';
import { type Event, forOperator, forReader } from '../events/rendering.ts';
import type { FilterNode } from '../filter/filter-ast.ts';
import { toCondition } from './conditions.ts';
import type { Body, EventBodies, KeptEvent } from './event-bodies.ts';
import {
  always,
  type Cover,
  countComparisons,
  coverOf,
  EVERY,
  fromLines,
  type PlainFilter,
  spanOf,
  withoutNot,
} from './facets.ts';
import { type Condition, type IndexKey, pageEvents, pageSeqs, type Range, scanEvents } from './listing.store.ts';

/** Events that name nobody are for this audience. */
export const EVERYONE = '';

/** Whose events are asked for. */
export interface Reader {
  /** Stands in tokens. */
  id: string;
  /** Subscriptions and tenants, and everyone; or all there are, for operators. */
  audiences: ReadonlySet<string> | 'all';
}

export const readerOf = ({
  subscription: { id, tenantId },
}: {
  subscription: Pick<Subscription, 'id' | 'tenantId'>;
}): Reader => ({
  id,
  audiences: new Set([EVERYONE, id, tenantId]),
});

/** Everything that the caller may read: operators see every event, and all that it names. */
export async function readerEverywhere(ctx: UserCtx): Promise<Reader> {
  const { user } = ctx.actor;
  if (user.isAdmin || (await isOperator(ctx, ctx.actor))) return { id: `all/${user.id}`, audiences: 'all' };
  const readable = await listReadable(ctx);
  const named = readable.flatMap(({ id, tenantId }) => [id, tenantId]);
  return { id: `user/${user.id}`, audiences: new Set([EVERYONE, ...named]) };
}

/** An event as it is sent to a reader. */
export const renderFor = (ctx: Pick<Ctx, 'config'>, { audiences }: Reader, text: string): string =>
  audiences === 'all' ? forOperator(text, ctx.config.vendorName) : forReader(text, ctx.config.vendorName, audiences);

const COMMA = 0x2c;

/** Several events as they are sent to a reader, with what stands before and after them. */
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
  JSON.parse(renderAll(ctx, reader, bodies, ['[', ']']).toString()) as Event[];

/** More ranges of the index than this are not read for one page. */
const MAX_INDEX_KEYS = 90;
/** How many events are looked at in one go, and for one page, when the index does not answer a filter by itself. */
const WINDOW = 1000;
const MAX_SCANNED = 20_000;

interface Plan {
  keys: IndexKey[] | undefined;
  /** Undefined: the index alone says which events match. */
  condition: Condition | undefined;
  /** A page is looked for in steps of this many events. */
  window: number;
}

const everything: Condition = { kind: 'constant', value: true };

function planFor({ audiences }: Reader, filter: PlainFilter | undefined, words: readonly string[]): Plan {
  const cover: Cover = filter ? coverOf(filter) : { facets: [EVERY], exact: true };
  const wanted = filter ? toCondition(filter) : everything;
  const condition: Condition = words.length > 0 ? { kind: 'and', nodes: [wanted, { kind: 'words', words }] } : wanted;
  // A long filter is slow to check, so it is checked on fewer events in one go.
  const window = Math.max(50, Math.floor(WINDOW / Math.ceil((filter ? countComparisons(filter) : 1) / 10)));
  if (audiences === 'all' || audiences.size > MAX_INDEX_KEYS) return { keys: undefined, condition, window };
  const tooWide = audiences.size * cover.facets.length > MAX_INDEX_KEYS;
  const facets = tooWide ? [EVERY] : cover.facets;
  const keys = [...audiences].flatMap((audience) => facets.map((facet) => ({ audience, facet })));
  return { keys, condition: cover.exact && !tooWide && words.length === 0 ? undefined : condition, window };
}

export interface Position {
  sortAt: number;
  name: string;
}

export interface Page {
  bodies: Body[];
  /** Where the next page begins; undefined after the last one. */
  end: Position | undefined;
}

export interface PageRequest {
  size: number;
  filter: PlainFilter | undefined;
  /** Those of a search, which all occur in what is found. */
  words?: readonly string[];
  /** Events from this time on. */
  from?: number | undefined;
  after?: Position | undefined;
  /** How many events are looked at for one page, when the index does not answer by itself. */
  scanned?: number;
  /** What is kept of events, if the same are asked for again and again. */
  kept?: EventBodies;
}

/** A page of events, of which one more was read than fits if there is another page. */
function pageOf(events: readonly KeptEvent[], size: number): Page {
  const last = events[size - 1];
  const end = events.length > size && last ? { sortAt: last.sort_at, name: last.name } : undefined;
  return { bodies: events.slice(0, size).map(({ body }) => body), end };
}

/** The next events that match. A page may be short, or empty, and yet not be the last: a rare filter is not chased for ever. */
export async function findPage(
  ctx: Pick<Ctx, 'db'>,
  reader: Reader,
  { size, filter, words = [], from, after, scanned: most = MAX_SCANNED, kept }: PageRequest,
): Promise<Page> {
  const { keys, condition, window } = planFor(reader, filter, words);
  const span = filter ? spanOf(filter) : always;
  const range: Range = {
    until: -Math.max(from ?? span.from, span.from),
    afterAt: Math.max(after?.sortAt ?? -span.to, -span.to),
    afterName: after?.name ?? '',
  };
  if (after && after.sortAt < -span.to) range.afterName = '';
  if (keys && !condition) {
    const asked = [ctx.db, keys, range, size + 1] as const;
    const known = kept?.find(await pageSeqs(...asked));
    if (known) return pageOf(known, size);
    const found = await pageEvents(...asked);
    kept?.keep(found);
    return pageOf(found, size);
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
        // One more than fits: there is a next page, and it begins after the one before.
        if (bodies.length === size) return { bodies, end: position };
        bodies.push(row.body);
      }
      position = { sortAt: row.sort_at, name: row.name };
    }
    if (rows.length < step || !position) return { bodies, end: undefined };
    scanned += rows.length;
    range.afterAt = position.sortAt;
    range.afterName = position.name;
    // On SQLite a query holds up the process: let others through between two of them.
    await setImmediate();
  }
  return { bodies, end: position };
}

/** The newest events of a reader, as they see them. */
export async function newestEvents(
  ctx: Pick<Ctx, 'db' | 'config'>,
  reader: Reader,
  filter: FilterNode | undefined,
  size: number,
): Promise<Event[]> {
  const { bodies } = await findPage(ctx, reader, { size, filter: filter && withoutNot(filter) });
  return parseAll(ctx, reader, bodies);
}
