import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { compact, tidyLogs, writeExports } from '../../../test/harness/background-work.ts';
import { attachment, crash, device, NOW } from '../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { declaredTables } from '../../db/tables.ts';
import { type DataSubject, subjectRecords } from '../../extensions/subject-records.ts';
import { DAY, MINUTE } from '../../kernel/clock.ts';
import { addLogs } from '../ingest/index.ts';
import { followSubjectRequests } from './subject-requests.ts';

const B = '/v0.1/apps/ada/compass/data_requests';
const timestamp = new Date(NOW).toISOString();
const session = (userId: string) => ({ type: 'startSession', timestamp, sid: randomUUID(), userId, device });
const event = (userId: string, name: string) => ({ type: 'event', timestamp, id: randomUUID(), name, userId, device });

/** ada manages compass, which mo and zoe use, each on their own device; grace develops it. */
async function withUsers(dialect: DialectName) {
  const app = await testApp(dialect);
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  const compass = await app.addApp(ada, 'compass');
  await app.addMember(compass, grace, 'developer');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace) };
  const ctx = systemCtx(app.deps);
  const [mo, zoe] = [randomUUID(), randomUUID()];
  const id = randomUUID();
  const add = (installId: string, ...logs: object[]) => addLogs(app.deps, { appId: compass.id, installId, logs });
  await add(mo, session('user-mo'), event('user-mo', 'sail'));
  await compact(app, compass.id);
  // These stay in waiting batches.
  await add(mo, crash({ id, userId: 'user-mo' }), attachment(id, 'what mo did'), event('user-mo', 'anchor'));
  await add(zoe, session('user-zoe'), event('user-zoe', 'row'), crash({ userId: 'user-zoe' }));
  const invalidLog = { app_id: compass.id, received_at: NOW, install_id: mo, reason: 'x', log: '{"userId":"user-mo"}' };
  await app.database.transaction((db) =>
    db.query((q) => q.insertInto('ingest_invalid_logs').values({ ...invalidLog, id: 'x' })),
  );
  const request = async (body: object, token = tokens.ada) => {
    const response = await app.call('POST', B, { token, body });
    return { status: response.statusCode, body: response.json() };
  };
  const get = async (id: string) => (await app.call('GET', `${B}/${id}`, { token: tokens.ada })).json();
  const exportFile = async (body: object) => {
    const { status, body: made } = await request({ kind: 'export', ...body });
    expect([status, made.status]).toEqual([202, 'Created']);
    await app.runJobs();
    const done = await get(made.id);
    const blob = await app.deps.blobs.get(`sender-requests/${made.id}`);
    const lines = (blob ? await text(blob.stream) : '').split('\n').filter(Boolean);
    return { done, lines: lines.map((line) => JSON.parse(line)), made };
  };
  /** Runs what the schedules do within half an hour. */
  const waitForErasure = async () => {
    app.advance(MINUTE);
    await app.runJobs();
    await tidyLogs(app, compass.id);
    app.advance(4 * MINUTE);
    await tidyLogs(app, compass.id);
    await followSubjectRequests(ctx);
  };
  /** Number of records that a search finds. */
  const count = async (subject: Omit<DataSubject, 'appId'>) => {
    let found = 0;
    for (const { read } of subjectRecords.list(ctx))
      for await (const _ of read(ctx, { appId: compass.id, ...subject })) found += 1;
    return found;
  };
  const batches = async () => {
    const rows = await app.database.query((q) => q.selectFrom('ingest_batches').selectAll().orderBy('number'));
    return rows.map(({ number, install_id, log_count, types, size, encoding, body }) => {
      const plain = encoding === 'zstd' ? zstdDecompressSync(body) : Buffer.from(body);
      return { number, install_id, log_count, types, isWhole: plain.length === size, text: plain.toString() };
    });
  };
  /** Rows of all tables and names of blobs that contain the text. */
  const search = async (searchText: string) => {
    const found: string[] = [];
    for (const table of declaredTables()) {
      const rows = await app.database.query((q) => q.selectFrom(table as 'apps').selectAll());
      if (JSON.stringify(rows).includes(searchText)) found.push(table);
    }
    return found;
  };
  return {
    app,
    ada,
    ctx,
    compass,
    tokens,
    mo,
    zoe,
    add,
    request,
    get,
    exportFile,
    waitForErasure,
    search,
    count,
    batches,
  };
}

