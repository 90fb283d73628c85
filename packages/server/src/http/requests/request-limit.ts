import type { EndpointSpec } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Deps } from '../../context.ts';
import { tooManyRequests } from '../../kernel/errors.ts';
import { addressKey } from '../../kernel/ip-address.ts';
import { takeFromDatabase } from '../rate-limits/rate-counts.ts';
import { type Allowance, createRateLimit } from '../rate-limits/rate-limit.ts';

/**
 * Key that a request counts against. Prefixes separate kinds, so a name that a caller chose is never mistaken for an
 * ID.
 */
export type LimitKey =
  `${'address' | 'ingest' | 'reader' | 'token' | 'directory' | 'session' | 'oauth' | 'user'}:${string}`;

/** The credential if it is valid, otherwise the IP address. */
function getLimitKey(actor: Actor, address: string): LimitKey {
  if (actor.kind === 'app') return `token:${actor.tokenId}`;
  if (actor.kind === 'directory') return `directory:${actor.tokenId}`;
  if (actor.kind !== 'user') return `address:${addressKey(address)}`;
  const { credential } = actor;
  return credential.kind === 'password' ? `user:${actor.user.id}` : `${credential.kind}:${credential.id}`;
}

/** Public files and text, and data from devices, do not count against the limit of API requests. */
export function countedAs({ access, effect, response }: EndpointSpec, actor: Actor, address: string): LimitKey {
  if (access === 'public' && ['file', 'text'].includes(response.kind)) return `reader:${addressKey(address)}`;
  const key = getLimitKey(actor, address);
  return effect === 'ingest' ? `ingest:${key}` : key;
}

export type RequestLimit = (
  key: LimitKey,
  reply: FastifyReply,
  reportAllowance?: (allowance: Allowance) => void,
) => void | Promise<void>;

/** Counts requests and refuses excessive ones. Processes that share a database or a port count together. */
export function createRequestLimit(deps: Deps): RequestLimit {
  const { rateLimit: perMinute, databaseUrl, workers } = deps.config;
  const isShared = databaseUrl !== undefined || workers > 1;
  const take = isShared ? takeFromDatabase(deps) : undefined;
  const count = createRateLimit({ perMinute, clock: deps.clock, take });

  return (key, reply, reportAllowance) => {
    const apply = (allowance: Allowance): void => {
      const { limit, remaining, reset, exceeded } = allowance;
      reply.header('ratelimit-limit', limit).header('ratelimit-remaining', remaining).header('ratelimit-reset', reset);
      reportAllowance?.(allowance);
      if (exceeded) throw tooManyRequests(`More than ${limit} requests per minute. Retry in ${reset} s.`, reset);
    };
    const allowance = count(key);
    if (allowance instanceof Promise) return allowance.then(apply);
    if (allowance) apply(allowance);
  };
}

/** Limits public resources such as files, without counting against the limit of API requests. */
export const limitReaders =
  (limit: RequestLimit) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    limit(`reader:${addressKey(request.ip)}`, reply);
