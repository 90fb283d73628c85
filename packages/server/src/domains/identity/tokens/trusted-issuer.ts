import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { Deps } from '../../../context.ts';
import { type Clock, DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { unavailable } from '../../../kernel/errors.ts';
import type { Log } from '../../../kernel/log.ts';

const ALGORITHMS = ['RS256', 'ES256'];
/** Minimum time between fetches of the provider's keys, which unknown key IDs trigger. */
const SHORTEST = MINUTE;
/** Keys that the provider has withdrawn stay valid for the first time, or for the second while it cannot be reached. */
const REFRESH = HOUR;
const STALE = DAY;
/** Tolerance for clock differences, in seconds. */
const TOLERANCE = 5;

/** An external identity provider whose tokens this server accepts. */
export interface TrustedIssuer {
  issuer: string;
  audience: string[];
  /** Verifies a token of the provider and returns its claims; throws an error of `jose` if it is invalid. */
  verify(jwt: string, now: number): Promise<JWTPayload>;
}

export interface TrustedIssuerOptions {
  issuer: string;
  audience: string[];
  clock: Clock;
  log: Log;
  /** Fetches a small JSON document; limited in time and size. */
  fetchJson(url: string): Promise<unknown>;
}

/** Opens the trusted issuer, if one is configured. */
export function openTrustedIssuer(
  { config, clock, log }: Pick<Deps, 'config' | 'clock' | 'log'>,
  fetchJson: TrustedIssuerOptions['fetchJson'],
): TrustedIssuer | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience } = config;
  return issuer && audience ? createTrustedIssuer({ issuer, audience, clock, log, fetchJson }) : undefined;
}

type Keys = ReturnType<typeof createLocalJWKSet>;

function createTrustedIssuer({ issuer, audience, clock, log, fetchJson }: TrustedIssuerOptions): TrustedIssuer {
  let keys: Keys | undefined;
  let fetchedAt = 0;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  async function fetchKeys(): Promise<void> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = (await fetchJson(url)) as { issuer?: unknown; jwks_uri?: unknown };
    if (document?.issuer !== issuer) throw new Error(`${url} names the issuer ${String(document?.issuer)}`);
    const { jwks_uri } = document;
    const isSafe = typeof jwks_uri === 'string' && URL.canParse(jwks_uri) && isAsSafe(new URL(jwks_uri));
    if (!isSafe) throw new Error(`${url} has no secure jwks_uri`);
    keys = createLocalJWKSet((await fetchJson(jwks_uri)) as JSONWebKeySet);
    fetchedAt = clock.now();
  }

  const isAsSafe = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === new URL(issuer).protocol;

  /** One fetch at a time; if it fails, the known keys stay valid for a while. */
  async function refresh(): Promise<void> {
    if (!fetching && clock.now() - triedAt < SHORTEST) return;
    triedAt = fetching ? triedAt : clock.now();
    fetching ??= fetchKeys()
      .catch((err: unknown) => log.warn({ err, issuer }, 'failed to fetch the keys of the identity provider'))
      .finally(() => {
        fetching = undefined;
      });
    await fetching;
  }

  async function currentKeys(): Promise<Keys> {
    if (!keys || clock.now() - fetchedAt > REFRESH) await refresh();
    if (!keys || clock.now() - fetchedAt > STALE) {
      throw unavailable('The identity provider cannot be reached. Try again later.');
    }
    return keys;
  }

  async function verify(jwt: string, now: number): Promise<JWTPayload> {
    const options = {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      currentDate: new Date(now),
      clockTolerance: TOLERANCE,
      requiredClaims: ['exp', 'sub'],
    };
    try {
      return (await jwtVerify(jwt, await currentKeys(), options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const before = keys;
      await refresh();
      if (keys === before) throw error;
      return (await jwtVerify(jwt, await currentKeys(), options)).payload;
    }
  }

  return { issuer, audience, verify };
}
