import { isIP, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const GOODBYE_MS = 2000;
/** No query to such a database has a long result. */
export const MAX_RECEIVED = 1_048_576;
const CHECK_MS = 10;

/** A PostgreSQL server of a customer, not of this installation. */
export interface ForeignPostgres {
  /** Whom its certificate must name. */
  host: string;
  port: number;
  user: string;
  /** Never empty: the driver would use a password of this server from the environment. */
  password: string;
  database: string;
  /** `off`: without TLS. `unverified`: any certificate. */
  tls: 'verified' | 'unverified' | 'off';
}

/** An error of that server, with the code of PostgreSQL. */
export class ForeignError extends Error {
  override name = 'ForeignError';
  readonly code: string | undefined;
  constructor(cause: unknown) {
    const { code, message } = cause as { code?: string; message?: string };
    super(message || code || 'it does not respond', { cause });
    this.code = code;
  }
}

type Run = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * Creates a socket that closes once it has received too much, because the driver buffers all rows of a result and
 * messages of any length. It also counts the bytes of TLS and of the driver's handshake.
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

/** Runs work in one transaction, over its own connection to an address that was checked before. */
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
  // If an idle connection breaks, its next statement fails.
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
    // Does not wait for a server that delays closing the connection.
    await Promise.race([client.end().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
  }
}
