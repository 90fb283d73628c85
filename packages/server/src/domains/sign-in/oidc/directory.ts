import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import * as oauth from 'oauth4webapi';
import type { Deps } from '../../../context.ts';
import { HOUR, SECOND } from '../../../kernel/clock.ts';
import { parseJson } from '../../../kernel/text/json.ts';
import type { OutboundFetch } from '../../../outbound/fetch.ts';
import { issuerProblem } from '../../../outbound/issuer-url.ts';
import { isLoopback } from '../../../setting-kinds.ts';

/** Minimum time between two fetches from one provider, which failures and unknown key IDs trigger. */
const SHORTEST = 10 * SECOND;
/** Metadata and keys of a provider stay valid for this long. */
const REFRESH = HOUR;

type Keys = ReturnType<typeof createLocalJWKSet>;

/** A provider as its discovery document and its keys describe it. */
export interface ProviderMetadata {
  server: oauth.AuthorizationServer;
  authorizationEndpoint: string;
  keys: Keys;
}

interface Entry {
  metadata: ProviderMetadata | undefined;
  fetchedAt: number;
  triedAt: number;
  fetching: Promise<ProviderMetadata> | undefined;
  failure: unknown;
}

/** The format of `fetch` for the library; requests still follow the rules for URLs of users. */
export const toLibraryFetch =
  (fetch: OutboundFetch) =>
  async (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>): Promise<Response> => {
    const sent = body === undefined || body === null ? {} : { body: String(body) };
    const {
      status,
      headers: received,
      body: bytes,
    } = await fetch(url, {
      method: method as 'GET' | 'POST',
      headers,
      ...sent,
      timeoutMs: 5 * SECOND,
    });
    const contentType = received['content-type'];
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(bytes), {
      status,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    });
  };

/** An issuer on the loopback may use http; `issuerProblem` checks that the operator allows it. */
export const isInsecure = (issuer: string): boolean => new URL(issuer).protocol === 'http:';

/** The URLs that the browser and this server are sent to must be as safe as the issuer. */
function readEndpoint(
  server: oauth.AuthorizationServer,
  name: 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri',
) {
  const value = server[name];
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isInsecure(server.issuer) && isLoopback(url));
  if (!url || !isSafe) throw new Error(`The discovery document has no secure ${name}.`);
  return url.href;
}

/** Fetches and caches the metadata of providers. */
export function createDirectory({ clock, fetch, config }: Pick<Deps, 'clock' | 'fetch' | 'config'>) {
  const entries = new Map<string, Entry>();

  async function fetchMetadata(issuer: string): Promise<ProviderMetadata> {
    const problem = issuerProblem(issuer, config.outboundAllow);
    if (problem) throw new Error(`The issuer ${problem}`);
    const url = new URL(issuer);
    const response = await oauth.discoveryRequest(url, {
      [oauth.customFetch]: toLibraryFetch(fetch),
      [oauth.allowInsecureRequests]: isInsecure(issuer),
    });
    const server = await oauth.processDiscoveryResponse(url, response);
    // The library compares URLs; tokens name the issuer as text.
    if (server.issuer !== issuer) {
      throw new Error(`The discovery document names the issuer "${server.issuer}", not "${issuer}".`);
    }
    const authorizationEndpoint = readEndpoint(server, 'authorization_endpoint');
    readEndpoint(server, 'token_endpoint');
    const { status, body } = await fetch(readEndpoint(server, 'jwks_uri'), { timeoutMs: 5 * SECOND });
    if (status !== 200) throw new Error(`jwks_uri responded with status ${status}.`);
    return {
      server,
      authorizationEndpoint,
      keys: createLocalJWKSet(parseJson(body.toString('utf8')) as JSONWebKeySet),
    };
  }

  /** One fetch at a time; a failure is repeated for a few seconds instead of trying again. */
  function refresh(issuer: string, entry: Entry): Promise<ProviderMetadata> {
    if (entry.fetching) return entry.fetching;
    if (clock.now() - entry.triedAt < SHORTEST) {
      return entry.metadata ? Promise.resolve(entry.metadata) : Promise.reject(entry.failure);
    }
    entry.triedAt = clock.now();
    entry.fetching = fetchMetadata(issuer)
      .then((metadata) => {
        Object.assign(entry, { metadata, fetchedAt: clock.now() });
        return metadata;
      })
      .catch((error: unknown) => {
        entry.failure = error;
        throw error;
      })
      .finally(() => {
        entry.fetching = undefined;
      });
    return entry.fetching;
  }

  function entryFor(issuer: string): Entry {
    const known = entries.get(issuer);
    if (known) return known;
    const entry = { metadata: undefined, fetchedAt: 0, triedAt: 0, fetching: undefined, failure: undefined };
    entries.set(issuer, entry);
    return entry;
  }

  return {
    /** Throws if the provider cannot be reached or is misconfigured. */
    async find(issuer: string): Promise<ProviderMetadata> {
      const entry = entryFor(issuer);
      if (entry.metadata && clock.now() - entry.fetchedAt < REFRESH) return entry.metadata;
      return refresh(issuer, entry);
    },
    /** Fetches the metadata again, because a token names an unknown key; rarely returns the cached metadata. */
    renew: (issuer: string): Promise<ProviderMetadata> => refresh(issuer, entryFor(issuer)),
  };
}

export type Directory = ReturnType<typeof createDirectory>;
