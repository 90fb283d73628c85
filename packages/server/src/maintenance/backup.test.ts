import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import {
  adminOauthClients_update,
  appSecrets_rotate,
  HealthWebhookDeliveries_Replay,
  organizations_update,
  userApiTokens_create,
} from '@mooring/contract';
import { getId } from '@mooring/contract/fixtures';
import { CompiledQuery } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type TestApp, testApp } from '../../test/harness/app.ts';
import { createFixtures } from '../../test/harness/fixtures.ts';
import { eachDatabase, emptyDatabase, freshDatabase } from '../../test/harness/services/databases.ts';
import { openBrowser, pkce } from '../../test/harness/services/oauth.ts';
import { createDiskStore } from '../blobs/disk.ts';
import type { BlobStore } from '../blobs/index.ts';
import type { DialectName } from '../db/drivers/connection.ts';
import { knownMigrations } from '../db/migrate.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { copiedTables, getTableTraits, leftOutTables } from '../db/tables.ts';
import { tx } from '../db/tx.ts';
import { insertAttempts } from '../outbound/delivery/deliveries.store.ts';
import '../domains.ts';
import { type Content, DamagedBackup, type Header, writeArchive } from './archive.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';

const quiet = () => undefined;
const other: Record<DialectName, DialectName> = { sqlite: 'postgres', postgres: 'sqlite' };

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-backup-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
});
const at = (name: string) => path.join(scratch, name);

/** One for each test is enough, because keys do not collide. */
const store = () => createDiskStore(at('blobs'));

const copy = (database: Database, file: string, blobs = store()) =>
  backUp(database, blobs, { file, program: '0.1.0', now: Date.parse('2026-11-01T09:00:00Z'), onProgress: quiet });
const load = (database: Database, file: string, { force = false, blobs = store() } = {}) =>
  restore(database, blobs, { file, force, onProgress: quiet });

function open(location: string): Database {
  const database = openDatabase({ location, poolSize: 2 });
  onTestFinished(() => database.close());
  return database;
}
const openEmpty = async (dialect: DialectName): Promise<Database> => open(await emptyDatabase(dialect));

async function openFresh(dialect: DialectName): Promise<Database> {
  const { location, remove } = await freshDatabase(dialect);
  onTestFinished(remove);
  return open(location);
}

const raw = <R>(text: string) => ({ compile: () => CompiledQuery.raw(text) as CompiledQuery<R> });

/** All rows except counters, which a restore raises. */
async function readContent(database: Pick<Database, 'query'>): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of copiedTables().filter((name) => !getTableTraits(name)?.counter)) {
    const rows = await database.query(() => raw<Record<string, unknown>>(`SELECT * FROM ${table}`));
    const plain = (value: unknown) => (value instanceof Uint8Array ? [...value] : value);
    all[table] = rows
      .map((row) =>
        JSON.stringify(
          Object.entries(row)
            .map(([column, value]) => [column, plain(value)])
            .sort(),
        ),
      )
      .sort();
  }
  return all;
}

async function makeArchive(file: string, changes: Partial<Header>, frames: Content[]): Promise<void> {
  const header: Header = {
    format: 'mooring-backup',
    version: 1,
    made_at: '2026-11-01T09:00:00.000Z',
    program: '0.1.0',
    source: 'sqlite',
    migrations: [...knownMigrations],
    tables: [],
    ...changes,
  };
  const each = async function* () {
    yield* frames;
  };
  await pipeline(writeArchive(header, each()), createGzip(), createWriteStream(file));
}

function createFrame(table: string, rows: object[]): Content {
  const content = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { frame: { table, rows: rows.length, bytes: content.length }, content: [content] };
}
const keyValueRow = (name: string) => ({ name, value: 'x' });

