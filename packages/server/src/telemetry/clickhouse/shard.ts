import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import { createFairPool } from '../../kernel/fair-pool.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import { answerOf } from '../answers.ts';
import type { DuckdbEngine } from '../duckdb/index.ts';
import type { CountingServer, Part, WhoseParts } from '../engine.ts';
import type { Answer, Question } from '../questions.ts';
import { ClickhouseError, type ClientOptions, type ServerTrouble } from './client.ts';
import { dropLoads } from './dropping.ts';
import { chunksOf, insertParts, makeTable } from './loading.ts';
import { reading, TABLE } from './reading.ts';
import { inOrder, onOne, openReplica, type Replica, troubleOf } from './replicas.ts';
import { findRows } from './statements.ts';

export interface ShardOptions extends Omit<ClientOptions, 'url'> {
  /** Of its replicas; the first names the shard. */
  urls: readonly URL[];
  duckdb: Pick<DuckdbEngine, 'withRows'>;
  /** As when dropping. */
  abandoned?: number | undefined;
}

/** Servers that hold the same rows. Any of them answers; which rows one lacks is told by its own list, never guessed. */
export interface Shard {
  readonly name: string;
  held(parts: readonly Pick<Part, 'id' | 'appId'>[]): Promise<string[]>;
  ask<Q extends Question>(question: Q, parts: readonly Part[], owner?: string): Promise<Answer<Q['ask']>>;
  take(parts: readonly Part[]): Promise<unknown>;
  drop(whose: WhoseParts, isHere: (appId: string) => boolean): Promise<void>;
  servers(): Promise<CountingServer[]>;
  close(): void;
}

/** What a replica has of some parts. */
interface Survey {
  replica: Replica;
  loads: Map<string, number>;
}

/** How often a question is asked again because what it read from went away, or who was asked. */
const ATTEMPTS = 3;
const NO_TABLE = 60;
const ABANDONED = 900;
/** How long, and how often so long, rows that another replica has are waited for. */
const LAG = SECOND / 5;
const MOST_LAGS = 25;
const QUESTIONS = 4;

