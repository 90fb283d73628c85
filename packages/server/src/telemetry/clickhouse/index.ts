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
  /** As of a shard. */
  abandoned?: number | undefined;
}

/**
 * Questions go to ClickHouse, which holds copies of parts. Their files stay the truth, and DuckDB writes those. All parts of an
 * app lie on one shard; where they should is reckoned, and where they are changes no answer.
 */
export function createClickhouseEngine(
  duckdb: DuckdbEngine,
  { shards: addresses, ...options }: ClickhouseOptions,
): Engine {
  const shards = addresses.map((urls) => createShard({ ...options, urls, duckdb }));
  const shardOf = (appId = ''): Shard => ranked(shards, appId)[0] as Shard;
  const byShard = <P extends Pick<Part, 'appId'>>(parts: readonly P[]): Map<Shard, P[]> =>
    Map.groupBy(parts, ({ appId }) => shardOf(appId));
  const servers = async () => (await Promise.all(shards.map((shard) => shard.servers()))).flat();

  return {
    ...duckdb,
    kindsOf: () => ['logs'],
    async held(parts) {
      const found = [...byShard(parts)].map(([shard, some]) => shard.held(some));
      return new Set((await Promise.all(found)).flat());
    },
    ask: (question, parts, owner) => shardOf(parts[0]?.appId).ask(question, parts, owner),
    prepare(parts) {
      for (const [shard, some] of byShard(parts)) {
        shard.take(some).catch((err: unknown) => {
          options.log.warn({ err, parts: some.map(({ id }) => id) }, 'parts were not taken in by ClickHouse');
        });
      }
    },
    async drop(whose) {
      const done = await Promise.allSettled(
        shards.map((shard) => shard.drop(whose, (appId) => shardOf(appId) === shard)),
      );
      for (const each of done) if (each.status === 'rejected') throw each.reason;
    },
    servers,
    async check() {
      const found = await Promise.all(shards.map((shard) => shard.servers()));
      const gone = found.find((some) => some.every(({ trouble }) => trouble !== undefined));
      if (gone) throw new Error(gone.map(({ name, trouble }) => `${name} ${trouble}`).join('; '));
    },
    async close() {
      for (const shard of shards) shard.close();
      await duckdb.close();
    },
  };
}