/** A blob with all byte values, and a caller who has read it. */
async function addIngested({ database }: TestApp): Promise<void> {
  const [found] = await database.query((q) => q.selectFrom('ingest_apps').select('app_id'));
  const { app_id = '' } = found ?? {};
  const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const sent = { app_id, received_at: 1, install_id: 'x', log_count: 1, size: 256 };
  await database.transaction(async (db) => {
    await db.query((q) =>
      q.insertInto('ingest_batches').values({ ...sent, number: 1000, encoding: 'identity', is_history: 1, body }),
    );
    const item = { app_id, hour: 1, item: 'event', outcome: 'stored', reason: '', count: 1 } as const;
    await db.query((q) => q.insertInto('ingest_items').values(item));
    await db.query((q) => q.insertInto('ingest_history').values({ app_id, hash: 'x', taken_at: 1 }));
    await db.query((q) => q.insertInto('ingest_cursors').values({ app_id, consumer: 'x', number: 1 }));
    const part = { app_id, id: 'x', day: 1, state: 'live', is_sealed: 0, log_count: 1, changed_at: 1 } as const;
    await db.query((q) => q.insertInto('analytics_parts').values({ ...part, files: '{}', forgotten: '[]' }));
    const deletion = {
      app_id,
      kind: 'event',
      value: 'x',
      up_to: 1,
      requested_at: 1,
      part_count: 1,
      cleaned_to: 0,
    } as const;
    await db.query((q) => q.insertInto('analytics_forgotten').values(deletion));
    await db.query((q) => q.insertInto('analytics_retention').values({ app_id, days: 30 }));
    await db.query((q) => q.insertInto('analytics_pins').values({ app_id, holder: 'x', part_id: 'x' }));
    const [pack] = await db.query((q) => q.selectFrom('codepush_packages').select('id'));
    const diff = { package_id: pack?.id ?? '', from_hash: 'x', id: 'x', state: 'none', size: 0 } as const;
    await db.query((q) => q.insertInto('codepush_diffs').values(diff));
    const [deployment] = await db.query((q) => q.selectFrom('codepush_deployments').select('id'));
    const previousKey = { key: 'x', deployment_id: deployment?.id ?? '', ends_at: 1 };
    await db.query((q) => q.insertInto('codepush_former_keys').values(previousKey));
    const commit = { app_id, sha: 'x', message: 'x', author_name: 'x', author_email: 'x', authored_at: 'x' };
    await db.query((q) => q.insertInto('build_commits').values(commit));
    await db.query((q) => q.insertInto('build_pushes').values({ app_id, branch: 'x', commit_sha: 'x', id: 'x' }));
    const [runner] = await db.query((q) => q.selectFrom('runners').select('id'));
    const failures = { runner_id: runner?.id ?? '', device_key: 'x', count: 1, last_at: 1 };
    await db.query((q) => q.insertInto('runner_device_failures').values(failures));
    await db.query((q) => q.insertInto('test_device_selections').values({ app_id, short_id: 'x', devices: '[]' }));
    await db.query((q) => q.insertInto('analytics_cuts').values({ app_id, day: 1, limit_name: 'x', count: 1 }));
    const upload = {
      id: 'x',
      purpose: 'x',
      owner_id: app_id,
      state: 'open',
      type: 'x',
      max_bytes: 1,
      created_at: 1,
    } as const;
    const installed = { app_id, release_id: 1, group_id: '', installer: 'x', count: 1, noted_at: 1 };
    await db.query((q) => q.insertInto('release_installs').values(installed));
    const [user] = await db.query((q) => q.selectFrom('users').select('id'));
    const factor = { user_id: user?.id ?? '', sealed_secret: 'x', last_step: 1, enabled_at: null };
    await db.query((q) => q.insertInto('second_factors').values(factor));
    await db.query((q) => q.insertInto('recovery_codes').values({ user_id: user?.id ?? '', hash: 'x' }));
    const device = { hash: 'x', id: 'x', app_id, user_id: user?.id ?? '', platform: 'Android', created_at: 1 };
    await db.query((q) => q.insertInto('update_tokens').values(device));
    const rule = { id: 'x', keep_last: 1, keep_days: null, keep_latest: 1 } as const;
    await db.query((q) => q.insertInto('release_retention').values(rule));
    await db.query((q) => q.insertInto('release_gates').values({ app_id, holds_failed: 1 }));
    const held = {
      app_id,
      release_id: 1,
      type: 'group',
      destination: 'x',
      is_mandatory: 0,
      is_told: 1,
      held_at: 1,
    } as const;
    await db.query((q) => q.insertInto('held_releases').values(held));
    const tested = { run_id: 'x', app_id, sha256: 'x', release_id: 1, build_id: 1, result: 'passed' };
    await db.query((q) => q.insertInto('package_tests').values(tested));
    const user_id = user?.id ?? '';
    await db.query((q) => q.insertInto('release_notices').values({ user_id, app_id, release_id: 1 }));
    await db.query((q) => q.insertInto('tester_installs').values({ user_id, app_id, release_id: 1, installed_at: 1 }));
    await db.query((q) => q.insertInto('release_mail_refusals').values({ user_id, refused_at: 1 }));
    await db.query((q) => q.insertInto('uploads').values({ ...upload, expires_at: 1, piece_count: 1, piece_bytes: 0 }));
    await db.query((q) => q.insertInto('file_downloads').values({ key: 'x', count: 1 }));
    await db.query((q) => q.insertInto('upload_pieces').values({ upload_id: 'x', name: 'x', attempt: 'x' }));
  });
}

