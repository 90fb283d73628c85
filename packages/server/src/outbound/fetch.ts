import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { SECOND } from '../kernel/clock.ts';
import { createBlockList, isIn, isPublic } from './addresses.ts';

export interface OutboundRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Time limit for everything, from name resolution to the last byte. */
  timeoutMs?: number;
  /** Limit of the response body. */
  maxBytes?: number;
  /**
   * True if the request can arrive twice without harm. Its connection is then reused, and if it turns out to be closed,
   * the request is sent again.
   */
  isRepeatable?: boolean;
}

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type OutboundProblem = 'bad_url' | 'refused_address' | 'timeout' | 'too_large' | 'unreachable';

/** Why an outgoing request got no response. The message can be shown: it reveals nothing about internal networks. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly problem: OutboundProblem;
  constructor(problem: OutboundProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

/** Resolves for any status. Does not follow redirects. */
export type OutboundFetch = (url: string, request?: OutboundRequest) => Promise<OutboundResponse>;

type Resolve = (name: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export interface FetchOptions {
  /** Non-public networks that may be accessed. */
  allow: readonly string[];
  /** Resolves names; tests replace it. */
  resolve?: Resolve;
}

/** Shorter than the idle timeout of most servers, so that few requests find their connection closed. */
const IDLE_MS = 4 * SECOND;
const MAX_IDLE_SOCKETS = 64;

const systemResolve: Resolve = (name, callback) => systemLookup(name, { all: true }, callback);

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new OutboundError('bad_url', 'The URL must start with https:// or http://.');
  }
  if (url.username || url.password) {
    throw new OutboundError('bad_url', 'The URL must not contain a user name or password.');
  }
  return url;
}

/**
 * Creates a fetch function for URLs that users chose. It limits size and time, and accesses only public addresses and
 * allowed ones.
 */
export function createFetch({ allow, resolve = systemResolve }: FetchOptions): OutboundFetch {
  const allowed = createBlockList(allow);
  const mayReach = (address: string): boolean => isPublic(address) || isIn(allowed, address);
  const refused = (host: string) =>
    new OutboundError(
      'refused_address',
      `${host} is not a public address. To allow it, an administrator can add it to MOORING_OUTBOUND_ALLOW.`,
    );

  /** The connection uses exactly the returned addresses, so a name can't change its address after the check. */
  const lookup: LookupFunction = (host, options, done) => {
    resolve(host, (error, found) => {
      const addresses = error ? [] : found.filter(({ address }) => mayReach(address));
      const [first] = addresses;
      if (error) done(error, []);
      else if (!first) done(refused(host), []);
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

  // Not shared with other fetch functions, which may allow other addresses.
  const agents = new Map<string, Agent>();
  async function agentFor(url: URL): Promise<Agent> {
    const { Agent } = await loadClient(url);
    const agent =
      agents.get(url.protocol) ?? new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE_SOCKETS, timeout: IDLE_MS });
    agents.set(url.protocol, agent);
    return agent;
  }

  return async (text, request = {}) => {
    const { method = 'GET', headers, body, timeoutMs = 10 * SECOND, maxBytes = 1_048_576, isRepeatable } = request;
    const url = readUrl(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An IP address is not looked up, so check it here.
    if (isIP(host) !== 0 && !mayReach(host)) throw refused(host);
    const sent = { 'accept-encoding': 'identity', 'user-agent': 'Mooring', ...headers };
    try {
      const { request: begin } = await loadClient(url);
      const agent = isRepeatable ? await agentFor(url) : false;
      return await exchange(begin, url, { method, headers: sent, lookup, agent }, { body, maxBytes, timeoutMs });
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw new OutboundError('unreachable', `Can't connect to ${host}: ${code ?? message}.`, error);
    }
  };
}

/** Errors of a connection that the other side has closed. */
const closed = new Set<string | undefined>(['ECONNRESET', 'EPIPE']);

type Client = Pick<typeof import('node:http'), 'Agent' | 'request'>;
const clients = new Map<string, Promise<Client>>();

/** Loaded for the first request: as a module, `node:http` takes 3 MB that the server does not need otherwise. */
function loadClient({ protocol }: URL): Promise<Client> {
  const client = clients.get(protocol) ?? (protocol === 'https:' ? import('node:https') : import('node:http'));
  clients.set(protocol, client);
  return client;
}

type Limits = Required<Pick<OutboundRequest, 'maxBytes' | 'timeoutMs'>> & Pick<OutboundRequest, 'body'>;

/**
 * Sends one request and reads the response. Uses listeners instead of streams and signals, because thousands of
 * webhooks are sent per second.
 */
function exchange(
  request: Client['request'],
  url: URL,
  options: RequestOptions,
  { body = '', maxBytes, timeoutMs }: Limits,
): Promise<OutboundResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
  let sent: ClientRequest | undefined;
  let isOver = false;
  const refuse = (problem: OutboundProblem, message: string): void => {
    isOver = true;
    reject(new OutboundError(problem, message));
    sent?.destroy();
  };

  function read(response: IncomingMessage): void {
    const chunks: Buffer[] = [];
    let remaining = maxBytes;
    const take = (bytes: number): void => {
      remaining -= bytes;
      if (remaining < 0) refuse('too_large', `The response exceeds ${maxBytes} bytes.`);
    };
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) take(maxBytes + 1);
    response.on('data', (chunk: Buffer) => {
      take(chunk.length);
      if (remaining >= 0) chunks.push(chunk);
    });
    response.on('end', () => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
    });
    response.on('error', reject);
  }

  function begin(agent: RequestOptions['agent']): void {
    const attempt = request(url, { ...options, agent }, read);
    sent = attempt;
    attempt.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = !isOver && attempt.reusedSocket && closed.has(error.code);
      if (isStale) begin(false);
      else reject(error);
    });
    attempt.end(body);
  }

  const late = `${url.hostname} did not respond within ${timeoutMs} ms.`;
  const timer = setTimeout(() => refuse('timeout', late), timeoutMs);
  try {
    begin(options.agent);
  } catch (error) {
    // A header that can't be sent, such as a token with a line break. Thrown, it would leave the timer to reject later.
    reject(error);
  }
  return promise.finally(() => clearTimeout(timer));
}
