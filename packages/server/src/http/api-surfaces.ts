import type { EndpointSpec, ErrorCode } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, unauthorized } from '../kernel/errors.ts';
import type { Allowance } from './rate-limits/rate-limit.ts';
import { errorBody } from './responses/errors.ts';

type Headers = Readonly<Record<string, string | number>>;

/**
 * Operations for one kind of client: the credentials they accept, the spelling of their URLs, and the format of their
 * errors. Domains define all except `/v0.1`.
 */
export interface ApiSurface {
  /** Name in the contract. */
  readonly name: string;
  /** Names of the accepted kinds of credentials. If several match a value, the first one counts. */
  readonly credentials: readonly string[];
  /** True if a URL belongs to it, even if no endpoint exists there. */
  owns(url: string): boolean;
  /** Normalizes a URL to the spelling of the endpoint table. */
  toCanonical?(url: string): string;
  /** Query parameter names are case-insensitive. */
  readonly ignoresCase?: true;
  /** Added to every response. */
  headers?(request: Pick<FastifyRequest, 'id' | 'headers'>): Headers;
  allowanceHeaders?(allowance: Allowance): Headers;
  /** Its clients lose data on a 429, so it limits its input in another way. */
  readonly isUncounted?: true;
  /** Requests with a valid credential are not counted, because its clients send all their data in one go. */
  readonly countsStrangers?: true;
  /** Throws if a query parameter that every request needs is missing. */
  checkQuery?(query: Readonly<Record<string, unknown>>): void;
  /** The error for a caller without a valid credential. */
  unauthenticated(hasCredential: boolean): Failure;
  /** Replaces a failure whose status its clients would misunderstand. */
  translate?(failure: Failure): Failure;
  error(failure: Failure, requestId: string): object;
  errorHeaders?(failure: Failure): Headers;
}

const standard: ApiSurface = {
  name: 'v0.1',
  credentials: ['token', 'session'],
  owns: () => true,
  unauthenticated: unauthorized,
  error: ({ code, message, target }) => errorBody(code as ErrorCode, message, target),
};

export interface ApiSurfaces {
  of(spec: Pick<EndpointSpec, 'surface'>): ApiSurface;
  at(url: string): ApiSurface;
  all: readonly ApiSurface[];
  toCanonical(url: string): string;
}

export function createApiSurfaces(others: readonly ApiSurface[]): ApiSurfaces {
  const byName = new Map([standard, ...others].map((surface) => [surface.name, surface]));
  const at = (url: string): ApiSurface => others.find((surface) => surface.owns(url)) ?? standard;
  return {
    of: ({ surface }) => {
      const match = byName.get(surface?.name ?? standard.name);
      if (!match) throw new Error(`no domain defines the API surface ${surface?.name}`);
      return match;
    },
    at,
    all: [standard, ...others],
    toCanonical: (url) => at(url).toCanonical?.(url) ?? url,
  };
}

export const isStandard = (surface: ApiSurface): boolean => surface === standard;

declare module 'fastify' {
  interface FastifyRequest {
    /** Found by URL: errors for unknown endpoints have the format of the API surface, too. */
    surface: ApiSurface;
  }
}

/** Normalizes the names in a query to the spelling of the endpoint. */
export function canonicalQuery({ query: schema }: Pick<EndpointSpec, 'query'>) {
  const names = new Map(Object.keys(schema?.properties ?? {}).map((name) => [name.toLowerCase(), name]));
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const query = request.query as Record<string, unknown>;
    request.query = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
    );
    done();
  };
}
