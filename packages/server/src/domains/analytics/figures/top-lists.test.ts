import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { DAY } from '../../../kernel/clock.ts';
import { addLogs } from '../../ingest/index.ts';
import { compactApp } from '../parts/compaction.ts';

const NOW = Date.parse('2026-11-01T09:00:00Z');
const start = '2026-11-01T00:00:00.000Z';

interface Fields {
  at?: number;
  device?: object;
  [field: string]: unknown;
}

const event = (name: string, { at = NOW, device = {}, ...fields }: Fields = {}) => ({
  type: 'event',
  id: randomUUID(),
  name,
  timestamp: new Date(at).toISOString(),
  device: { appVersion: '1.0', ...device },
  ...fields,
});

async function withApp(dialect: 'sqlite' | 'postgres') {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const { id } = await app.addApp(ada, 'buoy');
  const get = async (path: string, query: Record<string, string> = {}) =>
    (await app.call('GET', `/v0.1/apps/ada/buoy/analytics/${path}`, { token, query: { start, ...query } })).json();
  const send = (installId: string, ...logs: object[]) => addLogs(app.deps, { appId: id, installId, logs });
  return { get, send, compact: () => compactApp(systemCtx(app.deps), id) };
}

eachDatabase('top lists', (dialect) => {
  test('have thirty rows by default, ten for property values; the total counts all', async () => {
    const { get, send, compact } = await withApp(dialect);
    for (let n = 10; n < 41; n += 1) {
      const device = { model: `M${n}`, osName: `O${n}`, osVersion: '1', locale: `${n}_DE`, appVersion: `1.${n}` };
      const more = { device: { ...device, carrierCountry: `c${n}` }, properties: { plan: `p${n}` } };
      await send(randomUUID(), event(`event ${n}`, more), event('same', more));
    }
    await compact();
    const lists = ['models', 'oses', 'languages', 'places', 'versions'] as const;
    for (const list of lists) {
      const found = await get(list);
      expect([list, found.total, found[list].length]).toEqual([list, 31, 30]);
    }
    expect((await get('events')).events).toHaveLength(30);
    const values = await get('events/same/properties/plan/counts');
    expect([values.total, values.values.length]).toEqual([31, 10]);
    expect((await get('events/same/properties/plan/counts', { $top: '11' })).values).toHaveLength(11);
    expect((await get('versions', { $top: '0' })).versions).toHaveLength(31);
    // The first ones in the order of versions, not by count.
    expect((await get('versions', { $top: '2' })).versions.map((row: { version: string }) => row.version)).toEqual([
      '1.10',
      '1.11',
    ]);
  });

  test('of events are sorted by each of their columns, and have stable IDs', async () => {
    const { get, send, compact } = await withApp(dialect);
    const [ann, bob] = [randomUUID(), randomUUID()];
    const before = NOW - DAY;
    // a: often, by one device, in two sessions; b: twice, by two, in one; c: once, but often before.
    await send(ann, ...['1', '1', '1', '2'].map((sid) => event('a', { sid })), event('a', { at: before }));
    await send(ann, event('b', { sid: '1' }), event('c', { sid: '1' }), event('c', { at: before }));
    await send(bob, event('b', { sid: '3' }), event('c', { at: before }), event('c', { at: before }));
    await compact();
    const by = async ($orderby: string) =>
      (await get('events', { $orderby })).events.map(({ name }: { name: string }) => name).join('');
    expect(await by('name')).toBe('abc');
    expect(await by('name desc')).toBe('cba');
    expect(await by('count desc')).toBe('abc');
    expect(await by('previous_count desc')).toBe('cab');
    expect(await by('device_count desc')).toBe('bac');
    expect(await by('previous_device_count desc')).toBe('cab');
    expect(await by('count_per_device desc')).toBe('abc');
    expect(await by('count_per_session desc')).toBe('abc');
    const { events } = await get('events', { $orderby: ' name   desc ' });
    expect(events.map(({ name }: { name: string }) => name).join('')).toBe('cba');
    for (const { id } of events) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(events.map(({ id }: { id: string }) => id)).size).toBe(3);
  });
});
