import path from 'node:path';
import { readConfig } from '../packages/server/src/config.ts';
import { type Deps, systemCtx } from '../packages/server/src/context.ts';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { type ListQuery, listEvents } from '../packages/server/src/domains/health/listing.ts';
import { systemClock } from '../packages/server/src/kernel/clock.ts';
import { median } from './harness.ts';
import { listAddress, SUBSCRIPTION, TENANT } from './health-world.ts';

const PAGES = 20;

/** Milliseconds for the first page and for the page at the middle, made anew each time. */
export async function pageCost(location: string, count: number, rounds: number): Promise<[number, number]> {
  const db = openDatabase({ location });
  const config = readConfig({ MOORING_DATA_DIR: path.dirname(location) });
  const deps = { config, db, clock: systemClock, publicUrl: () => 'https://localhost' } as Deps;
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
  const wanted = [addresses[0] ?? '', addresses[Math.floor((addresses.length - 1) / 2)] ?? ''];
  const costs: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    for (const [at, address] of wanted.entries()) {
      const start = performance.now();
      for (let n = 0; n < PAGES; n++) await read(address);
      // The first round only warms up.
      if (round > 0) costs[at]?.push((performance.now() - start) / PAGES);
    }
  }
  await db.close();
  return [median(costs[0]), median(costs[1])];
}
