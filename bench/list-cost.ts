import { openDatabase } from '../packages/server/src/db/open.ts';
import { listVisibleApps } from '../packages/server/src/domains/apps/apps.store.ts';

const PAGES = 50;

/** Milliseconds for the query of one page of 30 apps, one figure per round. */
export async function listCost(location: string, rounds: number): Promise<number[]> {
  const database = openDatabase({ location });
  const [user] = await database.query((q) => q.selectFrom('owners').select('id').where('name_key', '=', 'tester'));
  const userId = user?.id ?? '';
  const costs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    for (let n = 0; n < PAGES; n++) {
      const page = await listVisibleApps.display_name.all(database, { userId, limit: 30, offset: 0 });
      if (page.length !== 30) throw new Error(`The page has ${page.length} apps instead of 30.`);
    }
    // The first round only warms up.
    if (round > 0) costs.push((performance.now() - start) / PAGES);
  }
  await database.close();
  return costs;
}
