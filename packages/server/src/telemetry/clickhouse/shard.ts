import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../../kernel/clock.ts';
import { createFairPool } from '../../kernel/concurrency/fair-pool.ts';
import { createSemaphore } from '../../kernel/concurrency/semaphore.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { DuckdbEngine } from '../duckdb/index.ts';
import type { CountingServer, Part, WhoseParts } from '../engine.ts';
import type { QueryResult, TelemetryQuery } from '../queries.ts';
import { toResult } from '../results.ts';
import { ClickhouseError, type ClientOptions, type ServerProblem } from './client.ts';
import { dropLoads } from './dropping.ts';
import { insertParts, makeTable, splitIntoChunks } from './loading.ts';
import { reading, TABLE } from './reading.ts';
import { inOrder, onOne, openReplica, type Replica, toServerProblem } from './replicas.ts';
import { findRows } from './statements.ts';

export interface ShardOptions extends Omit<ClientOptions, 'url'> {
  /** URLs of its replicas; the first one names the shard. */
  urls: readonly URL[];
  duckdb: Pick<DuckdbEngine, 'withRows'>;
  /** See `Dropping`. */
  abandoned?: number | undefined;
}

/** Servers with the same rows; any of them can run a query. Their own lists tell which rows they lack. */
export interface Shard {
  readonly name: string;
  held(parts: readonly Pick<Part, 'id' | 'appId'>[]): Promise<string[]>;
  query<Q extends TelemetryQuery>(query: Q, parts: readonly Part[], owner?: string): Promise<QueryResult<Q['kind']>>;
  take(parts: readonly Part[]): Promise<unknown>;
  drop(whose: WhoseParts, isHere: (appId: string) => boolean): Promise<void>;
  servers(): Promise<CountingServer[]>;
  close(): void;
}

/** Loads of some parts on a replica. */
interface Survey {
  replica: Replica;
  loads: Map<string, number>;
}

/** How often a query is retried if its data or server disappears. */
const ATTEMPTS = 3;
const NO_TABLE = 60;
const ABANDONED = 900;
/** Interval and maximum number of checks for rows that another replica has. */
const LAG = SECOND / 5;
const MAX_LAGS = 25;
const QUESTIONS = 4;

