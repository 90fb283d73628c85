import { createReadStream } from 'node:fs';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { SECOND } from '../../kernel/clock.ts';
import { Failure, unavailable } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/log.ts';
import { nameOf } from './addresses.ts';

export interface ClientOptions {
  /** `http` or `https`, with a user, a password and the name of a database as its path, each if there is one. */
  url: URL;
  /** For one question, in MB. */
  memoryMb: number;
  timeoutSeconds: number;
  log: Log;
}

/** A row as it was told: numbers of 64 bits are texts, lists are lists. */
export type FoundRow = Record<string, string | number | null | string[]>;

export interface Client {
  /** Without who asks. */
  readonly name: string;
  /** Empty for the one that is everybody's by default. */
  readonly database: string;
  /** What a statement finds. */
  rows(sql: string): Promise<FoundRow[]>;
  /** Carries out a statement that finds nothing. */
  run(sql: string): Promise<void>;
  /** Rows of a file with a JSON object in each line. */
  insert(table: string, file: string): Promise<void>;
  /** Fails with the reason unless it answers. */
  check(): Promise<void>;
  close(): void;
}

/** A long part is taken in by whoever waits for nothing. */
const INSERT_LIMIT = 1800 * SECOND;
/** How much longer than its limit a statement may take to say so. */
const GRACE = 10 * SECOND;
/** A machine that is gone says nothing. */
const CONNECT_LIMIT = 5 * SECOND;
/** Of an answer; the longest are pages of single logs. */
const MOST_BYTES = 256 * 1024 ** 2;

/** Trouble of one server: another that holds the same may do better. */
export class ServerTrouble extends Failure {
  constructor(message: string) {
    super('ServiceUnavailable', message, { 'retry-after': '1' });
  }
}

const AWAY = 'What counts telemetry, ClickHouse, cannot be reached; try again, or tell the operator of this server.';
const TOO_LONG = 'This took longer than allowed; ask for fewer days, or try again later.';
const BUSY = 'ClickHouse has too much to do; try again.';
const ALONE =
  'ClickHouse cannot take in what this is counted from: its ZooKeeper or Keeper, or one of its replicas, is away; try again.';

/** What it says when whoever asks can help, by the number of its error. */
const limits: ReadonlyMap<number, string> = new Map([
  [159, TOO_LONG],
  [160, TOO_LONG],
  [241, 'There is not enough memory to count this; ask for fewer days.'],
]);
/** What it says when another server, or time, can. */
const troubles: ReadonlyMap<number, string> = new Map([
  [202, BUSY],
  [252, BUSY],
  [243, 'ClickHouse has no room left on its disk. The operator of this server has to make some.'],
  ...[209, 210, 225, 236, 242, 254, 279, 319, 999].map((number) => [number, ALONE] as const),
]);
const refusals: ReadonlySet<number> = new Set([81, 164, 192, 193, 194, 195, 291, 497, 516]);

/** What ClickHouse says instead of an answer, with the number that it gives its errors; 0 is not one of it. */
export class ClickhouseError extends Error {
  readonly number: number;
  constructor(number: number, text: string) {
    super(text.slice(0, 1000));
    this.number = number;
  }
}

/** A connection that was kept turned out to be closed. */
class Stale extends Error {}
const closed = new Set<string | undefined>(['ECONNRESET', 'EPIPE']);
/** Shorter than ClickHouse keeps a connection. */
const IDLE = 2 * SECOND;

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '8443' : '8123');

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

const numberOf = (text: string): number => Number(/^Code: (\d+)/.exec(text)?.[1] ?? 0);

/** Gives up on a connection that nobody takes. */
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
    // Otherwise a statement that fails in the middle has said 200 already.
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

  /** One request and the whole answer. */
  async function attempt({ query, limitMs, send }: Exchange, isFresh: boolean): Promise<string> {
    // Loaded with the first request: most servers never need it.
    const http = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
    agent ??= new http.Agent({ keepAlive: true, maxFreeSockets: 4, timeout: IDLE });
    const parameters = new URLSearchParams(database ? { database } : {});
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = http.request(
      {
        agent: isFresh ? false : agent,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: portOf(url),
        method: 'POST',
        path: `/?${parameters}`,
        headers,
      },
      resolve,
    );
    open.add(request);
    limitConnecting(request);
    request.on('error', reject);
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${limitMs} ms`)), limitMs);
    try {
      // A refusal may come before all of a long body is sent, and is what matters then.
      const sent = send(request).catch((error: Error) => void request.destroy(error));
      const answer = await response;
      const text = await readAll(answer);
      if (answer.statusCode !== 200) throw new ClickhouseError(numberOf(text), text);
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

  const exchange = (wanted: Exchange, isFresh = false): Promise<string> =>
    attempt(wanted, isFresh).catch((error: unknown) => {
      if (error instanceof Stale) return attempt(wanted, true);
      throw error;
    });

  /** In words for whoever asks; the rest is for the log. */
  function failureOf(error: unknown): Error {
    if (error instanceof Failure) return error;
    if (!(error instanceof ClickhouseError)) {
      log.warn({ host: url.host, reason: reasonOf(error) }, 'ClickHouse cannot be reached');
      return new ServerTrouble(AWAY);
    }
    const { number, message } = error;
    const limit = limits.get(number);
    if (limit) return unavailable(limit);
    const trouble = troubles.get(number);
    if (!trouble && number !== 0 && !refusals.has(number)) return error;
    log.error({ host: url.host, reason: message }, 'ClickHouse refuses');
    return new ServerTrouble(trouble ?? 'ClickHouse refuses to count telemetry; the log of this server says why.');
  }

  const send = (sql: string, limitMs = timeoutSeconds * SECOND + GRACE): Promise<string> =>
    exchange({ query: settings, limitMs, send: async (request) => void request.end(sql) });
  const orFailure = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw failureOf(error);
    });

  return {
    name: nameOf(url),
    database,
    async rows(sql) {
      const text = await orFailure(send(`${sql} FORMAT JSONEachRow`));
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    },
    run: async (sql) => void (await orFailure(send(sql))),
    check: async () =>
      void (await send('SELECT 1', CONNECT_LIMIT).catch((error: unknown) => {
        throw new Error(`does not answer: ${reasonOf(error)}`);
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
    if (length > MOST_BYTES) throw unavailable('The answer of ClickHouse is too large; ask for less.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
