import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Fixtures } from '@mooring/contract/fixtures';
import { createRandom } from '../../../tools/samples/random.ts';
import { getPort } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { createConnection, type Outcome } from '../attempt.ts';
import { digestTables } from '../digest.ts';
import { openFixtures } from '../fixtures.ts';
import { type Dialect, type Installation, withInstallation } from '../installation.ts';
import { type Attempt, type Callers, mutate } from './mutations.ts';

export interface MutatedRequests {
  dialect: Dialect;
  requests: number;
  /** The number of requests between two checks of the database. */
  round?: number;
  /** For a run that is long enough to distinguish growth from warming up. */
  judgesMemory?: boolean;
  seed?: number;
}

interface Stage {
  installation: Installation;
  server: RunningServer;
  send(attempt: Attempt): Promise<Outcome>;
  repair(): Promise<void>;
  ids: Fixtures['ids'];
  callers: Callers;
}

const settings = {
  MOORING_LOG_LEVEL: 'error',
  MOORING_RATE_LIMIT: '0',
  MOORING_REQUEST_TIMEOUT: '2',
  MOORING_OPEN_SIGN_UP: 'true',
  MOORING_TRUSTED_PROXIES: '127.0.0.1',
  // This operation records each request.
  MOORING_WATCHDOG_MINUTES: '0',
};
const CONCURRENCY = 8;
const MAX_PROBLEMS = 30;

