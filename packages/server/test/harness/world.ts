import { buffer } from 'node:stream/consumers';
import {
  adminJobs_replay,
  apps_get,
  createClient,
  missingSymbolGroups_get,
  missingSymbolGroups_list,
  server_setUp,
  symbols_ignore,
  symbolUploads_complete,
  symbolUploads_get,
} from '@mooring/contract';
import { buildWorld, movedTo, putId, type World, type WorldServer } from '@mooring/contract/world';
import { afterAll, vi } from 'vitest';
import { injectFetch } from '../../../../tools/inject-fetch.ts';
import type { Config } from '../../src/config.ts';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/connection.ts';
import { tx } from '../../src/db/tx.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/setup.ts';
import { processRest } from '../../src/domains/crashes/reports/processing.ts';
import { getSigningKey } from '../../src/domains/identity/keys.ts';
import { findSubjectUser } from '../../src/domains/identity/subjects.ts';
import { indexUpload } from '../../src/domains/symbols/indexing.ts';
import { needSymbols } from '../../src/domains/symbols/missing-symbols.ts';
import { readSecretKey } from '../../src/kernel/secret-key.ts';
import { password, type TestApp, testApp } from './app.ts';
import { copyDatabase, freshDatabase, type TestDatabase } from './databases.ts';
import { sendSymbols, uploadSymbols } from './symbols.ts';

/** A server without ports, as a world sees it. */
const serverOf = (app: TestApp): WorldServer => ({
  baseUrl: '',
  fetch: injectFetch(app.http),
  now: () => app.deps.clock.now(),
  settle: () => processRest(systemCtx(app.deps)),
});

/** The world of the examples, and what no call can bring about. */
export async function fillWorld(app: TestApp): Promise<World> {
  const server = serverOf(app);
  const setup_token = (await prepareFirstAdmin(systemCtx(app.deps))) ?? '';
  const body = { setup_token, name: 'ada', email: 'ada@example.com', password };
  await createClient(server)(server_setUp, { body });
  const world = await buildWorld(server);
  await addRest(app, world);
  return world;
}

/** It takes fifteen failures and seven hours, or another server. */
async function addRest(app: TestApp, world: World): Promise<void> {
  const { email } = world.ada;
  putId(world, adminJobs_replay, 'job_id', await app.buryJob());
  await tx(app.deps, ({ db }) => db.query((q) => q.updateTable('deliveries').set({ state: 'Failed' })));
  await addSymbols(app, world);
  await findSubjectUser(app.deps, { iss: 'https://login.example.com', sub: 'a', email, email_verified: true });
}

/** Symbols that were looked through, which is a job, and a crash that waits for others. */
async function addSymbols(app: TestApp, world: World): Promise<void> {
  const ctx = systemCtx(app.deps);
  const params = { owner_name: 'ada', app_name: 'compass' };
  const { id: appId } = await world.ada.call(apps_get, { params });
  const content = 'MODULE Linux arm64 33221100554477668899AABBCCDDEEFF0 libcompass.so\nFUNC 0 10 0 north\n';
  const upload = {
    token: world.ada.token,
    path: '/v0.1/apps/ada/compass',
    symbol_type: 'Breakpad',
    file_name: 'a.sym',
  };
  const uploadId = await uploadSymbols(app, upload, content);
  await indexUpload(ctx, uploadId);
  putId(world, symbolUploads_get, 'symbol_upload_id', uploadId);
  putId(world, symbolUploads_complete, 'symbol_upload_id', await sendSymbols(app, upload, content));
  const report = { appId, id: 'a', version: '1.4.0', build: '140', isError: false };
  const missing = { id: '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d', name: 'Compass', type: 'Apple', arch: 'arm64' } as const;
  await needSymbols(ctx, report, [missing]);
  await world.ada.call(symbols_ignore, { params: { ...params, symbol_id: missing.id } });
  const { groups } = await world.ada.call(missingSymbolGroups_list, { params, query: { top: 1 } });
  putId(world, missingSymbolGroups_get, 'symbol_group_id', groups[0]?.symbol_group_id ?? '');
}

/** What is sealed in one copy of the world must be readable in the others. */
const secretKey = readSecretKey('0'.repeat(64));

/** Images and packages that were uploaded, which are not in the database. */
async function filesOf({ deps }: TestApp): Promise<Map<string, { type: string; content: Buffer }>> {
  const files = new Map<string, { type: string; content: Buffer }>();
  for await (const key of deps.blobs.list()) {
    const blob = await deps.blobs.get(key);
    if (blob) files.set(key, { type: blob.type, content: await buffer(blob.stream) });
  }
  return files;
}

/** Fills one database for all tests of a file; each then works on a copy, in which it may break what it likes. */
export function worldCopies(dialect: DialectName) {
  let filled: Promise<{ database: TestDatabase; world: World; files: Awaited<ReturnType<typeof filesOf>> }> | undefined;
  const fill = async () => {
    const database = await freshDatabase(dialect);
    const app = await testApp(dialect, { secretKey }, { ...database, remove: async () => undefined });
    const world = await fillWorld(app);
    // To make one takes longer than most examples.
    await getSigningKey(app.deps);
    const files = await filesOf(app);
    await app.stop();
    return { database, world, files };
  };
  // The first test of a file fills the world, too, which takes its time on a machine that is busy.
  vi.setConfig({ testTimeout: 120_000 });
  afterAll(async () => (await filled)?.database.remove());
  return async (settings: Partial<Config> = {}): Promise<{ app: TestApp; world: World }> => {
    filled ??= fill();
    const { database, world, files } = await filled;
    const app = await testApp(dialect, { ...settings, secretKey }, await copyDatabase(dialect, database));
    for (const [key, { type, content }] of files) await app.deps.blobs.put(key, [content], { type, maxBytes: 1e6 });
    return { app, world: movedTo(serverOf(app), world) };
  };
}
