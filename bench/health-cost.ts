import { systemCtx } from '../packages/server/src/context.ts';
import { createEventBodies } from '../packages/server/src/domains/health/listing/event-bodies.ts';
import { writePage } from '../packages/server/src/domains/health/pages/event-pages.ts';
import { listUrl, SUBSCRIPTION, TENANT } from './fixtures/health-fixtures.ts';
import { appOver } from './load/in-process-app.ts';

const PAGES = 20;

export interface Pages {
  /** Milliseconds for the first page and for the middle page, without caching. */
  cost(): Promise<[number, number]>;
  close(): Promise<void>;
}

export async function openPages(location: string, count: number): Promise<Pages> {
  const { deps, stop } = await appOver(location);
  const reader = { id: SUBSCRIPTION, audiences: new Set(['', SUBSCRIPTION, TENANT]) };
  const key = async () => Buffer.alloc(32);
  const bodies = createEventBodies(deps.config.vendorName);
  const read = (url: string) => {
    const { searchParams } = new URL(url, 'https://localhost');
    const question = {
      url,
      apiVersion: searchParams.get('api-version') ?? '',
      filter: searchParams.get('$filter') ?? undefined,
      startTime: searchParams.get('queryStartTime') ?? undefined,
      skipToken: searchParams.get('$skipToken') ?? undefined,
    };
    return writePage(systemCtx(deps), { reader, bodyCache: bodies, key }, question);
  };
  const urls = [listUrl(count)];
  for (;;) {
    const { nextLink } = JSON.parse((await read(urls.at(-1) ?? '')).toString()) as { nextLink?: string };
    if (!nextLink) break;
    urls.push(nextLink);
  }
  const measureCost = async (url = '') => {
    const start = performance.now();
    for (let n = 0; n < PAGES; n++) await read(url);
    return (performance.now() - start) / PAGES;
  };
  return {
    cost: async () => [await measureCost(urls[0]), await measureCost(urls[Math.floor((urls.length - 1) / 2)])],
    close: stop,
  };
}