/** Checks a server. Returns its problem, and the ZooKeeper path of its table. */
async function examine({ client }: Replica, isReplicated: boolean): Promise<{ problem?: string; path?: string }> {
  try {
    await client.check();
    if (!isReplicated) return {};
    const [found] = await client.rows(`SELECT is_readonly, zookeeper_path FROM system.replicas
      WHERE database = currentDatabase() AND table = '${TABLE}'`);
    if (!found) return {};
    const path = String(found.zookeeper_path);
    return Number(found.is_readonly) === 0 ? { path } : { path, problem: "can't connect to its ZooKeeper or Keeper" };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

export function createShard({ urls, duckdb, abandoned = ABANDONED, ...options }: ShardOptions): Shard {
  const { log, timeoutSeconds } = options;
  const replicas = urls.map((url) => openReplica({ ...options, url }));
  const isReplicated = replicas.length > 1;
  const taking = new Map<string, Promise<void>>();
  const turn = createSemaphore(1);
  const questions = createFairPool({
    slots: QUESTIONS * replicas.length,
    queue: {
      maxPerOwner: 100,
      full: () => unavailable('Too many telemetry queries are queued. Retry in a moment.'),
    },
  });

  async function make(replica: Replica): Promise<void> {
    await makeTable(replica.client, isReplicated, log);
    replica.isMade = true;
  }

  /** Loads on each replica, the most complete one first. Stops at a replica with all parts. */
  async function survey(
    parts: readonly Pick<Part, 'id' | 'appId'>[],
    candidates: readonly Replica[] = replicas,
  ): Promise<[Survey, ...Survey[]]> {
    const ids = parts.map(({ id }) => id);
    const found: Survey[] = [];
    let problem: ServerProblem | undefined;
    for (const replica of inOrder(candidates, parts[0]?.appId ?? '')) {
      if (replica.awayUntil !== undefined && found.length > 0) break;
      try {
        if (isReplicated && !replica.isMade) await make(replica);
        const loads = await replica.inventory.find(ids);
        // Without a table, the replica would not receive rows from others either.
        if (loads.size < ids.length) await make(replica);
        found.push({ replica, loads });
        if (loads.size === ids.length) break;
      } catch (error) {
        problem = toServerProblem(replica, error);
      }
    }
    const [best, ...others] = found.sort((a, b) => b.loads.size - a.loads.size);
    if (!best) throw problem;
    return [best, ...others];
  }

  /** Loads parts, unless that is already in progress. */
  async function takeIn(parts: readonly Part[], targets: readonly Replica[]): Promise<void> {
    const waiting: Promise<void>[] = [];
    for (const chunk of await splitIntoChunks(parts)) {
      waiting.push(...chunk.flatMap(({ id }) => taking.get(id) ?? []));
      const news = chunk.filter(({ id }) => !taking.has(id));
      if (news.length === 0) continue;
      const work = turn(() => onOne(targets, (replica) => insertParts(duckdb, replica, news))).finally(() => {
        for (const { id } of news) taking.delete(id);
      });
      for (const { id } of news) taking.set(id, work);
      waiting.push(work);
    }
    await Promise.all(waiting);
  }

  /** Finds a replica with all parts, after loading missing ones. Undefined if they disappear repeatedly. */
  async function take(parts: readonly Part[], candidates = replicas): Promise<Survey | undefined> {
    for (let [taken, lags] = [0, 0]; taken < ATTEMPTS; ) {
      const [best, ...others] = await survey(parts, candidates);
      const missing = parts.filter(({ id }) => !best.loads.has(id));
      if (missing.length === 0) return best;
      const copied = new Set(others.flatMap(({ loads }) => [...loads.keys()]));
      const news = lags < MAX_LAGS ? missing.filter(({ id }) => !copied.has(id)) : missing;
      if (news.length === 0) {
        lags += 1;
        await wait(LAG);
        continue;
      }
      taken += 1;
      const targets = [best, ...others].map(({ replica }) => replica);
      await takeIn(news, targets);
    }
    return undefined;
  }

  /** If the work takes too long, it continues, and a later query finds it done. */
  async function inTime<T>(work: Promise<T>): Promise<T> {
    const timer = new AbortController();
    work.catch(() => undefined);
    const late = wait(timeoutSeconds * SECOND, undefined, { signal: timer.signal }).then(() => {
      throw unavailable('ClickHouse is still loading the data for this query. Retry in a minute.');
    });
    late.catch(() => undefined);
    return Promise.race([work, late]).finally(() => timer.abort());
  }

  /** Returns undefined if the data disappeared meanwhile. */
  async function queryReplica({ replica, loads }: Survey, query: TelemetryQuery, parts: readonly Part[]) {
    const { client, inventory } = replica;
    const sources = parts.map(({ id, day, erasures = [] }) => ({ load: loads.get(id) ?? 0, day, erasures }));
    replica.busy += 1;
    try {
      const rows = await findRows(query, reading(query, sources), client.rows);
      return (await inventory.isThere(loads)) ? toResult(query, rows) : undefined;
    } catch (error) {
      if (!(error instanceof ClickhouseError && error.number === NO_TABLE)) throw error;
      await make(replica);
      return undefined;
    } finally {
      replica.busy -= 1;
    }
  }

  async function runQuery(query: TelemetryQuery, parts: readonly Part[]) {
    const problems = new Map<Replica, ServerProblem>();
    for (let lost = 0; lost < ATTEMPTS && problems.size < replicas.length; ) {
      const candidates = replicas.filter((replica) => !problems.has(replica));
      const taken = await inTime(take(parts, candidates));
      if (!taken) break;
      try {
        const result = await queryReplica(taken, query, parts);
        if (result !== undefined) return result;
        lost += 1;
      } catch (error) {
        problems.set(taken.replica, toServerProblem(taken.replica, error));
      }
    }
    throw [...problems.values()].at(-1) ?? unavailable('ClickHouse lost the data for this query. Retry in a moment.');
  }

  return {
    name: replicas[0]?.name ?? '',
    held: async (parts) => (await survey(parts)).flatMap(({ loads }) => [...loads.keys()]),
    query: (query, parts, owner = parts[0]?.appId ?? '') =>
      questions(owner, async () => (await runQuery(query, parts)) as QueryResult<typeof query.kind>),
    take: (parts) => take(parts),
    drop: (whose, isHere) => dropLoads(replicas, { whose, isHere, abandoned }),
    async servers() {
      const found = await Promise.all(replicas.map((replica) => examine(replica, isReplicated)));
      const path = found.find((each) => each.path)?.path;
      return found.map(({ problem, path: own = path }, at) => ({
        name: replicas[at]?.name ?? '',
        problem:
          problem ??
          (own === path ? undefined : 'does not replicate its shard: its macro {shard} has a different value'),
      }));
    },
    close() {
      for (const { client } of replicas) client.close();
    },
  };
}