/** What is wrong with a server, and where the table that it copies is noted. */
async function examine({ client }: Replica, isReplicated: boolean): Promise<{ trouble?: string; path?: string }> {
  try {
    await client.check();
    if (!isReplicated) return {};
    const [found] = await client.rows(`SELECT is_readonly, zookeeper_path FROM system.replicas
      WHERE database = currentDatabase() AND table = '${TABLE}'`);
    if (!found) return {};
    const path = String(found.zookeeper_path);
    return Number(found.is_readonly) === 0 ? { path } : { path, trouble: 'cannot reach its ZooKeeper or Keeper' };
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) };
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
      full: () => unavailable('Too many questions about telemetry are waiting. Try again in a moment.'),
    },
  });

  async function make(replica: Replica): Promise<void> {
    await makeTable(replica.client, isReplicated, log);
    replica.isMade = true;
  }

  /** Who has how much of some parts, the most first. Nobody is asked after one that has everything. */
  async function survey(
    parts: readonly Pick<Part, 'id' | 'appId'>[],
    candidates: readonly Replica[] = replicas,
  ): Promise<[Survey, ...Survey[]]> {
    const ids = parts.map(({ id }) => id);
    const found: Survey[] = [];
    let trouble: ServerTrouble | undefined;
    for (const replica of inOrder(candidates, parts[0]?.appId ?? '')) {
      if (replica.awayUntil !== undefined && found.length > 0) break;
      try {
        if (isReplicated && !replica.isMade) await make(replica);
        const loads = await replica.holdings.find(ids);
        // Without a table it would get nothing from others either.
        if (loads.size < ids.length) await make(replica);
        found.push({ replica, loads });
        if (loads.size === ids.length) break;
      } catch (error) {
        trouble = troubleOf(replica, error);
      }
    }
    const [best, ...others] = found.sort((a, b) => b.loads.size - a.loads.size);
    if (!best) throw trouble;
    return [best, ...others];
  }

  /** Takes in parts, unless that is under way. */
  async function takeIn(parts: readonly Part[], wanted: readonly Replica[]): Promise<void> {
    const waiting: Promise<void>[] = [];
    for (const chunk of await chunksOf(parts)) {
      waiting.push(...chunk.flatMap(({ id }) => taking.get(id) ?? []));
      const news = chunk.filter(({ id }) => !taking.has(id));
      if (news.length === 0) continue;
      const work = turn(() => onOne(wanted, (replica) => insertParts(duckdb, replica, news))).finally(() => {
        for (const { id } of news) taking.delete(id);
      });
      for (const { id } of news) taking.set(id, work);
      waiting.push(work);
    }
    await Promise.all(waiting);
  }

  /** A replica that has all of some parts; what none has is taken in. Nothing, if it is lost again and again. */
  async function take(parts: readonly Part[], candidates = replicas): Promise<Survey | undefined> {
    for (let [taken, lags] = [0, 0]; taken < ATTEMPTS; ) {
      const [best, ...others] = await survey(parts, candidates);
      const missing = parts.filter(({ id }) => !best.loads.has(id));
      if (missing.length === 0) return best;
      const copied = new Set(others.flatMap(({ loads }) => [...loads.keys()]));
      const news = lags < MOST_LAGS ? missing.filter(({ id }) => !copied.has(id)) : missing;
      if (news.length === 0) {
        lags += 1;
        await wait(LAG);
        continue;
      }
      taken += 1;
      const wanted = [best, ...others].map(({ replica }) => replica);
      await takeIn(news, wanted);
    }
    return undefined;
  }

  /** What takes longer goes on, and whoever asks later finds it done. */
  async function inTime<T>(work: Promise<T>): Promise<T> {
    const timer = new AbortController();
    work.catch(() => undefined);
    const late = wait(timeoutSeconds * SECOND, undefined, { signal: timer.signal }).then(() => {
      throw unavailable('ClickHouse still takes in what this is counted from; try again in a minute.');
    });
    late.catch(() => undefined);
    return Promise.race([work, late]).finally(() => timer.abort());
  }

  /** Nothing, if what it reads from went away meanwhile. */
  async function askOne({ replica, loads }: Survey, question: Question, parts: readonly Part[]) {
    const { client, holdings } = replica;
    const sources = parts.map(({ id, day, forgotten = [] }) => ({ load: loads.get(id) ?? 0, day, forgotten }));
    replica.busy += 1;
    try {
      const rows = await findRows(question, reading(question, sources), client.rows);
      return (await holdings.isThere(loads)) ? answerOf(question, rows) : undefined;
    } catch (error) {
      if (!(error instanceof ClickhouseError && error.number === NO_TABLE)) throw error;
      await make(replica);
      return undefined;
    } finally {
      replica.busy -= 1;
    }
  }

  async function ask(question: Question, parts: readonly Part[]) {
    const troubles = new Map<Replica, ServerTrouble>();
    for (let lost = 0; lost < ATTEMPTS && troubles.size < replicas.length; ) {
      const candidates = replicas.filter((replica) => !troubles.has(replica));
      const taken = await inTime(take(parts, candidates));
      if (!taken) break;
      try {
        const answer = await askOne(taken, question, parts);
        if (answer !== undefined) return answer;
        lost += 1;
      } catch (error) {
        troubles.set(taken.replica, troubleOf(taken.replica, error));
      }
    }
    throw [...troubles.values()].at(-1) ?? unavailable('ClickHouse loses what this is counted from; try again.');
  }

  return {
    name: replicas[0]?.name ?? '',
    held: async (parts) => (await survey(parts)).flatMap(({ loads }) => [...loads.keys()]),
    ask: (question, parts, owner = parts[0]?.appId ?? '') =>
      questions(owner, async () => (await ask(question, parts)) as Answer<typeof question.ask>),
    take: (parts) => take(parts),
    drop: (whose, isHere) => dropLoads(replicas, { whose, isHere, abandoned }),
    async servers() {
      const found = await Promise.all(replicas.map((replica) => examine(replica, isReplicated)));
      const path = found.find((each) => each.path)?.path;
      return found.map(({ trouble, path: own = path }, at) => ({
        name: replicas[at]?.name ?? '',
        trouble:
          trouble ?? (own === path ? undefined : 'copies from no other of its shard: its macro {shard} is another one'),
      }));
    },
    close() {
      for (const { client } of replicas) client.close();
    },
  };
}