/** Rows in every table about crashes. */
async function addCrash({ database }: TestApp): Promise<void> {
  const [found] = await database.query((q) => q.selectFrom('ingest_apps').select('app_id'));
  const { app_id = '' } = found ?? {};
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const counts = { count: 1, device_count: 1, first_at: 1, last_at: 1 };
  const common = { app_id, id: 'x', number: 1, kind: 'crash', state: 'open', annotation: '', ...counts } as const;
  const versions = { first_version: '1', last_version: '1', closed_version: null };
  const texts = {
    exception_type: 'E',
    message: '',
    class_name: 'A',
    method: 'b',
    file: 'A.java',
    line: 1,
    frame: 'null',
  };
  const device = { model: 'x', oem: 'x', os: 'x', os_name: 'x', os_version: 'x', country: 'DE', language: 'de' };
  const report = {
    app_id,
    id: 'x',
    sent_id: 'x',
    install_id: 'x',
    group_id: 'x',
    kind: 'crash',
    type: 'x',
    note: '',
  } as const;
  const more = { at: 1, received_at: 1, version: '1', build: '1', user_id: null, session_id: null, properties: '{}' };
  const flags = { state: 'processed', has_attachments: 1, is_symbolicated: 1 } as const;
  const file = { content_type: 'x', file_name: 'x', size: 1, blob_key: '', created_at: 1 };
  await database.transaction(async (db) => {
    const add = <T extends Parameters<Parameters<Parameters<typeof db.query>[0]>[0]['insertInto']>[0]>(
      table: T,
      row: object,
    ) =>
      db.query((q) =>
        q
          .insertInto(table)
          .values(row as never)
          .onConflict((c) => c.doNothing()),
      );
    await add('crash_apps', { app_id, rules: '[]', retention_days: 0, last_number: 1, grouping_version: 1 });
    await add('crash_issues', { ...common, ...versions, group_id: 'x', regressed_version: null, regressed_at: null });
    await add('crash_keys', { app_id, key: 'x', issue_id: 'x' });
    const place = { issue_id: 'x', key: 'x', version: '1', build: '1', search_key: '', last_report_id: 'x' };
    await add('crash_groups', { ...common, ...texts, ...place });
    await add('crash_awaited_groups', { app_id, key: 'x', state: 'closed', annotation: 'x' });
    await add('crash_aliases', { app_id, id: 'y', group_id: 'x' });
    await add('crash_reports', { ...report, ...more, ...device, ...flags });
    await add('crash_bodies', { app_id, report_id: 'x', log: bytes, stack: bytes });
    await add('crash_properties', { app_id, name: 'x', value: 'x', report_id: 'x' });
    await add('crash_attachments', { app_id, id: 'x', sent_id: 'x', install_id: 'x', error_id: 'x', ...file });
    await add('crash_days', { app_id, group_id: 'x', day: 1, count: 1, devices: 1 });
    await add('crash_app_days', { app_id, day: 1, kind: 'crash', version: '1', build: '1', count: 1 });
    await add('crash_group_devices', { app_id, group_id: 'x', install_id: 'x', day: 1 });
    await add('crash_issue_devices', { app_id, issue_id: 'x', install_id: 'x' });
    await add('crash_app_devices', { app_id, kind: 'crash', day: 1, install_id: 'x', version: '1', build: '1' });
    await add('crash_facets', { app_id, group_id: 'x', facet: 'os', value: 'x', count: 1 });
    await add('symbol_aliases', { app_id, alias: 'x', symbol_id: 'y' });
  });
}

