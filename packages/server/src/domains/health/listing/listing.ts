import { setImmediate } from 'node:timers/promises';
import type { Ctx, UserCtx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { isOperator, listReadable, type Subscription } from '../../subscriptions/index.ts';
import { type Event, forReader, whole } from '../events/rendering.ts';
import { FilterProblem, parseFilter } from '../filter/filter.ts';
import type { FilterNode } from '../filter/filter-ast.ts';
import { parseQueryStartTime, TimeProblem } from '../filter/query-start-time.ts';
import { toCondition } from './conditions.ts';
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
import { type Condition, type Place, pageEvents, type Range, scanEvents } from './listing.store.ts';
import type { PageCache } from './page-cache.ts';
import { readSkipToken, writeSkipToken } from './skip-token.ts';

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

/** The events of one reader, or several, as they are sent to them. */
export const renderFor = (ctx: Pick<Ctx, 'config'>, { audiences }: Reader, text: string): string =>
  audiences === 'all' ? whole(text, ctx.config.vendorName) : forReader(text, ctx.config.vendorName, audiences);

/** More ranges of the index than this are not read for one page. */
const MAX_PLACES = 90;
/** How many events are looked at in one go, and for one page, when the index does not answer a filter by itself. */
const WINDOW = 1000;
const MAX_SCANNED = 20_000;

interface Plan {
  places: Place[] | undefined;
  /** Undefined: the index alone says which events match. */
  condition: Condition | undefined;
  /** A page is looked for in steps of this many events. */
  window: number;
}

const everything: Condition = { kind: 'constant', value: true };

function planFor({ audiences }: Reader, filter: PlainFilter | undefined): Plan {
  const cover: Cover = filter ? coverOf(filter) : { facets: [EVERY], exact: true };
  const condition = filter ? toCondition(filter) : everything;
  // A long filter is slow to check, so it is checked on fewer events in one go.
  const window = Math.max(50, Math.floor(WINDOW / Math.ceil((filter ? countComparisons(filter) : 1) / 10)));
  if (audiences === 'all' || audiences.size > MAX_PLACES) return { places: undefined, condition, window };
  const tooWide = audiences.size * cover.facets.length > MAX_PLACES;
  const facets = tooWide ? [EVERY] : cover.facets;
  const places = [...audiences].flatMap((audience) => facets.map((facet) => ({ audience, facet })));
  return { places, condition: cover.exact && !tooWide ? undefined : condition, window };
}

interface Position {
  sortAt: number;
  name: string;
}

interface Page {
  bodies: string[];
  /** Where the next page begins; undefined after the last one. */
  end: Position | undefined;
}

interface PageRequest {
  size: number;
  filter: PlainFilter | undefined;
  /** Events from this time on. */
  from?: number | undefined;
  after?: Position | undefined;
}

/** The next events that match. A page may be short, or empty, and yet not be the last: a rare filter is not chased for ever. */
async function findPage(
  ctx: Pick<Ctx, 'db'>,
  reader: Reader,
  { size, filter, from, after }: PageRequest,
): Promise<Page> {
  const { places, condition, window } = planFor(reader, filter);
  const span = filter ? spanOf(filter) : always;
  const range: Range = {
    until: -Math.max(from ?? span.from, span.from),
    afterAt: Math.max(after?.sortAt ?? -span.to, -span.to),
    afterName: after?.name ?? '',
  };
  if (after && after.sortAt < -span.to) range.afterName = '';
  if (places && !condition) {
    const rows = await pageEvents(ctx.db, places, range, size + 1);
    const last = rows[size - 1];
    const more = rows.length > size && last;
    return {
      bodies: rows.slice(0, size).map(({ body }) => body),
      end: more ? { sortAt: last.sort_at, name: last.name } : undefined,
    };
  }

  const { audiences } = reader;
  const concerns = (lines: string): boolean =>
    places !== undefined || audiences === 'all' || fromLines(lines).some((audience) => audiences.has(audience));
  const bodies: string[] = [];
  let position: Position | undefined;
  for (let scanned = 0; scanned < MAX_SCANNED; ) {
    const step = scanned === 0 ? Math.min(window, 2 * size) : window;
    const rows = await scanEvents(ctx.db, places, condition ?? everything, range, step);
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

export interface ListQuery {
  'api-version': string;
  $filter?: string;
  queryStartTime?: string;
  $skipToken?: string;
}

function readFilter(text: string | undefined): PlainFilter | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return withoutNot(parseFilter(text));
  } catch (error) {
    if (error instanceof FilterProblem) throw new Failure('InvalidFilterInQueryString', `$filter: ${error.message}`);
    throw error;
  }
}

function readStart(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return parseQueryStartTime(text);
  } catch (error) {
    if (error instanceof TimeProblem) throw new Failure('InvalidQueryStartTime', `queryStartTime: ${error.message}`);
    throw error;
  }
}

/** Longer addresses do not fit into the header of a request everywhere; the token carries the filter anyway. */
const LONGEST_LINK = 7000;

function linkTo(base: string, token: string, query: ListQuery): string {
  const parameter = (name: 'api-version' | '$filter' | 'queryStartTime') =>
    query[name] === undefined ? '' : `&${name}=${encodeURIComponent(query[name])}`;
  const short = `${base}?$skipToken=${token}${parameter('api-version')}`;
  const full = `${short}${parameter('$filter')}${parameter('queryStartTime')}`;
  return full.length > LONGEST_LINK ? short : full;
}

/** What all listings of a process share. */
export interface Listing {
  pages: PageCache;
  /** The key that tokens are signed with. */
  key(): Promise<Buffer>;
}

/** A page of events as JSON; `url` is the address that was asked for. */
export function listEvents(
  ctx: Ctx,
  { pages, key }: Listing,
  reader: Reader,
  query: ListQuery,
  url: string,
): Promise<Buffer> {
  const window = ctx.config.healthDefaultWindow;
  // To the minute, so that requests of one minute ask for the same page.
  const opened = window === undefined ? undefined : Math.floor((ctx.clock.now() - window) / MINUTE) * MINUTE;
  const whom = reader.audiences === 'all' ? 'all' : [...reader.audiences].join();
  return pages(`${reader.id} ${whom} ${opened} ${url}`, async () => {
    const { $skipToken } = query;
    const token = $skipToken === undefined ? undefined : readSkipToken(await key(), reader.id, $skipToken);
    const text = token ? token.filter : query.$filter;
    const from = token ? token.from : (readStart(query.queryStartTime) ?? opened);
    const size = ctx.config.healthPageSize;
    const { bodies, end } = await findPage(ctx, reader, { size, filter: readFilter(text), from, after: token });
    const value = `{"value":[${renderFor(ctx, reader, bodies.join(','))}]`;
    if (!end) return `${value}}`;
    const next = writeSkipToken(await key(), { reader: reader.id, filter: text, from, ...end });
    const base = `${ctx.publicUrl()}${url.split('?')[0]}`;
    return `${value},"nextLink":${JSON.stringify(linkTo(base, next, query))}}`;
  });
}

/** The newest events of a reader, as they see them. */
export async function newestEvents(
  ctx: Pick<Ctx, 'db' | 'config'>,
  reader: Reader,
  filter: FilterNode | undefined,
  size: number,
): Promise<Event[]> {
  const { bodies } = await findPage(ctx, reader, { size, filter: filter && withoutNot(filter) });
  return JSON.parse(`[${renderFor(ctx, reader, bodies.join(','))}]`) as Event[];
}
