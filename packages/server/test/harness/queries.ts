import type { TestApp } from './app.ts';

const total = async (app: TestApp): Promise<number> =>
  Number(/^mooring_database_query_duration_seconds_count (\d+)/m.exec((await app.call('GET', '/metrics')).body)?.[1]);

/** How many queries the database is asked meanwhile. The first request of a token also asks who it is. */
export async function countQueries(app: TestApp, work: () => Promise<unknown>): Promise<number> {
  const before = await total(app);
  await work();
  return (await total(app)) - before;
}