/** An alert, a queued daily email, and a quota. */
async function addAlert({ database }: TestApp): Promise<void> {
  await database.transaction(async (db) => {
    const [rule] = await db.query((q) => q.selectFrom('alert_rules').select(['id', 'app_id']));
    const { id: rule_id = '', app_id = '' } = rule ?? {};
    const times = { started_at: 1, ended_at: null };
    const alert = { id: 'x', app_id, rule_id, threshold: 99.5, value: 98.25, subject: null, tracking_id: null };
    await db.query((q) => q.insertInto('alerts').values({ ...alert, ...times }));
    const [announcement] = await db.query((q) => q.selectFrom('announcements').select('id'));
    const [user] = await db.query((q) => q.selectFrom('users').select('id'));
    const item = { user_id: user?.id ?? '', announcement_id: announcement?.id ?? '', app_id, due_at: 1 };
    await db.query((q) => q.insertInto('digest_items').values(item));
    await db.query((q) => q.insertInto('mailed').values({ what: 'x', at: 1 }));
    const quota = { owner_id: user?.id ?? '', measure: 'storage_bytes', most: 1 };
    await db.query((q) => q.insertInto('quotas').values(quota));
  });
}

/** The build of a release, a reply to feedback, a mapped membership, a passkey, a CI rule and a used logout token. */
async function addRecords({ database }: TestApp): Promise<void> {
  await database.transaction(async (db) => {
    const [user] = await db.query((q) => q.selectFrom('users').select('id'));
    const [app] = await db.query((q) => q.selectFrom('apps').select('id'));
    const [message] = await db.query((q) => q.selectFrom('feedback').select('id'));
    const [org] = await db.query((q) => q.selectFrom('owners').select('id').where('kind', '=', 'org'));
    const { id: user_id = '' } = user ?? {};
    const { id: app_id = '' } = app ?? {};
    const { id: feedback_id = '' } = message ?? {};
    const { id: org_id = '' } = org ?? {};
    const built = { app_id, release_id: 1, build_id: 1 };
    await db.query((q) => q.insertInto('package_releases').values(built));
    const reply = { id: 'x', feedback_id, author_id: user_id, to: 'x@example.com', text: 'x', sent_at: 1 };
    await db.query((q) => q.insertInto('feedback_replies').values(reply));
    const membership = { user_id, provider: 'x', kind: 'team', target_id: 'x', org_id, role: null } as const;
    await db.query((q) => q.insertInto('mapped_memberships').values(membership));
    const device = { handle: 'x', name: 'x', public_key: 'x', sign_count: 1, transports: '[]', is_synced: 0 } as const;
    const times = { created_at: 1, last_used_at: null };
    await db.query((q) => q.insertInto('passkeys').values({ id: 'x', user_id, ...device, ...times }));
    const rule = { id: 'x', app_id, provider: 'github', issuer: 'x', claims: '{}', permissions: '[]' } as const;
    await db.query((q) => q.insertInto('ci_rules').values({ ...rule, created_by: user_id, ...times }));
    await db.query((q) => q.insertInto('ci_tokens').values({ hash: 'x', id: 'x', rule_id: 'x', expires_at: 1 }));
    await db.query((q) => q.insertInto('used_proofs').values({ hash: 'x', expires_at: 1 }));
  });
}

