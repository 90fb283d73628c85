import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { importEvents } from './import.ts';

const provider = '/providers/Vendor.ResourceHealth/events';
const version = 'api-version=2024-02-01';
const then = '2025-01-02T03:04:05.000Z';

const impact = [
  {
    impactedService: 'Mail',
    impactedRegions: [
      { impactedRegion: 'North', lastUpdateTime: then, updates: [{ summary: 'x', updateDateTime: then }] },
    ],
  },
];
const event = (name: string, more = {}) => ({
  name,
  properties: { eventType: 'ServiceIssue', title: `About ${name}`, lastUpdateTime: then, impact, ...more },
});

async function createFixtures(dialect: DialectName, settings = {}) {
  const app = await testApp(dialect, settings);
  const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
  const send = (file: unknown, headers: Record<string, string> = {}) =>
    app.call('POST', `${provider}/import?${version}`, {
      token,
      body: typeof file === 'string' ? file : JSON.stringify(file),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const list = async () => (await app.call('GET', `${provider}?${version}`, { token })).body;
  const state = async () => ({
    list: await list(),
    rows: await app.database.query((q) => q.selectFrom('health_events').selectAll().orderBy('seq')),
    index: await app.database.query((q) => q.selectFrom('health_index').selectAll().orderBy('seq').orderBy('facet')),
    version: await app.database.query((q) => q.selectFrom('health_version').selectAll()),
  });
  const audit = async () =>
    (
      await app.database.query((q) =>
        q.selectFrom('audit_events').select(['action', 'subject_id', 'after']).orderBy('id'),
      )
    )
      .filter(({ action }) => action.startsWith('health_event'))
      .map(({ action, subject_id, after }) => ({ action, id: subject_id, after: JSON.parse(after ?? 'null') }));
  return { app, token, send, list, state, audit };
}

eachDatabase('importing', (dialect) => {
  test('lets other requests through while it refuses thousands of lines', async () => {
    const { app } = await createFixtures(dialect);
    let sinceTurn = 0;
    let longest = 0;
    const tick = () => {
      sinceTurn = 0;
      next = setImmediate(tick);
    };
    let next = setImmediate(tick);
    onTestFinished(() => clearImmediate(next));
    async function* refusedLines() {
      for (let end = 1; end <= 2000; end += 1) {
        sinceTurn += 1;
        longest = Math.max(longest, sinceTurn);
        yield { end, size: 2, problem: badRequest('It has no name.'), trackingId: undefined };
      }
    }
    const ctx = systemCtx(app.deps);
    const report = await importEvents(ctx, { sha256: 'x', bytes: 2000, items: refusedLines() }, () => undefined);
    expect(report.refusedCount).toBe(2000);
    expect(longest).toBeLessThanOrEqual(100);
  });

  test('keeps names and times of events, and audits the result together with the file', async () => {
    const { send, list, audit } = await createFixtures(dialect);
    const file = JSON.stringify({ value: [event('A-1'), event('B-2', { impact: undefined })], nextLink: 'https://x' });
    const response = await send(file);
    const sha256 = createHash('sha256').update(file).digest('hex');
    const counts = { read: 2, imported: 2, replaced: 0, unchanged: 0, refusedCount: 0 };
    const { id, ...report } = response.json();
    const bytes = file.length;
    expect(report).toEqual({ sha256, bytes, totalBytes: bytes, ...counts, refused: [] });
    const [a, b] = JSON.parse(await list()).value;
    expect([a.name, b.name, a.properties.lastUpdateTime, b.properties.lastUpdateTime]).toEqual([
      'A-1',
      'B-2',
      then,
      then,
    ]);
    expect(a.properties.impact[0].impactedRegions[0]).toMatchObject({
      lastUpdateTime: then,
      updates: [{ updateDateTime: then }],
    });
    expect(b.systemData).toMatchObject({ createdBy: 'ada@example.com', createdAt: '2026-11-01T09:00:00.000Z' });
    expect(await audit()).toEqual([
      { action: 'health_event.import', id, after: { sha256, bytes } },
      { action: 'health_event.import_end', id, after: { bytes, ...counts } },
    ]);
  });

  test('importing again later changes nothing, also without times', async () => {
    const { app, send, state } = await createFixtures(dialect);
    const bare = {
      name: 'bare',
      properties: { eventType: 'RCA', title: 'Why', summary: 'x', article: { articleContent: '<p onclick="x">y</p>' } },
    };
    const half = event('half', {
      impact: [
        { impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'South', updates: [{ summary: 'x' }] }] },
      ],
    });
    const file = [event('A-1'), bare, half];
    await send(file);
    const before = await state();
    app.advance(HOUR);
    expect((await send(file)).json()).toMatchObject({ imported: 0, replaced: 0, unchanged: 3, refusedCount: 0 });
    expect(await state()).toEqual(before);
    expect((await send(before.list)).json()).toMatchObject({ unchanged: 3 });
    expect(await state()).toEqual(before);
  });

  test('replaces different events, ignoring case in the name, and audits each', async () => {
    const { app, send, list, audit } = await createFixtures(dialect);
    await send([event('A-1'), event('B-2')]);
    app.advance(HOUR);
    const ended = impact.map((each) => ({
      ...each,
      impactedRegions: [{ impactedRegion: 'North', status: 'Resolved', lastUpdateTime: then }],
    }));
    const changed = event('a-1', { impact: ended, lastUpdateTime: '2025-01-02T03:04:06.000Z' });
    expect((await send([event('B-2'), changed])).json()).toMatchObject({ imported: 0, replaced: 1, unchanged: 1 });
    const { value } = JSON.parse(await list());
    expect(
      value.map(({ name, properties }: { name: string; properties: { status: string } }) => [name, properties.status]),
    ).toEqual([
      ['A-1', 'Resolved'],
      ['B-2', 'Active'],
    ]);
    expect(value[0].systemData).toMatchObject({
      createdAt: '2026-11-01T09:00:00.000Z',
      lastModifiedAt: '2026-11-01T10:00:00.000Z',
    });
    expect((await audit()).slice(2).map(({ action }) => action)).toEqual([
      'health_event.import',
      'health_event.resolve',
      'health_event.import_end',
    ]);
  });

  test('two concurrent files with the same event leave one state, also in the index', async () => {
    const { app, send, state } = await createFixtures(dialect);
    await send([event('A-1')]);
    const about = (service: string) => event('A-1', { impact: [{ ...impact[0], impactedService: service }] });
    const reports = await atOnce(app, [() => send([about('Chat')]), () => send([about('Maps')])], 'health_index');
    expect(reports.map((response) => response.json().replaced)).toEqual([1, 1]);
    const { rows, index } = await state();
    const services = index.map(({ facet }) => facet).filter((facet) => facet.startsWith('s:'));
    expect([rows.length, services.length]).toEqual([1, 1]);
    expect(rows[0]?.facets).toContain(services[0]);
  });

  test('each refused event has a reason and a position, and does not affect the others', async () => {
    const { send, list } = await createFixtures(dialect);
    const deep = '<b>'.repeat(200);
    const file = [
      event('A-1'),
      7,
      { properties: event('x').properties },
      event('no such name'),
      event('T', { title: undefined }),
      event('N', { title: 'a\u0000b' }),
      event('E', { impactStartTime: then, impactMitigationTime: '2024-01-01T00:00:00Z' }),
      event('R', { impact: [...impact, ...impact] }),
      event('D', { article: { articleContent: deep } }),
      event('Z-9'),
    ];
    const { refused, ...counts } = (await send(file)).json();
    expect(counts).toMatchObject({ read: 10, imported: 2, refusedCount: 8 });
    const problem = (index: number, trackingId: string | undefined, message: string) => ({
      index,
      ...(trackingId ? { trackingId } : {}),
      code: 'BadRequest',
      message: expect.stringContaining(message),
    });
    expect(refused).toEqual([
      problem(1, undefined, 'must be a JSON object'),
      problem(2, undefined, 'name is missing'),
      problem(3, 'no such name', 'name is not valid'),
      problem(4, 'T', 'properties.title is missing'),
      problem(5, undefined, 'NUL'),
      problem(6, 'E', 'impactMitigationTime must not be before'),
      problem(7, 'R', 'repeats "Mail"'),
      problem(8, 'D', 'nested more than 100 levels deep'),
    ]);
    expect(JSON.parse(await list()).value).toHaveLength(2);
  });

  test('refuses only the broken line of a file of lines; keeps the events before the broken part of an array', async () => {
    const { send } = await createFixtures(dialect);
    const lines = [JSON.stringify(event('A-1')), '{"name":', '', JSON.stringify(event('B-2'))].join('\r\n');
    const byLine = (await send(lines, { 'content-type': 'application/x-ndjson' })).json();
    expect(byLine).toMatchObject({
      read: 3,
      imported: 2,
      refusedCount: 1,
      refused: [{ index: 1, code: 'BadRequest' }],
    });
    const cut = JSON.stringify([event('A-1'), event('C-3'), event('D-4')]).slice(0, -20);
    expect((await send(cut)).json()).toMatchObject({
      unchanged: 1,
      imported: 1,
      refused: [{ index: 2, message: 'The file is incomplete: it ends before its JSON does.' }],
    });
  });

  test('streams progress and then the report as NDJSON; the later of two events with one ID wins across batches', async () => {
    const { app, token, send } = await createFixtures(dialect);
    const many = Array.from({ length: 450 }, (_, at) => event(`E-${at}`));
    const response = await send([...many, event('E-7', { title: 'Again' })], { accept: 'application/x-ndjson' });
    expect(response.headers['content-type']).toBe('application/x-ndjson');
    const lines = response.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ progress }) => progress?.read)).toEqual([200, 400, 451, undefined]);
    expect(lines.at(-1).report).toMatchObject({ read: 451, imported: 450, replaced: 1 });
    const one = await app.call('GET', `${provider}/E-7?${version}`, { token });
    expect(one.json().properties.title).toBe('Again');
  });

  test('a refusal is an ordinary response even for NDJSON clients, and nothing is recorded', async () => {
    const { send, audit } = await createFixtures(dialect);
    const lines = { accept: 'application/x-ndjson' };
    const notEvents = await send('hello', lines);
    expect([notEvents.statusCode, notEvents.json().code, notEvents.json().message]).toEqual([
      400,
      'BadRequest',
      expect.stringContaining('at byte 0'),
    ]);
    const type = await send('a,b', { 'content-type': 'text/csv' });
    expect([type.statusCode, type.json().message]).toEqual([415, expect.stringContaining('application/x-ndjson')]);
    const large = await send([], { 'content-length': '104857601' });
    expect([large.statusCode, large.json().code]).toEqual([413, 'PayloadTooLarge']);
    expect(await audit()).toEqual([]);
  });

  test('an event can be as large as with publishing, and no temporary file remains', async () => {
    const { app, send } = await createFixtures(dialect, { bodyLimit: 2000 });
    const { refused } = (await send([event('A-1', { description: 'x'.repeat(2000) }), event('B-2')])).json();
    expect(refused).toMatchObject([{ index: 0, message: expect.stringContaining('2000 bytes') }]);
    expect(readdirSync(app.deps.config.dataDir).filter((name) => name.startsWith('body-'))).toEqual([]);
  });

  test('accepts the vendor name in its field, as publishing does', async () => {
    const { send, list } = await createFixtures(dialect, { vendorName: 'Harbour' });
    await send([event('A-1', { enableHarbourSupport: true })]);
    expect(JSON.parse(await list()).value[0].properties.enableHarbourSupport).toBe(true);
  });
});
