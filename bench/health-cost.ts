import { readConfig } from '../packages/server/src/config.ts';
import { type Deps, systemCtx } from '../packages/server/src/context.ts';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { type ListQuery, listEvents } from '../packages/server/src/domains/health/listing/listing.ts';
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
  const listing = {
    pages: async (_: string, make: () => Promise<string>) => Buffer.from(await make()),
    key: async () => Buffer.alloc(32),
  };
  const reader = { id: SUBSCRIPTION, audiences: new Set(['', SUBSCRIPTION, TENANT]) };
  const read = (address: string) => {
    const query = Object.fromEntries(new URL(address, 'https://localhost').searchParams) as unknown as ListQuery;
    return listEvents(systemCtx(deps), listing, reader, query, address);
  };
  const addresses = [listAddress(count)];
  for (;;) {
    const { nextLink } = JSON.parse(String(await read(addresses.at(-1) ?? ''))) as { nextLink?: string };
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