eachDatabase('a request about a data subject', (dialect) => {
  test('exports all records as JSON Lines, including waiting ones, and nothing of others', async () => {
    const { app, exportFile, mo, tokens } = await withUsers(dialect);
    const { done, lines } = await exportFile({ user_id: 'user-mo' });
    expect(done).toMatchObject({
      status: 'Completed',
      records: lines.length,
      user_id: 'user-mo',
      url: expect.any(String),
    });
    const telemetry = lines.filter(({ source }) => source === 'telemetry');
    expect(telemetry.map(({ type, name }) => name ?? type).toSorted()).toEqual(['anchor', 'sail', 'startSession']);
    const crashes = lines.filter(({ source }) => source === 'crashes');
    expect(crashes.map(({ record }) => record)).toEqual(['report', 'attachment']);
    expect(crashes[0].log.exception.message).toBe('cart empty');
    expect(Buffer.from(crashes[1].data, 'base64').toString()).toBe('what mo did');
    expect(lines.filter(({ source }) => source === 'invalid_logs').length).toBe(1);
    expect(JSON.stringify(lines)).not.toMatch(/zoe|row/);
    const download = await app.call('GET', new URL(done.url).pathname);
    expect(download.body.split('\n').filter(Boolean).length).toBe(lines.length);
    // The install ID selects the same records.
    const byInstall = await exportFile({ install_id: mo.toUpperCase() });
    expect(byInstall.lines.length).toBe(lines.length);
    expect([byInstall.done.install_id, byInstall.done.user_id, done.install_id]).toEqual([mo, undefined, undefined]);
    // An unknown subject gets an empty file.
    expect((await exportFile({ user_id: 'nobody' })).done).toMatchObject({ records: 0, url: expect.any(String) });
    app.advance(8 * DAY);
    await followSubjectRequests(systemCtx(app.deps));
    expect((await Array.fromAsync(app.deps.blobs.list())).filter((key) => key.startsWith('sender'))).toEqual([]);
    const old: Record<string, unknown>[] = (await app.call('GET', B, { token: tokens.ada })).json().values;
    expect(old.map(({ url, user_id, records }) => [url, user_id, records])).toEqual(
      Array(3).fill([undefined, undefined, undefined]),
    );
  });

  test.each(['user', 'install'] as const)(
    'erases everything by the ID of the %s immediately, and completes within half an hour, when searches find nothing',
    async (kind) => {
      const { app, request, get, exportFile, waitForErasure, search, count, ctx, mo, zoe, add, batches } =
        await withUsers(dialect);
      // With an attachment that arrives later, and a user with a similar name.
      const late = randomUUID();
      await add(mo, event('user-mo', 'reef \\ "rock"'), crash({ id: late, userId: 'user-mo' }));
      await add(mo, attachment(late, 'later'));
      await add(zoe, event('user-mo-2', 'drift'));
      const by = (kind === 'user' ? { user_id: 'user-mo' } : { install_id: mo }) as object;
      const { done: copy } = await exportFile(by);
      expect(copy.url).toEqual(expect.any(String));
      const { status, body } = await request({ kind: 'delete', ...by });
      expect([status, body.status]).toEqual([202, 'Created']);
      await app.runJobs();
      await followSubjectRequests(ctx);
      const going = await get(body.id);
      expect([going.status, going.left > 0]).toEqual(['InProgress', true]);
      expect(await count({ kind, value: kind === 'user' ? 'user-mo' : mo })).toBe(0);
      await waitForErasure();
      expect(await get(body.id)).toMatchObject({
        status: 'Completed',
        left: 0,
        message: expect.stringContaining('A search finds none'),
      });
      expect(await get(body.id)).not.toHaveProperty(kind === 'user' ? 'user_id' : 'install_id');
      expect(await search(kind === 'user' ? 'user-mo' : mo)).toEqual([]);
      expect((await Array.fromAsync(app.deps.blobs.list())).filter((key) => /^(crash-att|sender)/.test(key))).toEqual(
        [],
      );
      expect(await get(copy.id)).not.toHaveProperty('url');
      expect((await app.call('GET', new URL(copy.url).pathname)).statusCode).toBe(404);
      // The batches of the day still exist, without the erased logs.
      const remaining = await batches();
      expect(remaining.map(({ number, log_count, types }) => [number, log_count, types])).toEqual([
        ...[1, 2].map((number) => [number, 0, '']),
        [3, 3, null],
        ...[4, 5].map((number) => [number, 0, '']),
        [6, 1, null],
      ]);
      expect(remaining.every(({ isWhole }) => isWhole)).toBe(true);
      const texts = remaining.map(({ text, install_id }) => `${install_id} ${text}`).join();
      const gone = ['"user-mo"', btoa('what mo did'), btoa('later'), ...(kind === 'install' ? [mo] : [])];
      expect(gone.filter((searchText) => texts.includes(searchText))).toEqual([]);
      const others = (await exportFile({ install_id: zoe })).lines;
      expect(others.map(({ name, type, record }) => name ?? record ?? type).toSorted()).toEqual([
        'drift',
        'report',
        'row',
        'startSession',
      ]);
      expect(JSON.stringify(await recorded(app, 'sender_request.'))).not.toMatch(new RegExp(`user-mo|${mo}`));
    },
  );

  test.each(['user', 'install'] as const)(
    'erases records by the ID of the %s that an export has not written yet, and nothing of others',
    async (kind) => {
      const { app, request, compass, tokens, mo } = await withUsers(dialect);
      const made = await app.call('POST', '/v0.1/apps/ada/compass/export_configurations', {
        token: tokens.ada,
        body: { type: 'file', format: 'minutes', export_entities: ['crashes', 'errors', 'attachments'] },
      });
      expect(made.statusCode).toBe(202);
      await request({ kind: 'delete', ...(kind === 'user' ? { user_id: 'user-mo' } : { install_id: mo }) });
      app.advance(3 * MINUTE);
      await writeExports(app);
      const folder = path.join(app.deps.config.dataDir, 'exports', compass.id);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const all = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8')).join('');
      expect(all).toContain('user-zoe');
      expect(all).not.toMatch(new RegExp(`user-mo|${mo}|what mo did`));
      expect(files.map(({ name }) => name).toSorted()).toEqual(['crashes.v1.data', 'logs.v1.data']);
    },
  );

  test('requires a manager, exactly one user or install, and no Read-Only token', async () => {
    const { app, ada, request, exportFile, tokens } = await withUsers(dialect);
    expect((await request({ kind: 'export', user_id: 'x' }, tokens.grace)).status).toBe(403);
    for (const wrong of [{}, { user_id: 'x', install_id: 'y' }, { user_id: '' }]) {
      expect((await request({ kind: 'export', ...wrong })).status).toBe(400);
    }
    const { made } = await exportFile({ user_id: 'user-mo' });
    const readOnly = await app.call('POST', '/v0.1/api_tokens', {
      token: tokens.ada,
      body: { description: 'r', scope: ['viewer'] },
    });
    const seen = await app.call('GET', B, { token: readOnly.json().api_token });
    // A Read-Only token has at most viewer.
    expect(seen.statusCode).toBe(403);
    expect((await app.call('GET', `${B}/none`, { token: tokens.ada })).statusCode).toBe(404);
    await app.addApp(ada, 'tides');
    const elsewhere = `/v0.1/apps/ada/tides/data_requests/${made.id}`;
    expect((await app.call('GET', elsewhere, { token: tokens.ada })).statusCode).toBe(404);
  });
});
