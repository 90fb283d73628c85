import type { Log } from '../../kernel/log.ts';
import type { DuckdbEngine } from '../duckdb/index.ts';
import type { Engine, Part } from '../engine.ts';
import { ranked } from './rendezvous.ts';
import { createShard, type Shard } from './shard.ts';

export interface ClickhouseOptions {
  /** The servers of each shard. */
  shards: readonly (readonly URL[])[];
  memoryMb: number;
  timeoutSeconds: number;
  log: Log;
  abandoned?: number | undefined;
}

/**
 * Queries run on ClickHouse, which holds copies of parts. The files remain the source of truth, and DuckDB writes them.
 * All parts of an app are on one shard, chosen by a hash; moving them to another one changes no results.
 */
export function createClickhouseEngine(
  duckdb: DuckdbEngine,
  { shards: addresses, ...options }: ClickhouseOptions,
): Engine {
  const shards = addresses.map((urls) => createShard({ ...options, urls, duckdb }));
  const getShard = (appId = ''): Shard => ranked(shards, appId)[0] as Shard;
  const byShard = <P extends Pick<Part, 'appId'>>(parts: readonly P[]): Map<Shard, P[]> =>
    Map.groupBy(parts, ({ appId }) => getShard(appId));
  const servers = async () => (await Promise.all(shards.map((shard) => shard.servers()))).flat();

  return {
    ...duckdb,
    getFileKinds: () => ['logs'],
    async held(parts) {
      const found = [...byShard(parts)].map(([shard, some]) => shard.held(some));
      return new Set((await Promise.all(found)).flat());
    },
    query: (query, parts, owner) => getShard(parts[0]?.appId).query(query, parts, owner),
    prepare(parts) {
      for (const [shard, some] of byShard(parts)) {
        shard.take(some).catch((err: unknown) => {
          options.log.warn({ err, parts: some.map(({ id }) => id) }, 'failed to load segments into ClickHouse');
        });
      }
    },
    async drop(whose) {
      const done = await Promise.allSettled(
        shards.map((shard) => shard.drop(whose, (appId) => getShard(appId) === shard)),
      );
      for (const each of done) if (each.status === 'rejected') throw each.reason;
    },
    servers,
    async check() {
      const found = await Promise.all(shards.map((shard) => shard.servers()));
      const gone = found.find((some) => some.every(({ problem }) => problem !== undefined));
      if (gone) throw new Error(gone.map(({ name, problem }) => `${name} ${problem}`).join('; '));
    },
    async close() {
      for (const shard of shards) shard.close();
      await duckdb.close();
    },
  };
}
