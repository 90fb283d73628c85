import { buffer } from 'node:stream/consumers';
import { adminJobs_replay, createClient, server_setUp } from '@mooring/contract';
import { buildWorld, movedTo, putId, type World, type WorldServer } from '@mooring/contract/world';
import { vi } from 'vitest';
import { injectFetch } from '../../../../tools/inject-fetch.ts';
import type { Config } from '../../src/config.ts';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/connection.ts';
import { tx } from '../../src/db/tx.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/sessions/setup.ts';
import { processRest } from '../../src/domains/crashes/reports/processing.ts';
import { getSigningKey } from '../../src/domains/identity/tokens/keys.ts';
import { findSubjectUser } from '../../src/domains/identity/tokens/subjects.ts';
import { indexUpload } from '../../src/domains/symbols/indexing.ts';
import { readSecretKey } from '../../src/kernel/secret-key.ts';
import { password, type TestApp, testApp } from './app.ts';
import { copyDatabase, lastingDatabase, type TestDatabase } from './databases.ts';

/** What jobs would do with what was sent; others are left to wait, as examples speak of them. */
async function doRest({ deps, database }: TestApp): Promise<void> {
  await processRest(systemCtx(deps));
  const committed = await database.query((q) =>
    q.selectFrom('symbol_uploads').select('id').where('status', '=', 'committed'),
  );
  for (const { id } of committed) await indexUpload(systemCtx(deps), id);
}

/** A server without ports, as a world sees it. */
const serverOf = (app: TestApp): WorldServer => ({
  baseUrl: '',
  fetch: injectFetch(app.http),
  now: () => app.deps.clock.now(),
  settle: () => doRest(app),
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
  await findSubjectUser(app.deps, { iss: 'https://login.example.com', sub: 'a', email, email_verified: true });
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

interface Filled {
  database: TestDatabase;
  world: World;
  files: Awaited<ReturnType<typeof filesOf>>;
}

/** To fill one takes longer than most files that need it, so it is done once for all that this process runs. */
const filled = new Map<DialectName, Promise<Filled>>();

async function fill(dialect: DialectName): Promise<Filled> {
  const database = await lastingDatabase(dialect);
  const app = await testApp(dialect, { secretKey }, { ...database, remove: async () => undefined });
  const world = await fillWorld(app);
  // To make one takes longer than most examples.
  await getSigningKey(app.deps);
  const files = await filesOf(app);
  await app.stop();
  return { database, world, files };
}

/** Copies of a database that is filled once; each test may break what it likes. */
export function worldCopies(dialect: DialectName) {
  // The first test that asks for one fills it, which takes its time on a machine that is busy.
  vi.setConfig({ testTimeout: 120_000 });
  return async (settings: Partial<Config> = {}): Promise<{ app: TestApp; world: World }> => {
    const filling = filled.get(dialect) ?? fill(dialect);
    filled.set(dialect, filling);
    const { database, world, files } = await filling;
    const app = await testApp(dialect, { ...settings, secretKey }, await copyDatabase(dialect, database));
    for (const [key, { type, content }] of files) await app.deps.blobs.put(key, [content], { type, maxBytes: 1e6 });
    return { app, world: movedTo(serverOf(app), world) };
  };
}
