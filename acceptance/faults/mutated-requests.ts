import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { World } from '@mooring/contract/world';
import { createChance } from '../../tools/chance.ts';
import { portOf } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { createSender, type Outcome } from './attempt.ts';
import { digestTables } from './digest.ts';
import { type Dialect, type Installation, withInstallation } from './installation.ts';
import { type Attempt, type Callers, mutate } from './mutations.ts';
import { openWorld } from './world.ts';

export interface MutatedRequests {
  dialect: Dialect;
  requests: number;
  /** How many go out before the database is looked at. */
  round?: number;
  /** For a run that is long enough to tell growth from warming up. */
  judgesMemory?: boolean;
  seed?: number;
}

interface Stage {
  installation: Installation;
  server: RunningServer;
  send(attempt: Attempt): Promise<Outcome>;
  repair(): Promise<void>;
  ids: World['ids'];
  callers: Callers;
}

const settings = {
  MOORING_LOG_LEVEL: 'error',
  MOORING_RATE_LIMIT: '0',
  MOORING_REQUEST_TIMEOUT: '2',
  MOORING_OPEN_SIGN_UP: 'true',
  MOORING_TRUSTED_PROXIES: '127.0.0.1',
  // It writes down what it sees.
  MOORING_WATCHDOG_MINUTES: '0',
};
const AT_ONCE = 8;
const MOST_PROBLEMS = 30;

/** All of them, some at a time; the outcomes in their order. */
async function sendAll(attempts: readonly Attempt[], send: (attempt: Attempt) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const lane = async () => {
    while (next < attempts.length) {
      const at = next++;
      outcomes[at] = await send(attempts[at] as Attempt);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return outcomes;
}

/** What existing clients are answered with 503 when there is nothing to cancel. */
const mayBeUnavailable = /^dataSubjectRight_cancel/;
/** What is limited to a few at a time says so when very many ask at once. */
const isBusy = /Too many (?:questions|passwords|repositories|different pages) [^"]* try again/;
const isWrong = ({ status, text }: Outcome, { operation }: Attempt): boolean =>
  status === 'hung' ||
  (status >= 500 && status !== 501 && !(status === 503 && (mayBeUnavailable.test(operation) || isBusy.test(text))));
const isRefused = ({ status }: Outcome): boolean => typeof status === 'number' && status >= 400 && status < 500;

/** What the server has to say about a request. */
const loggedOf = (server: RunningServer, attempt: Attempt): string => {
  const id = attempt.headers.findLast(([name]) => name === 'x-request-id')?.[1];
  return (
    server
      .output()
      .split('\n')
      .find((line) => id && line.includes(`"${id}"`)) ?? ''
  );
};

/**
 * A code that comes twice is refused and recorded, and ends what was given for it. Of a package that breaks off, what has
 * arrived is kept, to go on from there.
 */
const recordsRefusals = new Set(['oauth_token', 'releaseUploads_put']);

const QUIET_MS = 500;
const MAX_LOOKS = 60;

/** A digest of the tables once nothing in the background changes them. */
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

/** The operations whose refused requests change something when they are sent again, and when once more. */
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

/** Refused requests are sent once more, alone: afterwards the database must be what it was. */
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
    // One that is no longer refused may write; the others are tried again without it.
    if (again.length === refused.length) {
      const after = await digestTables(installation);
      if (isDeepStrictEqual(after, before)) return refused.length;
      const blamed = await findWriters(installation, refused, send);
      assert.deepEqual(blamed, [], 'refused requests have changed something');
      // What changed although none of them does was work in the background, as reports of crashes that came before.
    }
    refused = again;
  }
  return 0;
}

const rssOf = ({ process: child }: RunningServer): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The server with the world of the examples on it, and who may ask. */
async function withWorld<T>(dialect: Dialect, work: (on: Stage) => Promise<T>): Promise<T> {
  return withInstallation(dialect, async (installation) => {
    const env = { ...installation.settings.env, ...settings };
    const server = await startServer({ ...installation.settings, env });
    const sender = createSender(portOf(server));
    try {
      const world = await openWorld(server);
      const { ada, grace, readOnlyToken: readOnly, appToken: app, repair, ids } = world;
      const callers = { ada: ada.token, grace: grace.token, readOnly, app };
      return await work({ installation, server, send: sender.send, repair, ids, callers });
    } finally {
      sender.close();
      await server.stop({ keepData: true });
    }
  });
}

const attemptOf = (seed: number, at: number, ids: World['ids'], callers: Callers): Attempt =>
  mutate(createChance(seed * 1e6 + at), `m.${at}`, ids, callers);

/** Makes one request of an earlier run again, on a new world, and says what came of it. */
export const replayMutatedRequest = (dialect: Dialect, seed: number, at: number): Promise<string> =>
  withWorld(dialect, async ({ server, send, ids, callers }) => {
    const attempt = attemptOf(seed, at, ids, callers);
    const { status, text } = await send(attempt);
    const shown = { ...attempt, body: attempt.body?.toString('latin1').slice(0, 2000) };
    return `${JSON.stringify(shown, null, 1)}\n${status} ${text}\n${loggedOf(server, attempt)}`;
  });

/** Sends requests that nobody should send, made by chance from the endpoint table. */
export const sendMutatedRequests = ({
  dialect,
  requests,
  round = 500,
  judgesMemory,
  seed = Date.now() % 1e6,
}: MutatedRequests): Promise<string> =>
  withWorld(dialect, async ({ installation, server, send, repair, ids, callers }) => {
    const counts = { sent: 0, refused: 0, repeated: 0 };
    const memory: number[] = [];
    const problems: string[] = [];
    while (counts.sent < requests && problems.length < MOST_PROBLEMS) {
      if (counts.sent > 0) await repair();
      const first = counts.sent;
      const attempts = Array.from({ length: Math.min(round, requests - first) }, (_, at) =>
        attemptOf(seed, first + at, ids, callers),
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
          `mutated-requests-${dialect} --seed=${seed} --only=${first + at}: ${what}\n${loggedOf(server, attempt)}`,
        );
      }
      const refused = attempts.filter((attempt, at) => attempt.way === 'plain' && isRefused(outcomes[at] as Outcome));
      counts.repeated += await checkNothingWritten(installation, refused, send);
      memory.push(rssOf(server));
    }
    assert.equal(server.process.exitCode, null, server.output());
    assert.deepEqual(
      problems,
      [],
      `Requests went wrong; make one again with npm run faults --\n${problems.join('\n')}`,
    );
    const quarter = Math.ceil(memory.length / 4);
    const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
    if (judgesMemory) assert.ok(late < early * 1.15 + 20, `Memory has grown from ${early} to ${late} MB.`);
    return `${dialect}: ${counts.sent} mutated requests of the seed ${seed}; no 5xx, nothing hung; ${counts.refused} refused, of which ${counts.repeated} were sent again and wrote nothing; memory ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the last`;
  });
