import { isIP, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const GOODBYE_MS = 2000;
/** Nothing that is asked of such a database has a long answer. */
export const MAX_RECEIVED = 1_048_576;
const CHECK_MS = 10;

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

/**
 * A socket that ends once it has received too much: the driver keeps all rows of an answer, and all of a message of any length.
 * Bytes are counted where TLS and the driver's first messages are counted too.
 */
function createLimitedSocket() {
  const socket = new Socket();
  const timer = setInterval(() => {
    if (socket.bytesRead <= MAX_RECEIVED) return;
    clearInterval(timer);
    socket.destroy(new Error(`it sent more than ${MAX_RECEIVED} bytes`));
  }, CHECK_MS);
  return { socket, stop: () => clearInterval(timer), isExceeded: () => socket.bytesRead > MAX_RECEIVED };
}

/** Does work over a connection of its own, at an address that may be reached, in one transaction. */
export async function withForeignPostgres<T>(
  { host, tls, ...place }: ForeignPostgres,
  { address, timeoutMs }: { address: string; timeoutMs: number },
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const { socket, stop, isExceeded } = createLimitedSocket();
  const client = new pg.Client({
    ...place,
    stream: () => socket,
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
    // Over TLS the driver only learns that the connection ended.
    throw new ForeignError(isExceeded() ? new Error(`it sent more than ${MAX_RECEIVED} bytes`) : error);
  } finally {
    stop();
    // One that does not say goodbye is not waited for.
    await Promise.race([client.end().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
  }
}
