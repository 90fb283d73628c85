import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const GOODBYE_MS = 2000;

/** A PostgreSQL of somebody else. */
export interface ForeignPostgres {
  /** Whom its certificate must name. */
  host: string;
  port: number;
  user: string;
  /** Never empty: the driver would take one of its own from the environment. */
  password: string;
  database: string;
  /** Whether its certificate is checked, or there is none. */
  tls: 'verified' | 'unverified' | 'off';
}

/** What it answered, by the code of PostgreSQL. */
export class ForeignError extends Error {
  override name = 'ForeignError';
  readonly code: string | undefined;
  constructor(cause: unknown) {
    const { code, message } = cause as { code?: string; message?: string };
    super(message || code || 'it does not answer', { cause });
    this.code = code;
  }
}

type Run = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Does work over a connection of its own, at an address that may be reached, in one transaction. */
export async function withForeignPostgres<T>(
  { host, tls, ...place }: ForeignPostgres,
  { address, timeoutMs }: { address: string; timeoutMs: number },
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...place,
    host: address,
    ssl:
      tls === 'off'
        ? false
        : { rejectUnauthorized: tls === 'verified', ...(isIP(host) === 0 ? { servername: host } : {}) },
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    application_name: 'mooring',
  });
  // What happens to an idle connection shows with its next statement.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN');
    const result = await work(async (text, values = []) => (await client.query(text, values)).rows);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    throw new ForeignError(error);
  } finally {
    // One that does not say goodbye is not waited for.
    await Promise.race([client.end().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
  }
}
