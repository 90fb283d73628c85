import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { settle } from '../../packages/server/src/domains/health/events/event-rules.ts';
import { eventAt, FILTER, getStart, SUBSCRIPTION } from '../fixtures/health-fixtures.ts';

export const cdsServer = path.join(import.meta.dirname, 'cds/server.cjs');

/** The same events in the tables of the peer, with the indexes that its queries can use. */
export function seedCds(file: string, count: number): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    ${execFileSync(process.execPath, [cdsServer, 'schema'], { encoding: 'utf8' })}
    CREATE INDEX by_time ON health_Events (lastUpdateTime DESC, name);
    CREATE INDEX by_service ON health_Impacts (service, event_name);
    CREATE INDEX by_region ON health_Impacts (region, event_name);
    CREATE INDEX by_subscription ON health_Audiences (subscription, event_name);
    BEGIN`);
  const insert = (table: string, columns: number) =>
    database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${Array(columns).fill('?').join()})`);
  const events = insert('health_Events', 15);
  const impacts = insert('health_Impacts', 3);
  const audiences = insert('health_Audiences', 2);
  for (let n = 0; n < count; n++) {
    const { trackingId, draft } = eventAt(n);
    const all = settle(draft, undefined, { now: Date.parse(draft.lastUpdateTime ?? ''), preservesTimes: true });
    const { eventType, status = '', title, summary = '', header = '', level = '', eventLevel = '', ...rest } = all;
    const { priority, lastUpdateTime, impact = [], ...more } = rest;
    const named = impact.flatMap(({ impactedRegions = [] }) =>
      impactedRegions.flatMap(({ impactedSubscriptions = [] }) => impactedSubscriptions),
    );
    const base = '/providers/Vendor.ResourceHealth/events';
    const own = JSON.stringify(impact, (key, value) =>
      key === 'impactedSubscriptions' ? (value as string[]).filter((id) => id === SUBSCRIPTION) : value,
    );
    const fields = [eventType, status, title, summary, header, level, eventLevel];
    const texts = [own, JSON.stringify({ ...more, createdBy: 'operator@example.com', createdAt: lastUpdateTime })];
    const isForEveryone = named.length === 0 ? 1 : 0;
    const id = `${base}/${trackingId}`;
    events.run(trackingId, id, base, ...fields, priority, lastUpdateTime, ...texts, isForEveryone);
    for (const { impactedService, impactedRegions = [] } of impact) {
      for (const { impactedRegion } of impactedRegions) impacts.run(trackingId, impactedService, impactedRegion);
    }
    for (const id of named) audiences.run(trackingId, id);
  }
  database.exec('COMMIT; PRAGMA journal_mode = WAL; ANALYZE');
  database.close();
}

/** The query of `listUrl` in its syntax. */
export function cdsUrl(count: number, skip: number): string {
  const applies = `(forEveryone eq true or audiences/any(a:a/subscription eq '${SUBSCRIPTION}'))`;
  const matches = `impacts/any(i:i/service eq '${FILTER.service}' or i/region eq '${FILTER.region}')`;
  const filter = `lastUpdateTime ge ${getStart(count).toISOString()} and ${applies} and ${matches}`;
  const query = { $filter: filter, $orderby: 'lastUpdateTime desc,name', $top: '100', $skip: String(skip) };
  return `/health/Events?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
}
