import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { Agent, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
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
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const sent = { 'accept-encoding': 'identity', 'user-agent': 'Mooring', ...headers };
      const agent = isRepeatable ? await agentFor(url) : false;
      const response = await send(url, { method, headers: sent, lookup, signal: late.signal, agent }, body);
      const answer = await readLimited(response, maxBytes);
      return { status: response.statusCode ?? 0, headers: response.headers, body: answer };
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (late.signal.aborted)
        throw new OutboundError('timeout', `${host} did not answer within ${timeoutMs} ms.`, error);
      const { code, message } = error as NodeJS.ErrnoException;
      throw new OutboundError('unreachable', `${host} cannot be reached: ${code ?? message}.`, error);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** How a connection that the other side closed meanwhile fails. */
const closed = new Set<string | undefined>(['ECONNRESET', 'EPIPE']);

/** Loaded with the first request: as a module, `node:http` brings 3 MB that a server does not need by itself. */
const loadClient = (url: URL) => (url.protocol === 'https:' ? import('node:https') : import('node:http'));

async function send(url: URL, options: RequestOptions, body: string | Uint8Array = ''): Promise<IncomingMessage> {
  const { request } = await loadClient(url);
  return new Promise((resolve, reject) => {
    const sent = request(url, options, resolve);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && closed.has(error.code);
      if (isStale) send(url, { ...options, agent: false }, body).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

async function readLimited(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const tooLarge = () => new OutboundError('too_large', `The answer is larger than ${maxBytes} bytes.`);
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks);
}
