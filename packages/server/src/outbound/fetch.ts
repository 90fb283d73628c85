import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { SECOND } from '../kernel/clock.ts';
import { isIn, isPublic, networksOf } from './addresses.ts';

export interface OutboundRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** For everything together, from the look-up of the name to the last byte. */
  timeoutMs?: number;
  /** For the body of the answer. */
  maxBytes?: number;
  /**
   * It may arrive twice without harm, so its connection is kept for others like it, and it is sent again where that turns out
   * to be closed.
   */
  isRepeatable?: boolean;
}

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type OutboundProblem = 'bad_url' | 'refused_address' | 'timeout' | 'too_large' | 'unreachable';

/** Why a request to outside got no answer. The message may be shown: it tells nothing about our networks. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly problem: OutboundProblem;
  constructor(problem: OutboundProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

/** Any answer counts, whatever its status. Redirects are not followed: they are answers too. */
export type OutboundFetch = (url: string, request?: OutboundRequest) => Promise<OutboundResponse>;

type Resolve = (name: string, tell: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export interface FetchOptions {
  /** Networks that are not public and may be reached all the same. */
  allow: readonly string[];
  /** How names become addresses; tests have their own. */
  resolve?: Resolve;
}

/** Shorter than what most servers keep, so that few requests find their connection closed. */
const IDLE_MS = 4 * SECOND;
const MOST_IDLE = 64;

const systemResolve: Resolve = (name, tell) => systemLookup(name, { all: true }, tell);

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new OutboundError('bad_url', 'The address must begin with https:// or http://.');
  }
  if (url.username || url.password) {
    throw new OutboundError('bad_url', 'The address must not contain a name or a password.');
  }
  return url;
}

/** Makes the fetch for addresses that others chose: only public ones are reached, within limits. */
export function createFetch({ allow, resolve = systemResolve }: FetchOptions): OutboundFetch {
  const allowed = networksOf(allow);
  const mayReach = (address: string): boolean => isPublic(address) || isIn(allowed, address);
  const refused = (host: string) =>
    new OutboundError(
      'refused_address',
      `${host} is not a public address; MOORING_OUTBOUND_ALLOW names those that may be reached all the same.`,
    );

  /** What this returns is what is connected to, so a name that changes its address in between gains nothing. */
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

  // Of this fetch only: what one may reach, another may not.
  const agents = new Map<string, Agent>();
  async function agentFor(url: URL): Promise<Agent> {
    const { Agent } = await loadClient(url);
    const agent =
      agents.get(url.protocol) ?? new Agent({ keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: IDLE_MS });
    agents.set(url.protocol, agent);
    return agent;
  }

  return async (text, request = {}) => {
    const { method = 'GET', headers, body, timeoutMs = 10 * SECOND, maxBytes = 1_048_576, isRepeatable } = request;
    const url = readUrl(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An address needs no look-up, so none is asked for.
    if (isIP(host) !== 0 && !mayReach(host)) throw refused(host);
    const sent = { 'accept-encoding': 'identity', 'user-agent': 'Mooring', ...headers };
    try {
      const { request: begin } = await loadClient(url);
      const agent = isRepeatable ? await agentFor(url) : false;
      return await exchange(begin, url, { method, headers: sent, lookup, agent }, { body, maxBytes, timeoutMs });
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw new OutboundError('unreachable', `${host} cannot be reached: ${code ?? message}.`, error);
    }
  };
}

/** How a connection that the other side closed meanwhile fails. */
const closed = new Set<string | undefined>(['ECONNRESET', 'EPIPE']);

type Client = Pick<typeof import('node:http'), 'Agent' | 'request'>;
const clients = new Map<string, Promise<Client>>();

/** Loaded with the first request: as a module, `node:http` brings 3 MB that a server does not need by itself. */
function loadClient({ protocol }: URL): Promise<Client> {
  const client = clients.get(protocol) ?? (protocol === 'https:' ? import('node:https') : import('node:http'));
  clients.set(protocol, client);
  return client;
}

type Limits = Required<Pick<OutboundRequest, 'maxBytes' | 'timeoutMs'>> & Pick<OutboundRequest, 'body'>;

/** One request and its whole answer. Listeners instead of streams and signals: thousands of webhooks are sent in a second. */
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
    let room = maxBytes;
    const take = (bytes: number): void => {
      room -= bytes;
      if (room < 0) refuse('too_large', `The answer is larger than ${maxBytes} bytes.`);
    };
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) take(maxBytes + 1);
    response.on('data', (chunk: Buffer) => {
      take(chunk.length);
      if (room >= 0) chunks.push(chunk);
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

  const late = `${url.hostname} did not answer within ${timeoutMs} ms.`;
  const timer = setTimeout(() => refuse('timeout', late), timeoutMs);
  try {
    begin(options.agent);
  } catch (error) {
    // A header that can't be sent, such as a token with a line break. Thrown, it would leave the timer to reject later.
    reject(error);
  }
  return promise.finally(() => clearTimeout(timer));
}