/** The fixtures, with rows that otherwise only exist after a while, so that no table is empty. */
async function fillEveryTable(app: TestApp): Promise<string> {
  const { ids, ada, grace } = await createFixtures(app);
  const { api_token } = await ada.call(userApiTokens_create, {
    body: { description: 'night\t"ly"\n\u2028 ⚓ 日本丸 \\u0041 \'x\'' },
  });
  await ada.call(organizations_update, { params: { org_name: 'harbour' }, body: { name: 'lantern' } });
  // Inserted directly, because an attempt would need the network.
  const attempt = { number: 1, at: 1, ms: 2, status: null, error: 'refused', answer: null };
  const delivery_id = getId({ ids }, HealthWebhookDeliveries_Replay, 'deliveryId');
  await tx(app.deps, ({ db }) => insertAttempts(db, [{ ...attempt, delivery_id }]));
  await addCrash(app);
  await addIngested(app);
  await addAlert(app);
  await addRecords(app);
  await ada.call(appSecrets_rotate, { params: { owner_name: 'ada', app_name: 'compass' }, body: {} });
  const browser = openBrowser(app);
  await browser.signIn(grace.name);
  const client = { id: getId({ ids }, adminOauthClients_update, 'client_id') };
  await browser.obtain(client);
  await browser.obtain(client, pkce);
  await app.call('POST', '/v0.1/sessions', { body: { login: 'grace', password: 'a wrong password' } });
  return api_token;
}

