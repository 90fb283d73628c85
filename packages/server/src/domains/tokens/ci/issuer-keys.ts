import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { Deps } from '../../../context.ts';
import { DAY, HOUR, SECOND } from '../../../kernel/clock.ts';
import { parseForeignJson } from '../../../kernel/text/json.ts';
import { issuerProblem } from '../../../outbound/issuer-url.ts';
import { isLoopback } from '../../../setting-kinds.ts';

/** Minimum time between two fetches from one issuer, which failures and unknown key IDs trigger. */
const SHORTEST = 10 * SECOND;
/** Keys that the issuer has withdrawn stay valid for the first time, or for the second while it cannot be reached. */
const REFRESH = HOUR;
const STALE = DAY;
const MAX_ISSUERS = 200;
const MAX_BYTES = 262_144;
const MAX_KEYS = 100;
const TIMEOUT = 5 * SECOND;

export type IssuerKeys = ReturnType<typeof createLocalJWKSet>;

interface Entry {
  keys: IssuerKeys | undefined;
  fetchedAt: number;
  triedAt: number;
  fetching: Promise<IssuerKeys> | undefined;
  failure: unknown;
}

/** The keys must come over a connection as safe as that to the issuer. */
function readKeysUrl(issuer: string, value: unknown): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:') && isLoopback(url));
  if (!url || !isSafe) throw new Error('The discovery document has no secure jwks_uri.');
  return url.href;
}

/** Fetches and caches the public keys of issuers of ID tokens. */
export function createIssuerKeys({ clock, fetch, config }: Pick<Deps, 'clock' | 'fetch' | 'config'>) {
  const entries = new Map<string, Entry>();

  /** Follows no redirects. */
  async function fetchObject(url: string): Promise<Record<string, unknown>> {
    const { status, body } = await fetch(url, { timeoutMs: TIMEOUT, maxBytes: MAX_BYTES });
    if (status !== 200) throw new Error(`${url} responded with status ${status}.`);
    const document = parseForeignJson(body);
    if (typeof document !== 'object' || document === null) throw new Error(`${url} is not a JSON object.`);
    return document as Record<string, unknown>;
  }

  async function fetchKeys(issuer: string): Promise<IssuerKeys> {
    const problem = issuerProblem(issuer, config.outboundAllow);
    if (problem) throw new Error(`The issuer ${problem}`);
    const document = await fetchObject(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (document.issuer !== issuer) throw new Error(`The discovery document of ${issuer} names another issuer.`);
    const set = await fetchObject(readKeysUrl(issuer, document.jwks_uri));
    if (!Array.isArray(set.keys) || set.keys.length > MAX_KEYS) {
      throw new Error(`The key set of ${issuer} is not a list of up to ${MAX_KEYS} keys.`);
    }
    return createLocalJWKSet(set as unknown as JSONWebKeySet);
  }

  /** One fetch at a time; a failure is repeated for a few seconds instead of trying again. */
  function refresh(issuer: string, entry: Entry): Promise<IssuerKeys> {
    if (entry.fetching) return entry.fetching;
    const usable = () => (entry.keys && clock.now() - entry.fetchedAt < STALE ? entry.keys : undefined);
    if (clock.now() - entry.triedAt < SHORTEST) {
      const keys = usable();
      return keys ? Promise.resolve(keys) : Promise.reject(entry.failure);
    }
    entry.triedAt = clock.now();
    entry.fetching = fetchKeys(issuer)
      .then((keys) => {
        Object.assign(entry, { keys, fetchedAt: clock.now() });
        return keys;
      })
      .catch((error: unknown) => {
        entry.failure = error;
        const keys = usable();
        if (keys) return keys;
        throw error;
      })
      .finally(() => {
        entry.fetching = undefined;
      });
    return entry.fetching;
  }

  function entryFor(issuer: string): Entry {
    const existing = entries.get(issuer);
    if (existing) return existing;
    if (entries.size >= MAX_ISSUERS) entries.delete(entries.keys().next().value ?? '');
    const entry = { keys: undefined, fetchedAt: 0, triedAt: 0, fetching: undefined, failure: undefined };
    entries.set(issuer, entry);
    return entry;
  }

  return {
    /** Throws if the issuer cannot be reached or is misconfigured. */
    async find(issuer: string): Promise<IssuerKeys> {
      const entry = entryFor(issuer);
      return entry.keys && clock.now() - entry.fetchedAt < REFRESH ? entry.keys : refresh(issuer, entry);
    },
    /** Fetches the keys again, because a token names an unknown one; rarely returns the cached keys. */
    renew: (issuer: string): Promise<IssuerKeys> => refresh(issuer, entryFor(issuer)),
  };
}

type Directory = ReturnType<typeof createIssuerKeys>;
const directories = new WeakMap<Deps['config'], Directory>();

/** The keys that this process has cached. */
export function getIssuerKeys(deps: Pick<Deps, 'clock' | 'fetch' | 'config'>): Directory {
  const directory = directories.get(deps.config) ?? createIssuerKeys(deps);
  directories.set(deps.config, directory);
  return directory;
}
