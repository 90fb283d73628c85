import { type Ctx, type Deps, workOwner } from '../../../context.ts';
import { oncePerTick } from '../../../db/once-per-tick.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { parseSearchTerms } from '../../../kernel/text/search-key.ts';
import { versionNow } from '../events/health-events.ts';
import { FilterProblem, parseFilter } from '../filter/filter.ts';
import { parseQueryStartTime, TimeProblem } from '../filter/query-start-time.ts';
import { createEventBodies, type EventBodies } from '../listing/event-bodies.ts';
import { type PlainFilter, withoutNot } from '../listing/facets.ts';
import { findPage, type Reader, renderAll } from '../listing/listing.ts';
import { createPageCache } from './page-cache.ts';
import { createPageKeyReader } from './page-key.ts';
import { readSkipToken, writeSkipToken } from './skip-token.ts';

/** Parameters of the request, as the caller wrote them. */
export interface PageQuery {
  /** Request URL from its path on. The next link repeats it, and the page cache uses it as a key. */
  url: string;
  apiVersion: string;
  filter: string | undefined;
  search?: string | undefined;
  startTime: string | undefined;
  skipToken: string | undefined;
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

/** Some servers limit URLs to this length; the token contains the filter anyway. */
const MAX_LINK_LENGTH = 7000;

function linkTo(base: string, token: string, { apiVersion, filter, search, startTime }: PageQuery): string {
  const parameter = (name: string, value: string | undefined) =>
    value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`;
  const short = `${base}?$skipToken=${token}${parameter('api-version', apiVersion)}`;
  const full = `${short}${parameter('$filter', filter)}${parameter('queryStartTime', startTime)}${parameter('search', search)}`;
  return full.length > MAX_LINK_LENGTH ? short : full;
}

/** Reader and start time of a page; `key` signs its tokens. */
interface Writing {
  reader: Reader;
  opened?: number | undefined;
  bodyCache: EventBodies;
  key(): Promise<Buffer>;
}

export async function writePage(
  ctx: Ctx,
  { reader, opened, bodyCache, key }: Writing,
  pageQuery: PageQuery,
): Promise<Buffer> {
  const { url, skipToken } = pageQuery;
  const token = skipToken === undefined ? undefined : readSkipToken(await key(), reader.id, skipToken);
  const text = token ? token.filter : pageQuery.filter;
  const from = token ? token.from : (readStart(pageQuery.startTime) ?? opened);
  const search = token ? token.search : pageQuery.search;
  const size = ctx.config.healthPageSize;
  const request = {
    size,
    filter: readFilter(text),
    terms: parseSearchTerms(search),
    from,
    after: token,
    bodyCache,
  };
  const { bodies, end } = await findPage(ctx, reader, request);
  const write = (after: string) => renderAll(ctx, reader, bodies, ['{"value":[', `]${after}}`]);
  if (!end) return write('');
  const next = writeSkipToken(await key(), { reader: reader.id, filter: text, search, from, ...end });
  const base = `${getResponseUrl(ctx)}${url.split('?')[0]}`;
  return write(`,"nextLink":${JSON.stringify(linkTo(base, next, pageQuery))}`);
}

/** Serves pages of events as JSON. Renders each page once for all requests of this process. */
export function createEventPages(deps: Deps) {
  const pages = createPageCache(oncePerTick(async () => (await versionNow(deps)).version));
  const bodyCache = createEventBodies(deps.config.vendorName);
  const key = createPageKeyReader(deps);
  return (ctx: Ctx, reader: Reader, pageQuery: PageQuery): Promise<Buffer> => {
    const window = ctx.config.healthDefaultWindow;
    // Rounded to the minute, so that requests within a minute share a page.
    const opened = window === undefined ? undefined : Math.floor((ctx.clock.now() - window) / MINUTE) * MINUTE;
    const whom = reader.audiences === 'all' ? 'all' : [...reader.audiences].join();
    const name = `${reader.id} ${whom} ${opened} ${getResponseUrl(ctx)}${pageQuery.url}`;
    return pages(name, workOwner(ctx), () => writePage(ctx, { reader, opened, bodyCache, key }, pageQuery));
  };
}

export type EventPages = ReturnType<typeof createEventPages>;
