import type { EndpointSpec } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Deps } from '../context.ts';
import { tooManyRequests } from '../kernel/errors.ts';
import { addressKey } from '../kernel/ip-address.ts';
import { takeFromDatabase } from './rate-counts.ts';
import { type Allowance, createRateLimit } from './rate-limit.ts';

/** What a request counts against, each in a space of its own: a name that a caller chose is never taken for an id. */
export type LimitKey = `${'address' | 'ingest' | 'reader' | 'token' | 'session' | 'oauth' | 'user'}:${string}`;

/** Its credential if that holds, else its address. */
function limitKeyOf(actor: Actor, address: string): LimitKey {
  if (actor.kind === 'app') return `token:${actor.tokenId}`;
  if (actor.kind !== 'user') return `address:${addressKey(address)}`;
  const { credential } = actor;
  return credential.kind === 'password' ? `user:${actor.user.id}` : `${credential.kind}:${credential.id}`;
}

/** Files and text for anybody leave what an address may ask of the API as it is, and so does what devices send. */
export function countedAs({ access, effect, response }: EndpointSpec, actor: Actor, address: string): LimitKey {
  if (access === 'public' && ['file', 'text'].includes(response.kind)) return `reader:${addressKey(address)}`;
  const key = limitKeyOf(actor, address);
  return effect === 'ingest' ? `ingest:${key}` : key;
}

export type RequestLimit = (
  key: LimitKey,
  reply: FastifyReply,
  tell?: (allowance: Allowance) => void,
) => void | Promise<void>;

/** Counts requests and refuses those that are too many; processes that share a database, or a port, count together. */
export function createRequestLimit(deps: Deps): RequestLimit {
  const { rateLimit: perMinute, databaseUrl, workers } = deps.config;
  const isShared = databaseUrl !== undefined || workers > 1;
  const take = isShared ? takeFromDatabase(deps) : undefined;
  const count = createRateLimit({ perMinute, clock: deps.clock, take });

  return (key, reply, tell) => {
    const apply = (allowance: Allowance): void => {
      const { limit, remaining, reset, exceeded } = allowance;
      reply.header('ratelimit-limit', limit).header('ratelimit-remaining', remaining).header('ratelimit-reset', reset);
      tell?.(allowance);
      if (exceeded) throw tooManyRequests(`More than ${limit} requests in a minute; wait ${reset} s.`, reset);
    };
    const allowance = count(key);
    if (allowance instanceof Promise) return allowance.then(apply);
    if (allowance) apply(allowance);
  };
}

/** For what anybody may read, such as files; it leaves what the address may ask of the API as it is. */
export const limitReaders =
  (limit: RequestLimit) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    limit(`reader:${addressKey(request.ip)}`, reply);
