import { createReadStream } from 'node:fs';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { SECOND } from '../../kernel/clock.ts';
import { Failure, unavailable } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/log.ts';
import { parseOwnJson } from '../../kernel/text/json.ts';
import { getServerName } from './addresses.ts';

export interface ClientOptions {
  /** `http` or `https`, with optional user and password, and the database as its path. */
  url: URL;
  /** Memory limit of a query, in MB. */
  memoryMb: number;
  timeoutSeconds: number;
  log: Log;
}

/** A row in ClickHouse's JSON: 64-bit numbers are strings, arrays are arrays. */
export type FoundRow = Record<string, string | number | null | string[]>;

export interface Client {
  /** Without user and password. */
  readonly name: string;
  /** Empty for the server's default database. */
  readonly database: string;
  /** Runs a query and returns its rows. */
  rows(sql: string): Promise<FoundRow[]>;
  /** Runs a statement that returns no rows. */
  run(sql: string): Promise<void>;
  /** Inserts a file with one JSON object per line. */
  insert(table: string, file: string): Promise<void>;
  /** Throws the reason if the server does not respond. */
  check(): Promise<void>;
  close(): void;
}

/** Loading a large part is not urgent. */
const INSERT_LIMIT = 1800 * SECOND;
/** Extra time for a statement to report that its time limit was exceeded. */
const GRACE = 10 * SECOND;
/** For machines that are down and send no reply. */
const CONNECT_LIMIT = 5 * SECOND;
/** Limit of a response; the largest are pages of logs. */
const MAX_RESPONSE_BYTES = 256 * 1024 ** 2;

/** A failure of one server; another replica may succeed. */
export class ServerProblem extends Failure {
  constructor(message: string) {
    super('ServiceUnavailable', message, { 'retry-after': '1' });
  }
}

const UNREACHABLE =
  'ClickHouse, which answers telemetry queries, is unavailable. Retry, or contact an administrator of this server.';
const TOO_LONG = 'The query took too long. Query fewer days, or retry later.';
const BUSY = 'ClickHouse is overloaded. Retry in a moment.';
const LOAD_FAILED =
  "ClickHouse can't load the data for this query: its ZooKeeper or Keeper, or a replica, is unavailable. Retry in a moment.";

/** Messages for errors that the caller can act on, by ClickHouse error code. */
const limits: ReadonlyMap<number, string> = new Map([
  [159, TOO_LONG],
  [160, TOO_LONG],
  [241, 'The query needs too much memory. Query fewer days.'],
]);
/** Messages for errors that another server or a retry can solve. */
const problemByCode: ReadonlyMap<number, string> = new Map([
  [202, BUSY],
  [252, BUSY],
  [243, 'The disk of ClickHouse is full. Ask an administrator to free space, then retry.'],
  ...[209, 210, 225, 236, 242, 254, 279, 319, 999].map((number) => [number, LOAD_FAILED] as const),
]);
const refusals: ReadonlySet<number> = new Set([81, 164, 192, 193, 194, 195, 291, 497, 516]);

/** An error of ClickHouse with its code; 0 if the response is not from ClickHouse. */
export class ClickhouseError extends Error {
  readonly number: number;
  constructor(number: number, text: string) {
    super(text.slice(0, 1000));
    this.number = number;
  }
}

/** A reused connection turned out to be closed. */
class Stale extends Error {}
const closed = new Set<string | undefined>(['ECONNRESET', 'EPIPE']);
/** Shorter than ClickHouse's own idle timeout. */
const IDLE = 2 * SECOND;

const getPort = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '8443' : '8123');

const getReason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

const parseErrorCode = (text: string): number => Number(/^Code: (\d+)/.exec(text)?.[1] ?? 0);

/** Limits the time to connect. */
function limitConnecting(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(
      () => request.destroy(new Error(`no connection within ${CONNECT_LIMIT} ms`)),
      CONNECT_LIMIT,
    );
    const stop = () => clearTimeout(timer);
    socket.once('connect', stop);
    request.once('close', stop);
  });
}

