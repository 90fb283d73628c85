import type { EndpointSpec, ErrorCode } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, unauthorized } from '../kernel/errors.ts';
import { errorBody } from './errors.ts';
import type { Allowance } from './rate-limit.ts';

type Headers = Readonly<Record<string, string | number>>;

/**
 * Operations that were made for the same clients: what they accept as a credential, how their addresses may be written, and
 * how they say what went wrong. A domain defines those that are not `/v0.1`.
 */
export interface Family {
  /** As the contract has it. */
  readonly name: string;
  /** The kinds of credentials that count here, by name; where several fit a value, the first. */
  readonly credentials: readonly string[];
  /** Whether an address is one of its own, also one that does not exist. */
  owns(url: string): boolean;
  /** Brings an address into the spelling of the endpoint table. */
  toCanonical?(url: string): string;
  /** Names in queries are known in any case. */
  readonly ignoresCase?: true;
  /** For every answer. */
  headers?(request: Pick<FastifyRequest, 'id' | 'headers'>): Headers;
  allowanceHeaders?(allowance: Allowance): Headers;
  /** Its clients lose what they have when they are told 429: it bounds by itself what it takes. */
  readonly isUncounted?: true;
  /** Throws when something is missing that every request must say. */
  checkQuery?(query: Readonly<Record<string, unknown>>): void;
  /** What whoever is not known is told. */
  unauthenticated(hasCredential: boolean): Failure;
  error(failure: Failure, requestId: string): object;
  errorHeaders?(failure: Failure): Headers;
}

const standard: Family = {
  name: 'v0.1',
  credentials: ['token', 'session'],
  owns: () => true,
  unauthenticated: unauthorized,
  error: ({ code, message }) => errorBody(code as ErrorCode, message),
};

export interface Families {
  of(spec: Pick<EndpointSpec, 'family'>): Family;
  at(url: string): Family;
  all: readonly Family[];
  toCanonical(url: string): string;
}

export function createFamilies(others: readonly Family[]): Families {
  const byName = new Map([standard, ...others].map((family) => [family.name, family]));
  const at = (url: string): Family => others.find((family) => family.owns(url)) ?? standard;
  return {
    of: ({ family }) => {
      const found = byName.get(family?.name ?? standard.name);
      if (!found) throw new Error(`no domain defines the family ${family?.name}`);
      return found;
    },
    at,
    all: [standard, ...others],
    toCanonical: (url) => at(url).toCanonical?.(url) ?? url,
  };
}

export const isStandard = (family: Family): boolean => family === standard;

declare module 'fastify' {
  interface FastifyRequest {
    /** By its address: also what has no endpoint is refused in the words of its family. */
    family: Family;
  }
}

/** Brings the names in a query into the spelling of its endpoint. */
export function canonicalQuery({ query: schema }: Pick<EndpointSpec, 'query'>) {
  const names = new Map(Object.keys(schema?.properties ?? {}).map((name) => [name.toLowerCase(), name]));
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const given = request.query as Record<string, unknown>;
    request.query = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
    );
    done();
  };
}
