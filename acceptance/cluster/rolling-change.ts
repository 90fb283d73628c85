import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as contract from '@mooring/contract';
import type * as contractFixtures from '@mooring/contract/fixtures';
import { withInstallation } from '../faults/installation.ts';
import { send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { checkChanges } from './failover.ts';
import { startLoad } from './load.ts';

const root = path.join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** How long both versions receive requests at the same time. */
const BESIDE_MS = 10_000;

/** An earlier version, with the installed packages of this one. */
async function withCheckout<T>(commit: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'mooring-earlier-')), 'checkout');
  git('worktree', 'add', '--detach', '--quiet', folder, commit);
  try {
    // Hard links if possible, otherwise copies.
    const modules = path.join(root, 'node_modules');
    try {
      execFileSync('cp', ['-al', modules, folder], { stdio: 'ignore' });
    } catch {
      execFileSync('cp', ['-a', modules, folder]);
    }
    return await use(folder);
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}

/** Operations and test fixtures of an earlier version. Early ones have other names for the file and two functions. */
async function importContract(folder: string) {
  const contractFolder = path.join(folder, 'packages/contract/src');
  const load = (file: string) => import(pathToFileURL(path.join(contractFolder, file)).href);
  const index: typeof contract & { kindOfResponse?: typeof contract.getResponseKind } = await load('index.ts');
  const isRenamed = existsSync(path.join(contractFolder, 'fixtures.ts'));
  const fixtures: typeof contractFixtures & { buildWorld?: typeof contractFixtures.buildFixtures } = await load(
    isRenamed ? 'fixtures.ts' : 'world.ts',
  );
  return {
    ...index,
    exampleRequest: fixtures.exampleRequest,
    buildFixtures: fixtures.buildFixtures ?? fixtures.buildWorld,
    getResponseKind: index.getResponseKind ?? index.kindOfResponse,
  };
}

/**
 * A process of an earlier version keeps answering while one of this version starts on the same database, migrates it,
 * and runs beside it; acknowledged changes stay.
 */
export const changeRolling = (from: string): Promise<string> =>
  withCheckout(from, (checkout) =>
    withInstallation('postgres', async ({ settings, rows }) => {
      const { buildFixtures, endpoints, exampleRequest, isRead, getResponseKind } = await importContract(checkout);
      const env = { ...settings.env, MOORING_RATE_LIMIT: '0' };
      const earlier = await startServer({ ...settings, env, checkout });
      let later: RunningServer | undefined;
      try {
        const fixtures = await buildFixtures({ baseUrl: earlier.httpUrl, fetch, now: Date.now });
        const { token } = fixtures.ada;
        const reads = endpoints.filter((spec) => isRead(spec) && spec.method === 'GET');
        /**
         * Each response must match its contract, or fail without a server error if the later version has changed the
         * data.
         */
        const readAll = async ({ httpUrl }: RunningServer, isLater = false) => {
          for (const spec of reads) {
            const { method, url, headers } = exampleRequest(spec, { ids: fixtures.ids });
            const answer = await send(method, httpUrl + url, { token, headers });
            const expected = getResponseKind(spec.response).statuses(spec.response)[0];
            const isFine = isLater ? answer.status < 500 : answer.status === expected;
            assert.ok(isFine, `${spec.id} returned ${answer.status}: ${answer.text.slice(0, 500)}`);
          }
        };
        await readAll(earlier);
        const migrated = async () => Number((await rows('SELECT count(*) AS count FROM migrations'))[0]?.count);
        const before = await migrated();
        const ca = readFileSync(earlier.caFile, 'utf8');
        const load = startLoad(earlier.httpUrl, { token, ca, writers: 4 });
        later = await startServer({ ...settings, env });
        const after = await migrated();
        assert.ok(after > before, `There is no migration since ${from}, so the run would prove nothing.`);
        const laterLoad = startLoad(later.httpUrl, { token, ca, writers: 4, firstWriter: 4 });
        await readAll(earlier);
        await readAll(later, true);
        await sleep(BESIDE_MS);
        await load.stop();
        assert.deepEqual([...load.answers.keys()], [201], 'the earlier process rejected a change');
        await earlier.stop({ keepData: true });
        await laterLoad.stop();
        assert.deepEqual([...laterLoad.answers.keys()], [201], 'the later process rejected a change');
        const { httpUrl } = later;
        const confirmed = await checkChanges(
          (path) => send('GET', httpUrl + path, { token }),
          [...load.changes, ...laterLoad.changes],
        );
        const dead = await rows('SELECT name, last_error FROM jobs WHERE due_at IS NULL');
        assert.deepEqual(dead, [], 'a job failed in one of the processes');
        const version = git('rev-parse', '--short', from);
        return `a process of ${version} continued while a process of this version started beside it and migrated the database by ${after - before} migrations: ${reads.length} operations answered by both, ${confirmed} changes made by both, none refused and all present`;
      } catch (error) {
        // Log lines about it are written with a delay.
        await sleep(500);
        throw new Error(`${(error as Error).message}\n${earlier.output()}\n${later?.output() ?? ''}`, { cause: error });
      } finally {
        await later?.stop({ keepData: true });
        await earlier.stop({ keepData: true });
      }
    }),
  );
