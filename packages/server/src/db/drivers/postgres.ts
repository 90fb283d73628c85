import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { waitForLock } from '../../kernel/concurrency/file-lock.ts';
import { type Connection, type Engine, MIGRATING, type Snapshot } from './connection.ts';

// Times and counters are bigint columns; all values stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

type Queryable = Pick<pg.Pool, 'query'>;

/** Connections cache the plan of each statement by name. After a schema change, new names force new plans. */
interface Plans {
  generation: number;
}

/** A migration changed a table after this connection had cached its plan. */
const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

const connectionOver = (target: Queryable, plans: Plans): Connection => ({
  async run({ id, sql }, values) {
    const { generation } = plans;
    try {
      const name = `s${id}.${generation}`;
      const { rows, rowCount } = await target.query({ name, text: sql, values: values as unknown[] });
      return { rows, affected: rowCount ?? 0 };
    } catch (error) {
      if (isStale(error) && plans.generation === generation) plans.generation += 1;
      throw error;
    }
  },
  runOnce: runOnceOver(target),
});

const runOnceOver =
  (target: Queryable): Connection['runOnce'] =>
  async ({ sql, parameters }) => {
    const { rows, rowCount } = await target.query(sql, parameters as unknown[]);
    return { rows, affected: rowCount ?? 0 };
  };

/** Retries a stale plan once. A single failed statement has changed nothing. */
const persistent = (connection: Connection): Connection => ({
  ...connection,
  run: (prepared, values) =>
    connection.run(prepared, values).catch((error: unknown) => {
      if (!isStale(error)) throw error;
      return connection.run(prepared, values);
    }),
});

function snapshotOver(client: pg.PoolClient): Snapshot {
  let isOpen = true;
  return {
    runOnce: runOnceOver(client),
    async *pages({ sql }, size) {
      await client.query(`DECLARE pages NO SCROLL CURSOR FOR ${sql}`);
      for (;;) {
        const { rows } = await client.query(`FETCH ${size} FROM pages`);
        if (rows.length > 0) yield rows;
        if (rows.length < size) break;
      }
      await client.query('CLOSE pages');
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      const broken = await client.query('ROLLBACK').then(
        () => undefined,
        (error: Error) => error,
      );
      client.release(broken);
    },
  };
}

/** The oldest version that PostgreSQL still supports. */
const MIN_VERSION = 14;

/** Number of the advisory lock that one process holds at a time: the letters of its name. */
const ALONE = 0x6d6f6f72;

/** Deadlock, serialization failure or stale plan: PostgreSQL has rolled back the transaction, so it can be retried. */
const mayRetry = (error: unknown): boolean =>
  isStale(error) || (error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001'));

export interface PostgresOptions {
  url: string;
  poolSize: number;
  statementTimeout: number;
  onError: (error: Error) => void;
  onWait: (message: string) => void;
}

export function openPostgres({ url, poolSize, statementTimeout, onError, onWait }: PostgresOptions): Engine {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeout,
    application_name: 'mooring',
    // The default of 4 is for spinning disks and makes full table scans look too cheap.
    onConnect: async (client) => {
      await client.query('SET random_page_cost = 1.1');
    },
  });
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The error references the whole connection, which is too large for the log.
    delete error.client;
    onError(error);
  });
  const plans: Plans = { generation: 0 };
  // If a connection breaks between two statements of a transaction, the client emits an error event, which needs a
  // listener.
  pool.on('connect', (client) => client.on('error', () => undefined));

  async function attempt<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(connectionOver(client, plans));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    name: 'postgres',
    reader: persistent(connectionOver(pool, plans)),
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work);
        } catch (error) {
          if (tries === 3 || !mayRetry(error)) throw error;
        }
      }
    },
    async snapshot() {
      const client = await pool.connect();
      // A snapshot starts with its first query.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1');
      return snapshotOver(client);
    },
    async examine() {
      const { rows } = await pool.query(
        `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
                (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
      );
      const { version, number, now } = rows[0];
      const isOld = number < MIN_VERSION * 10_000;
      const problems = isOld ? [`PostgreSQL ${version} is not supported. Upgrade to ${MIN_VERSION} or later.`] : [];
      return { server: `PostgreSQL ${version}`, problems, now };
    },
    async alone(work) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'mooring',
        connectionTimeoutMillis: 5000,
      });
      // A lost connection releases the lock. The work itself fails on its own connection.
      client.on('error', () => undefined);
      await client.connect();
      try {
        const tryLock = async () => (await client.query(`SELECT pg_try_advisory_lock(${ALONE}) AS ok`)).rows[0].ok;
        await waitForLock(tryLock, { doing: MIGRATING, onWait });
        return await work();
      } finally {
        await client.end();
      }
    },
    dialect: () => new PostgresDialect({ pool }),
    close: () => pool.end(),
  };
}
