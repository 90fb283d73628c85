import { type Ctx, type Deps, workOwner } from '../../../context.ts';
import { oncePerTick } from '../../../db/once-per-tick.ts';
import { answerUrl } from '../../../kernel/answer-url.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { searchWords } from '../../../kernel/search-key.ts';
import { versionNow } from '../events/health-events.ts';
import { FilterProblem, parseFilter } from '../filter/filter.ts';
import { parseQueryStartTime, TimeProblem } from '../filter/query-start-time.ts';
import { createEventBodies, type EventBodies } from '../listing/event-bodies.ts';
import { type PlainFilter, withoutNot } from '../listing/facets.ts';
import { findPage, type Reader, renderAll } from '../listing/listing.ts';
import { createPageCache } from './page-cache.ts';
import { pageKeyOf } from './page-key.ts';
import { readSkipToken, writeSkipToken } from './skip-token.ts';

/** What is asked for, in the words of whoever asks. */
export interface PageQuestion {
  /** The URL that was asked, from its path on: the next page is there too, and the same URL gets the same page. */
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

/** Longer addresses do not fit into the header of a request everywhere; the token carries the filter anyway. */
const LONGEST_LINK = 7000;

function linkTo(base: string, token: string, { apiVersion, filter, search, startTime }: PageQuestion): string {
  const parameter = (name: string, value: string | undefined) =>
    value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`;
  const short = `${base}?$skipToken=${token}${parameter('api-version', apiVersion)}`;
  const full = `${short}${parameter('$filter', filter)}${parameter('queryStartTime', startTime)}${parameter('search', search)}`;
  return full.length > LONGEST_LINK ? short : full;
}

/** For whom a page is written, and from when on it goes when nobody says; `key` signs its tokens. */
interface Writing {
  reader: Reader;
  opened?: number | undefined;
  kept: EventBodies;
  key(): Promise<Buffer>;
}

export async function writePage(
  ctx: Ctx,
  { reader, opened, kept, key }: Writing,
  question: PageQuestion,
): Promise<Buffer> {
  const { url, skipToken } = question;
  const token = skipToken === undefined ? undefined : readSkipToken(await key(), reader.id, skipToken);
  const text = token ? token.filter : question.filter;
  const from = token ? token.from : (readStart(question.startTime) ?? opened);
  const search = token ? token.search : question.search;
  const size = ctx.config.healthPageSize;
  const request = { size, filter: readFilter(text), words: searchWords(search), from, after: token, kept };
  const { bodies, end } = await findPage(ctx, reader, request);
  const write = (after: string) => renderAll(ctx, reader, bodies, ['{"value":[', `]${after}}`]);
  if (!end) return write('');
  const next = writeSkipToken(await key(), { reader: reader.id, filter: text, search, from, ...end });
  const base = `${answerUrl(ctx)}${url.split('?')[0]}`;
  return write(`,"nextLink":${JSON.stringify(linkTo(base, next, question))}`);
}

/** Gives pages of events as the JSON that is sent. Each is written once, for all who ask this process. */
export function createEventPages(deps: Deps) {
  const pages = createPageCache(oncePerTick(async () => (await versionNow(deps)).version));
  const kept = createEventBodies(deps.config.vendorName);
  const key = pageKeyOf(deps);
  return (ctx: Ctx, reader: Reader, question: PageQuestion): Promise<Buffer> => {
    const window = ctx.config.healthDefaultWindow;
    // To the minute, so that requests of one minute ask for the same page.
    const opened = window === undefined ? undefined : Math.floor((ctx.clock.now() - window) / MINUTE) * MINUTE;
    const whom = reader.audiences === 'all' ? 'all' : [...reader.audiences].join();
    const name = `${reader.id} ${whom} ${opened} ${answerUrl(ctx)}${question.url}`;
    return pages(name, workOwner(ctx), () => writePage(ctx, { reader, opened, kept, key }, question));
  };
}

export type EventPages = ReturnType<typeof createEventPages>;
