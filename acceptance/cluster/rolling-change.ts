import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as contract from '@mooring/contract';
import type * as contractWorld from '@mooring/contract/world';
import { withInstallation } from '../faults/installation.ts';
import { send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { checkChanges } from './failover.ts';
import { startLoad } from './load.ts';

const root = path.join(import.meta.dirname, '../..');
const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** How long both are asked at the same time. */
const BESIDE_MS = 10_000;

/** An earlier version, with the packages that this one has installed. */
async function withCheckout<T>(commit: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'mooring-earlier-')), 'checkout');
  git('worktree', 'add', '--detach', '--quiet', folder, commit);
  try {
    // As links where the disk is the same, and else as copies.
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

/** What an earlier version calls its operations, and the world of its examples. */
async function contractOf(folder: string): Promise<typeof contract & typeof contractWorld> {
  const load = (file: string) => import(pathToFileURL(path.join(folder, 'packages/contract/src', file)).href);
  return { ...(await load('index.ts')), ...(await load('world.ts')) };
}

/**
 * A process of an earlier version goes on answering while one of this version starts on the same database and changes it, and
 * for as long as both run; what it acknowledged is there afterwards.
 */
export const changeRolling = (from: string): Promise<string> =>
  withCheckout(from, (checkout) =>
    withInstallation('postgres', async ({ settings, rows }) => {
      const { buildWorld, endpoints, exampleRequest, isRead, kindOfResponse } = await contractOf(checkout);
      const env = { ...settings.env, MOORING_RATE_LIMIT: '0' };
      const earlier = await startServer({ ...settings, env, checkout });
      let later: RunningServer | undefined;
      try {
        const world = await buildWorld({ baseUrl: earlier.httpUrl, fetch, now: Date.now });
        const { token } = world.ada;
        const reads = endpoints.filter((spec) => isRead(spec) && spec.method === 'GET');
        /** Each is answered as its contract says. The later version may have changed it: then only not with a fault. */
        const readAll = async ({ httpUrl }: RunningServer, isLater = false) => {
          for (const spec of reads) {
            const { method, url, headers } = exampleRequest(spec, { ids: world.ids });
            const answer = await send(method, httpUrl + url, { token, headers });
            const expected = kindOfResponse(spec.response).statuses(spec.response)[0];
            const isFine = isLater ? answer.status < 500 : answer.status === expected;
            assert.ok(isFine, `${spec.id} was answered with ${answer.status}: ${answer.text.slice(0, 500)}`);
          }
        };
        await readAll(earlier);
        const migrated = async () => Number((await rows('SELECT count(*) AS count FROM migrations'))[0]?.count);
        const before = await migrated();
        const ca = readFileSync(earlier.caFile, 'utf8');
        const load = startLoad(earlier.httpUrl, { token, ca, writers: 4 });
        later = await startServer({ ...settings, env });
        const after = await migrated();
        assert.ok(after > before, `There is no migration since ${from}: nothing would be shown.`);
        const loadOfLater = startLoad(later.httpUrl, { token, ca, writers: 4, firstWriter: 4 });
        await readAll(earlier);
        await readAll(later, true);
        await sleep(BESIDE_MS);
        await load.stop();
        assert.deepEqual([...load.answers.keys()], [201], 'the earlier process refused something');
        await earlier.stop({ keepData: true });
        await loadOfLater.stop();
        assert.deepEqual([...loadOfLater.answers.keys()], [201], 'the later process refused something');
        const { httpUrl } = later;
        const kept = await checkChanges(
          (path) => send('GET', httpUrl + path, { token }),
          [...load.changes, ...loadOfLater.changes],
        );
        const dead = await rows('SELECT name, last_error FROM jobs WHERE due_at IS NULL');
        assert.deepEqual(dead, [], 'jobs that one of the two could not do');
        const version = git('rev-parse', '--short', from);
        return `a process of ${version} went on while one of this version started beside it and changed the database by ${after - before} migrations: ${reads.length} operations answered by both, ${kept} changes made by both, none refused and all there`;
      } catch (error) {
        // What they have to say about it is written a moment later.
        await sleep(500);
        throw new Error(`${(error as Error).message}\n${earlier.output()}\n${later?.output() ?? ''}`, { cause: error });
      } finally {
        await later?.stop({ keepData: true });
        await earlier.stop({ keepData: true });
      }
    }),
  );