export function createClient({ url, memoryMb, timeoutSeconds, log }: ClientOptions): Client {
  const bytes = memoryMb * 1024 ** 2;
  const settings = {
    max_execution_time: timeoutSeconds,
    max_memory_usage: bytes,
    max_bytes_before_external_group_by: Math.floor(bytes / 2),
    max_bytes_before_external_sort: Math.floor(bytes / 2),
    max_query_size: 16 * 1024 ** 2,
    max_ast_elements: 1_000_000,
    // Otherwise a statement that fails midway has already sent status 200.
    wait_end_of_query: 1,
  };
  const database = decodeURIComponent(url.pathname.slice(1));
  const headers = {
    ...(url.username ? { 'x-clickhouse-user': decodeURIComponent(url.username) } : {}),
    ...(url.password ? { 'x-clickhouse-key': decodeURIComponent(url.password) } : {}),
  };
  let agent: Agent | undefined;
  const open = new Set<ClientRequest>();

  interface Exchange {
    query: Readonly<Record<string, string | number>>;
    limitMs: number;
    send(request: ClientRequest): Promise<unknown>;
  }

  /** Sends one request and reads the response. */
  async function attempt({ query, limitMs, send }: Exchange, isFresh: boolean): Promise<string> {
    // Loaded for the first request, because most servers never need it.
    const http = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
    agent ??= new http.Agent({ keepAlive: true, maxFreeSockets: 4, timeout: IDLE });
    const parameters = new URLSearchParams(database ? { database } : {});
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = http.request(
      {
        agent: isFresh ? false : agent,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: getPort(url),
        method: 'POST',
        path: `/?${parameters}`,
        headers,
      },
      resolve,
    );
    open.add(request);
    limitConnecting(request);
    request.on('error', reject);
    const timer = setTimeout(() => request.destroy(new Error(`no response within ${limitMs} ms`)), limitMs);
    try {
      // An error response may arrive before a long body is sent, and takes precedence.
      const sent = send(request).catch((error: Error) => void request.destroy(error));
      const answer = await response;
      const text = await readAll(answer);
      if (answer.statusCode !== 200) throw new ClickhouseError(parseErrorCode(text), text);
      await sent;
      return text;
    } catch (error) {
      request.destroy();
      const isStale = !isFresh && request.reusedSocket && closed.has((error as NodeJS.ErrnoException).code);
      if (isStale) throw new Stale();
      throw error;
    } finally {
      clearTimeout(timer);
      open.delete(request);
    }
  }

  const exchange = (request: Exchange, isFresh = false): Promise<string> =>
    attempt(request, isFresh).catch((error: unknown) => {
      if (error instanceof Stale) return attempt(request, true);
      throw error;
    });

  /** Maps errors to messages for the caller, and logs the details. */
  function toFailure(error: unknown): Error {
    if (error instanceof Failure) return error;
    if (!(error instanceof ClickhouseError)) {
      log.warn({ host: url.host, reason: getReason(error) }, "can't connect to ClickHouse");
      return new ServerProblem(UNREACHABLE);
    }
    const { number, message } = error;
    const limit = limits.get(number);
    if (limit) return unavailable(limit);
    const problem = problemByCode.get(number);
    if (!problem && number !== 0 && !refusals.has(number)) return error;
    log.error({ host: url.host, reason: message }, 'ClickHouse refused a request');
    return new ServerProblem(problem ?? 'ClickHouse refused the query. The log of this server has the reason.');
  }

  const send = (sql: string, limitMs = timeoutSeconds * SECOND + GRACE): Promise<string> =>
    exchange({ query: settings, limitMs, send: async (request) => void request.end(sql) });
  const orFailure = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw toFailure(error);
    });

  return {
    name: getServerName(url),
    database,
    async rows(sql) {
      const text = await orFailure(send(`${sql} FORMAT JSONEachRow`));
      return text.split('\n').flatMap((line) => (line === '' ? [] : [parseOwnJson<FoundRow>(line)]));
    },
    run: async (sql) => void (await orFailure(send(sql))),
    check: async () =>
      void (await send('SELECT 1', CONNECT_LIMIT).catch((error: unknown) => {
        throw new Error(`does not respond: ${getReason(error)}`);
      })),
    async insert(table, file) {
      const query = { query: `INSERT INTO ${table} FORMAT JSONEachRow`, insert_distributed_sync: 1 };
      const send = (request: ClientRequest) => pipeline(createReadStream(file), request);
      await orFailure(exchange({ query, limitMs: INSERT_LIMIT, send }, true));
    },
    close() {
      for (const request of open) request.destroy();
      agent?.destroy();
    },
  };
}

async function readAll(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw unavailable('The result is too large. Query fewer days or rows.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