/** Sends all requests, some concurrently; returns the results in order. */
async function sendAll(attempts: readonly Attempt[], send: (attempt: Attempt) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const lane = async () => {
    while (next < attempts.length) {
      const at = next++;
      outcomes[at] = await send(attempts[at] as Attempt);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return outcomes;
}

/** Existing clients expect 503 if there is nothing to cancel. */
const mayBeUnavailable = /^dataSubjectRight_cancel/;
/** Operations with limited concurrency reject excess requests. */
const isBusy = /Too many (?:questions|sign-ins|repositories|different pages)[^"]*(?:try again|retry)/i;
const isWrong = ({ status, text }: Outcome, { operation }: Attempt): boolean =>
  status === 'hung' ||
  (status >= 500 && status !== 501 && !(status === 503 && (mayBeUnavailable.test(operation) || isBusy.test(text))));
const isRefused = ({ status }: Outcome): boolean => typeof status === 'number' && status >= 400 && status < 500;

/** The server's log lines about a request. */
const getLogged = (server: RunningServer, attempt: Attempt): string => {
  const id = attempt.headers.findLast(([name]) => name === 'x-request-id')?.[1];
  return (
    server
      .output()
      .split('\n')
      .find((line) => id && line.includes(`"${id}"`)) ?? ''
  );
};

/**
 * A repeated code is rejected and recorded, and revokes its tokens. An interrupted package keeps the received part for
 * resuming.
 */
const recordsRefusals = new Set(['oauth_token', 'releaseUploads_put']);

const QUIET_MS = 500;
const MAX_LOOKS = 60;

/** A digest of the tables once no background work changes them. */
async function digestQuietTables(installation: Installation) {
  let before = await digestTables(installation);
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    await sleep(QUIET_MS);
    const now = await digestTables(installation);
    if (isDeepStrictEqual(now, before)) break;
    before = now;
  }
  return before;
}

/** Operations whose rejected requests change data on the second or third attempt. */
async function findWriters(installation: Installation, refused: Attempt[], send: (a: Attempt) => Promise<Outcome>) {
  const found: string[] = [];
  for (const [operation, attempts] of Map.groupBy(refused, (attempt) => attempt.operation)) {
    let outcomes: Outcome[] = [];
    const changes = async (): Promise<boolean> => {
      const before = await digestQuietTables(installation);
      outcomes = await sendAll(attempts, send);
      return !isDeepStrictEqual(await digestTables(installation), before);
    };
    if (!(await changes()) || !(await changes())) continue;
    found.push(`${operation} (${outcomes.map(({ status, text }) => `${status} ${text.slice(0, 200)}`).join('; ')})`);
  }
  return found;
}

/** Sends rejected requests again, one by one: afterwards the database must be unchanged. */
async function checkNothingWritten(
  installation: Installation,
  attempts: Attempt[],
  send: (a: Attempt) => Promise<Outcome>,
) {
  let refused = attempts.filter(({ operation }) => !recordsRefusals.has(operation));
  for (let tries = 0; tries < 3 && refused.length > 0; tries++) {
    const before = await digestTables(installation);
    const outcomes = await sendAll(refused, send);
    const again = refused.filter((_, at) => isRefused(outcomes[at] as Outcome));
    // A request that is no longer rejected may write; the others are repeated without it.
    if (again.length === refused.length) {
      const after = await digestTables(installation);
      if (isDeepStrictEqual(after, before)) return refused.length;
      const blamed = await findWriters(installation, refused, send);
      assert.deepEqual(blamed, [], 'These rejected requests changed data:');
      // If no request changed it, background work did, such as processing of earlier crash reports.
    }
    refused = again;
  }
  return 0;
}

const getResidentMemory = ({ process: child }: RunningServer): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The server with the test fixtures, and the callers. */
async function withFixtures<T>(dialect: Dialect, work: (on: Stage) => Promise<T>): Promise<T> {
  return withInstallation(dialect, async (installation) => {
    const env = { ...installation.settings.env, ...settings };
    const server = await startServer({ ...installation.settings, env });
    const connection = createConnection(getPort(server));
    try {
      const fixtures = await openFixtures(server);
      const { ada, grace, readOnlyToken: readOnly, appToken: app, repair, ids } = fixtures;
      const callers = { ada: ada.token, grace: grace.token, readOnly, app };
      return await work({ installation, server, send: connection.send, repair, ids, callers });
    } finally {
      connection.close();
      await server.stop({ keepData: true });
    }
  });
}

const createAttempt = (seed: number, at: number, ids: Fixtures['ids'], callers: Callers): Attempt =>
  mutate(createRandom(seed * 1e6 + at), `m.${at}`, ids, callers);

/** Repeats one request of an earlier run with new fixtures, and prints the result. */
export const replayMutatedRequest = (dialect: Dialect, seed: number, at: number): Promise<string> =>
  withFixtures(dialect, async ({ server, send, ids, callers }) => {
    const attempt = createAttempt(seed, at, ids, callers);
    const { status, text } = await send(attempt);
    const shown = { ...attempt, body: attempt.body?.toString('latin1').slice(0, 2000) };
    return `${JSON.stringify(shown, null, 1)}\n${status} ${text}\n${getLogged(server, attempt)}`;
  });

/** Sends random invalid requests, generated from the contract. */
export const sendMutatedRequests = ({
  dialect,
  requests,
  round = 500,
  judgesMemory,
  seed = Date.now() % 1e6,
}: MutatedRequests): Promise<string> =>
  withFixtures(dialect, async ({ installation, server, send, repair, ids, callers }) => {
    const counts = { sent: 0, refused: 0, repeated: 0 };
    const memory: number[] = [];
    const problems: string[] = [];
    while (counts.sent < requests && problems.length < MAX_PROBLEMS) {
      if (counts.sent > 0) await repair();
      const first = counts.sent;
      const attempts = Array.from({ length: Math.min(round, requests - first) }, (_, at) =>
        createAttempt(seed, first + at, ids, callers),
      );
      const outcomes = await sendAll(attempts, send);
      counts.sent += attempts.length;
      for (const [at, outcome] of outcomes.entries()) {
        const attempt = attempts[at] as Attempt;
        if (isRefused(outcome)) counts.refused += 1;
        if (!isWrong(outcome, attempt)) continue;
        const { operation, mutations, method, path } = attempt;
        const what = `${operation} (${mutations}) ${method} ${path.slice(0, 200)}: ${outcome.status} ${outcome.text.slice(0, 300)}`;
        problems.push(
          `mutated-requests-${dialect} --seed=${seed} --only=${first + at}: ${what}\n${getLogged(server, attempt)}`,
        );
      }
      const refused = attempts.filter((attempt, at) => attempt.way === 'plain' && isRefused(outcomes[at] as Outcome));
      counts.repeated += await checkNothingWritten(installation, refused, send);
      memory.push(getResidentMemory(server));
    }
    assert.equal(server.process.exitCode, null, server.output());
    assert.deepEqual(
      problems,
      [],
      `Some requests hung or got a 5xx. To repeat one, run npm run faults -- with the words before its colon:\n${problems.join('\n')}`,
    );
    const quarter = Math.ceil(memory.length / 4);
    const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
    if (judgesMemory) assert.ok(late < early * 1.15 + 20, `Memory grew from ${early} to ${late} MB.`);
    return `${dialect}: ${counts.sent} mutated requests with seed ${seed}; no 5xx, no hanging request; ${counts.refused} refused; ${counts.repeated} of them repeated, and wrote nothing; memory ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the last`;
  });
