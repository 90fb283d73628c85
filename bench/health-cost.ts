import { readConfig } from '../packages/server/src/config.ts';
import { type Deps, systemCtx } from '../packages/server/src/context.ts';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { writePage } from '../packages/server/src/domains/health/pages/event-pages.ts';
import { systemClock } from '../packages/server/src/kernel/clock.ts';
import { listAddress, SUBSCRIPTION, TENANT } from './health-world.ts';

const PAGES = 20;

export interface Pages {
  /** Milliseconds for the first page and for the page at the middle, made anew each time. */
  cost(): Promise<[number, number]>;
  close(): Promise<void>;
}

export async function openPages(location: string, count: number): Promise<Pages> {
  const db = openDatabase({ location });
  const config = readConfig({});
  const deps = { config, db, clock: systemClock, publicUrl: () => 'https://localhost' } as unknown as Deps;
  const reader = { id: SUBSCRIPTION, audiences: new Set(['', SUBSCRIPTION, TENANT]) };
  const key = async () => Buffer.alloc(32);
  const read = (address: string) => {
    const { searchParams } = new URL(address, 'https://localhost');
    const question = {
      address,
      apiVersion: searchParams.get('api-version') ?? '',
      filter: searchParams.get('$filter') ?? undefined,
      startTime: searchParams.get('queryStartTime') ?? undefined,
      skipToken: searchParams.get('$skipToken') ?? undefined,
    };
    return writePage(systemCtx(deps), { reader, key }, question);
  };
  const addresses = [listAddress(count)];
  for (;;) {
    const { nextLink } = JSON.parse(await read(addresses.at(-1) ?? '')) as { nextLink?: string };
    if (!nextLink) break;
    addresses.push(nextLink);
  }
  const costOf = async (address = '') => {
    const start = performance.now();
    for (let n = 0; n < PAGES; n++) await read(address);
    return (performance.now() - start) / PAGES;
  };
  return {
    cost: async () => [await costOf(addresses[0]), await costOf(addresses[Math.floor((addresses.length - 1) / 2)])],
    close: () => db.close(),
  };
}
