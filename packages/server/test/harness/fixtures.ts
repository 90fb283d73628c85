import { buffer } from 'node:stream/consumers';
import { adminJobs_replay, createClient, server_setUp } from '@mooring/contract';
import { buildFixtures, type FixtureServer, type Fixtures, movedTo, putId } from '@mooring/contract/fixtures';
import { vi } from 'vitest';
import { injectFetch } from '../../../../tools/inject-fetch.ts';
import type { Config } from '../../src/config.ts';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { tx } from '../../src/db/tx.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/sessions/setup.ts';
import { processRest } from '../../src/domains/crashes/reports/processing/processing.ts';
import { redrawPicture } from '../../src/domains/feedback/pictures.ts';
import { getSigningKey } from '../../src/domains/identity/tokens/keys.ts';
import { findSubjectUser } from '../../src/domains/identity/tokens/subjects.ts';
import { indexUpload } from '../../src/domains/symbols/indexing.ts';
import { readSecretKey } from '../../src/kernel/crypto/secret-key.ts';
import { password, type TestApp, testApp } from './app.ts';
import { copyDatabase, lastingDatabase, type TestDatabase } from './services/databases.ts';

/** Jobs that process uploads; others stay queued, because examples show them. */
async function doRest({ deps, database }: TestApp): Promise<void> {
  await processRest(systemCtx(deps));
  const committed = await database.query((q) =>
    q.selectFrom('symbol_uploads').select('id').where('status', '=', 'committed'),
  );
  for (const { id } of committed) await indexUpload(systemCtx(deps), id);
  const pictures = await database.query((q) =>
    q.selectFrom('feedback_pictures').select(['id', 'blob_key']).where('state', '=', 'waiting'),
  );
  for (const { id, blob_key } of pictures) await redrawPicture(systemCtx(deps), { id, key: blob_key });
}

/** A server without ports, as fixtures use it. */
const toFixtureServer = (app: TestApp): FixtureServer => ({
  baseUrl: '',
  fetch: injectFetch(app.http),
  now: () => app.deps.clock.now(),
  runPendingJobs: () => doRest(app),
});

/** Fixtures of the examples, including rows that no request can create. */
export async function createFixtures(app: TestApp): Promise<Fixtures> {
  const server = toFixtureServer(app);
  const setup_token = (await prepareFirstAdmin(systemCtx(app.deps))) ?? '';
  const body = { setup_token, name: 'ada', email: 'ada@example.com', password };
  await createClient(server)(server_setUp, { body });
  const fixtures = await buildFixtures(server);
  await addRest(app, fixtures);
  return fixtures;
}

/** Inserted directly, because it otherwise takes fifteen failures and seven hours, or another server. */
async function addRest(app: TestApp, fixtures: Fixtures): Promise<void> {
  const { email } = fixtures.ada;
  putId(fixtures, adminJobs_replay, 'job_id', await app.buryJob());
  await tx(app.deps, ({ db }) => db.query((q) => q.updateTable('deliveries').set({ state: 'Failed' })));
  await findSubjectUser(app.deps, { iss: 'https://login.example.com', sub: 'a', email, email_verified: true });
}

/** Copies of the fixtures share the key for sealed values. */
const secretKey = readSecretKey('0'.repeat(64));

/** Uploaded images and packages, which are not in the database. */
async function listFiles({ deps }: TestApp): Promise<Map<string, { type: string; content: Buffer }>> {
  const files = new Map<string, { type: string; content: Buffer }>();
  for await (const key of deps.blobs.list()) {
    const blob = await deps.blobs.get(key);
    if (blob) files.set(key, { type: blob.type, content: await buffer(blob.stream) });
  }
  return files;
}

interface Filled {
  database: TestDatabase;
  fixtures: Fixtures;
  files: Awaited<ReturnType<typeof listFiles>>;
}

/** Filled once per process, because filling takes longer than most tests. */
const filled = new Map<DialectName, Promise<Filled>>();

async function fill(dialect: DialectName): Promise<Filled> {
  const database = await lastingDatabase(dialect);
  const app = await testApp(dialect, { secretKey }, { ...database, remove: async () => undefined });
  const fixtures = await createFixtures(app);
  // Prepared ahead, because copying takes longer than most examples.
  await getSigningKey(app.deps);
  const files = await listFiles(app);
  await app.stop();
  return { database, fixtures, files };
}

/** Copies of a database that is filled once; each test may change its copy. */
export function fixtureCopies(dialect: DialectName) {
  // The first test that needs it fills it, which takes long on a busy machine.
  vi.setConfig({ testTimeout: 120_000 });
  return async (settings: Partial<Config> = {}): Promise<{ app: TestApp; fixtures: Fixtures }> => {
    const filling = filled.get(dialect) ?? fill(dialect);
    filled.set(dialect, filling);
    const { database, fixtures, files } = await filling;
    const app = await testApp(dialect, { ...settings, secretKey }, await copyDatabase(dialect, database));
    for (const [key, { type, content }] of files) await app.deps.blobs.put(key, [content], { type, maxBytes: 1e6 });
    return { app, fixtures: movedTo(toFixtureServer(app), fixtures) };
  };
}