eachDatabase('a backup', (dialect) => {
  it('copies everything to the other database and back, and tokens still work', async () => {
    const app = await testApp(dialect);
    const token = await fillEveryTable(app);
    // Otherwise a timer writes it at some point.
    await app.writeUse();
    const before = await readContent(app.deps.db);
    const empty = Object.entries(before).flatMap(([table, rows]) => (rows.length === 0 ? table : []));
    expect(empty).toEqual([]);
    await copy(app.database, at('first'));
    expect(statSync(at('first')).mode & 0o777).toBe(0o600);

    const there = await openEmpty(other[dialect]);
    const { header, migrated } = await load(there, at('first'));
    expect(migrated).toEqual([]);
    expect(header).toMatchObject({ source: dialect, migrations: knownMigrations });
    expect(await readContent(there)).toEqual(before);

    await copy(there, at('second'));
    const target = await testApp(dialect);
    await load(target.database, at('second'));
    expect(await readContent(target.database)).toEqual(before);
    expect((await target.call('GET', '/v0.1/user', { token })).json()).toMatchObject({ name: 'ada' });
    const next = await target.call('POST', '/v0.1/apps', {
      token,
      body: { display_name: 'New', os: 'Android', platform: 'Java' },
    });
    expect(next.statusCode).toBe(201);
    // The next event gets a new number, and cached lists are dropped.
    await target.publish('NEXT-1');
  }, 180_000);

  it('contains one snapshot, although other writes continue', async () => {
    const database = await openFresh(dialect);
    const insert = (name: string) =>
      database.transaction((db) => db.query((q) => q.insertInto('key_values').values(keyValueRow(name))));
    for (let n = 0; n < 450; n++) await insert(`before ${n}`);
    let wrote: Promise<unknown> | undefined;
    const onProgress = () => {
      wrote ??= insert('meanwhile');
    };
    await backUp(database, store(), { file: at('file'), program: '0.1.0', now: 0, onProgress });
    await wrote;
    const target = await openFresh(dialect);
    await load(target, at('file'));
    expect((await readContent(target)).key_values).toHaveLength(450);
    expect((await readContent(database)).key_values).toHaveLength(451);
  });

  it('contains blobs of any size and type', async () => {
    const from = createDiskStore(at('from'));
    const to = createDiskStore(at('to'));
    const large = Buffer.alloc(3_000_000, 'anchor');
    await from.put('avatars/a', [Buffer.from('\n{"end":true}\n')], { type: 'image/png', maxBytes: 100 });
    await from.put('avatars/b', [large], { type: 'text/plain', maxBytes: large.length });
    await from.put('empty', [], { type: 'text/plain', maxBytes: 0 });
    const database = await openFresh(dialect);
    expect((await copy(database, at('file'), from)).blobs).toBe(3);
    expect((await load(await openFresh(dialect), at('file'), { blobs: to })).blobs).toBe(3);
    expect((await Array.fromAsync(to.list())).sort()).toEqual(['avatars/a', 'avatars/b', 'empty']);
    const loaded = await to.get('avatars/b');
    expect([loaded?.type, loaded && (await buffer(loaded.stream))]).toEqual(['text/plain', large]);
    // Identical files are accepted, different ones refused.
    await load(await openFresh(dialect), at('file'), { blobs: to });
    const third = await openFresh(dialect);
    // Same size and type, but different content.
    await to.put('avatars/a', [Buffer.from('\n{"end":none}\n')], { type: 'image/png', maxBytes: 100 });
    await expect(load(third, at('file'), { blobs: to })).rejects.toThrow(/avatars\/a already exists/);
    await to.put('avatars/a', [Buffer.from('other')], { type: 'image/png', maxBytes: 100 });
    await expect(load(third, at('file'), { blobs: to })).rejects.toThrow(/avatars\/a already exists/);
    expect((await readContent(third)).owners).toEqual([]);
    await load(third, at('file'), { blobs: to, force: true });
    const forced = await to.get('avatars/a');
    expect(forced && (await buffer(forced.stream)).toString()).toBe('\n{"end":true}\n');
  });

  it('reports blobs that were removed or replaced meanwhile', async () => {
    const blobs = createDiskStore(at('from'));
    const put = (key: string) => blobs.put(key, [Buffer.from('image')], { type: 'image/png', maxBytes: 5 });
    for (const key of ['avatars/stays', 'avatars/before', 'avatars/removed']) await put(key);
    const database = await openFresh(dialect);
    let replaced: Promise<unknown> | undefined;
    const onProgress = () => {
      replaced ??= Promise.all([blobs.delete('avatars/before'), blobs.delete('avatars/removed'), put('avatars/after')]);
    };
    const waiting: BlobStore = {
      ...blobs,
      async *list() {
        await replaced;
        yield* blobs.list();
      },
    };
    const made = await backUp(database, waiting, { file: at('file'), program: '0.1.0', now: 0, onProgress });
    expect([made.blobs, made.lost]).toEqual([2, ['avatars/before', 'avatars/removed']]);
    expect((await copy(database, at('again'), blobs)).lost).toEqual([]);
  });

  it('copies or excludes each table', async () => {
    const database = await openFresh(dialect);
    const query =
      dialect === 'sqlite'
        ? `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'`
        : `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
    const tables = await database.query(() => raw<{ name: string }>(query));
    const known = [...copiedTables(), ...leftOutTables()];
    expect(tables.map(({ name }) => name).sort()).toEqual([...known].sort());
  });

  it('does not overwrite a database that is not empty without --force', async () => {
    const app = await testApp(dialect);
    await createFixtures(app);
    await app.writeUse();
    await copy(app.database, at('file'));
    const target = await testApp(dialect);
    const hedy = await target.addUser('hedy');
    const stranger = await target.userToken(hedy);
    expect((await target.call('GET', '/v0.1/user', { token: stranger })).statusCode).toBe(200);
    await target.writeUse();
    const before = await readContent(target.database);
    await expect(load(target.database, at('file'))).rejects.toThrow(/not empty.*owners/);
    expect(await readContent(target.database)).toEqual(before);
    await load(target.database, at('file'), { force: true });
    expect(await readContent(target.database)).toEqual(await readContent(app.deps.db));
    // The server has cached the credential, and must drop it.
    expect((await target.call('GET', '/v0.1/user', { token: stranger })).statusCode).toBe(401);
  });

  it('of an older version is restored and migrated', async () => {
    const rows = [
      { id: 'a', kind: 'user', name: 'ada', name_key: 'ada', display_name: 'Ada', avatar_url: null, created_at: 5 },
    ];
    // The first migration created the second table with a row; a later one has dropped it.
    const tables = [
      { name: 'owners', rows: 1 },
      { name: 'authority', rows: 1 },
    ];
    const frames = [createFrame('owners', rows), createFrame('authority', [{ id: 1, epoch: 7 }])];
    await makeArchive(at('old'), { migrations: knownMigrations.slice(0, 1), tables }, frames);
    const database = await openEmpty(dialect);
    expect((await load(database, at('old'))).migrated).toEqual(knownMigrations.slice(1));
    const owners = await database.query((q) => q.selectFrom('owners').selectAll());
    expect(owners).toEqual([{ ...rows[0], updated_at: 5, display_name_key: 'ada' }]);
    await expect(load(await openFresh(dialect), at('old'))).rejects.toThrow(/newer than the backup/);
  });

  it('that fails midway leaves nothing behind', async () => {
    const frames = [
      createFrame('key_values', [keyValueRow('a')]),
      createFrame('key_values', [keyValueRow('b'), keyValueRow('a')]),
    ];
    await makeArchive(at('twice'), { tables: [{ name: 'key_values', rows: 3 }] }, frames);
    const database = await openFresh(dialect);
    await expect(load(database, at('twice'))).rejects.toThrow();
    expect((await readContent(database)).key_values).toEqual([]);
    expect(await database.query((q) => q.selectFrom('versions').selectAll())).toEqual([]);
  });
});

it('lists each table after those it references', async () => {
  const database = await openFresh('sqlite');
  const references = await database.query(() =>
    raw<{ child: string; parent: string }>(
      `SELECT m.name AS child, f."table" AS parent FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f`,
    ),
  );
  expect(references.length).toBeGreaterThan(10);
  const order: readonly string[] = copiedTables();
  const copied = references.filter(({ child, parent }) => child !== parent && order.includes(child));
  for (const { child, parent } of copied) {
    expect(order.indexOf(parent), `${child} refers to ${parent}`).toBeLessThan(order.indexOf(child));
  }
});

describe('a file', () => {
  async function validFile(): Promise<Buffer> {
    const rows = Array.from({ length: 50 }, (_, n) => keyValueRow(`key ${n}`));
    const blob = { frame: { blob: 'avatars/a', type: 'image/png', bytes: 5 }, content: [Buffer.from('image')] };
    const frames = [createFrame('key_values', rows), blob];
    await makeArchive(at('good'), { tables: [{ name: 'key_values', rows: 50 }] }, frames);
    return readFileSync(at('good'));
  }

  async function refusal(content: Buffer): Promise<unknown> {
    writeFileSync(at('bad'), content);
    const database = await openEmpty('sqlite');
    const error = await load(database, at('bad')).catch((reason: unknown) => reason);
    expect(await database.appliedMigrations()).toEqual([]);
    expect(await Array.fromAsync(store().list())).toEqual([]);
    return error;
  }

  it('that is truncated anywhere is refused, and nothing is written', async () => {
    const good = await validFile();
    for (const length of [0, 5, 20, Math.floor(good.length / 2), good.length - 9, good.length - 1]) {
      expect(await refusal(good.subarray(0, length)), `${length} bytes`).toBeInstanceOf(DamagedBackup);
    }
    const text = gunzipSync(good);
    const lines = text.toString().split('\n');
    for (const count of [1, 2, 10, lines.length - 3, lines.length - 2]) {
      const text = `${lines.slice(0, count).join('\n')}\n`;
      expect(await refusal(gzipSync(text)), `${count} lines`).toBeInstanceOf(DamagedBackup);
    }
  });

  it('that was altered anywhere is refused, and nothing is written', async () => {
    const text = gunzipSync(await validFile()).toString();
    const changes: [string, string][] = [
      ['"rows":50}]', '"rows":49}]'],
      ['"source":"sqlite"', '"source":"postgres"'],
      ['key 7', 'key 8'],
      ['"table":"key_values"', '"table":"sign_in_fails"'],
      ['"frames":2', '"frames":1'],
      ['\nimage{', '\nigame{'],
      ['"blob":"avatars/a"', '"blob":"avatars/b"'],
      ['"bytes":', '"bytes":9'],
      ['{"sha256":"', '{"sha256":"0'],
      ['mooring-backup', 'something-else'],
      ['"version":1', '"version":2'],
      ['{"end"', 'nonsense {"end"'],
    ];
    for (const [from, to] of changes) {
      const altered = text.replace(from, to);
      expect(altered).not.toBe(text);
      expect(await refusal(gzipSync(altered)), `${from} → ${to}`).toBeInstanceOf(DamagedBackup);
    }
    expect(await refusal(gzipSync(`${text}more\n`))).toBeInstanceOf(DamagedBackup);
    expect(await refusal(Buffer.from('not compressed at all'))).toBeInstanceOf(DamagedBackup);
  });

  it('that was altered and hashed again is refused, and nothing is written', async () => {
    const rows = [keyValueRow('one')];
    const refuse = async (header: object, frames: Parameters<typeof makeArchive>[2]) => {
      await makeArchive(at('forged'), header as Parameters<typeof makeArchive>[1], frames);
      return refusal(readFileSync(at('forged')));
    };
    for (const name of ['migrations', 'sqlite_schema', 'a"; drop table users; --', '../users', '']) {
      const forged = await refuse({ tables: [{ name, rows: 1 }] }, [createFrame(name, rows)]);
      expect(forged, name).toMatchObject({ name: 'DamagedBackup', message: 'The header was altered.' });
    }
    for (const header of [{ tables: null }, { tables: [{ name: 'key_values', rows: -1 }] }, { migrations: 'all' }])
      expect(await refuse(header, [])).toBeInstanceOf(DamagedBackup);
  });

  it('with invalid rows is refused, and leaves no rows and no files', async () => {
    for (const text of ['nonsense\n', '{"a":1}\n{"b":1}\n', '[]\nnull\n']) {
      const content = Buffer.from(text);
      const count = text.trimEnd().split('\n').length;
      const frame = { frame: { table: 'key_values', rows: count, bytes: content.length }, content: [content] };
      await makeArchive(at('rows'), { tables: [{ name: 'key_values', rows: count }] }, [frame]);
      await expect(load(await openEmpty('sqlite'), at('rows')), text).rejects.toThrow(
        'Rows of table key_values were altered.',
      );
      expect(await Array.fromAsync(store().list())).toEqual([]);
    }
  });

  it('with file names that lead out of the folder writes nothing there', async () => {
    const frames = ['../../escaped', '/etc/escaped'].map((blob) => ({
      frame: { blob, type: 'text/plain', bytes: 1 },
      content: [Buffer.from('x')],
    }));
    await makeArchive(at('out'), { tables: [] }, frames);
    await expect(load(await openEmpty('sqlite'), at('out'))).rejects.toThrow();
    expect(await Array.fromAsync(store().list())).toEqual([]);
  });

  it('of a newer version is refused with a remedy', async () => {
    await makeArchive(at('new'), { migrations: [...knownMigrations, '9999-future'] }, []);
    await expect(load(await openEmpty('sqlite'), at('new'))).rejects.toThrow(/newer version.*9999-future/);
  });

  it('does not overwrite an existing file', async () => {
    writeFileSync(at('file'), 'precious');
    await expect(copy(await openFresh('sqlite'), at('file'))).rejects.toThrow(/already exists/);
    expect(readFileSync(at('file'), 'utf8')).toBe('precious');
  });

  it('does not exist after a failure', async () => {
    const database = await openFresh('sqlite');
    const onProgress = () => {
      throw new Error('disk full');
    };
    const failing = backUp(database, store(), { file: at('file'), program: '', now: 0, onProgress });
    await expect(failing).rejects.toThrow('disk full');
    expect(readdirSync(scratch)).toEqual([]);
    expect(existsSync(at('file'))).toBe(false);
  });

  it('needs all migrations to be applied first', async () => {
    await expect(copy(await openEmpty('sqlite'), at('file'))).rejects.toThrow(/lacks/);
  });
});
