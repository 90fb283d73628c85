import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../db/open.ts';
import { unauthorized } from '../kernel/errors.ts';
import type { Metrics } from './metrics.ts';

const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address) && isIP(address) !== 0;

/** Only a direct connection counts: a proxy on this machine makes every visitor look local. */
const isLocal = ({ raw, headers }: FastifyRequest): boolean =>
  isLoopback(raw.socket.remoteAddress ?? '') && !headers['x-forwarded-for'] && !headers.forwarded;

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export interface ProbeOptions {
  database: Database;
  metrics: Metrics;
  metricsToken: string | undefined;
}

/** For load balancers and monitoring: alive, ready for traffic, and figures. */
export function addProbes(app: FastifyInstance, { database, metrics, metricsToken }: ProbeOptions): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    try {
      const pending = await database.pendingMigrations();
      if (pending.length === 0) return { status: 'ready' };
      return reply.code(503).send({ status: 'not ready', reason: `The database lacks ${pending.join(', ')}.` });
    } catch {
      return reply.code(503).send({ status: 'not ready', reason: 'The database cannot be reached.' });
    }
  });

  app.get('/metrics', async (request, reply) => {
    if (metricsToken ? !hasToken(request, metricsToken) : !isLocal(request)) throw unauthorized();
    return reply.type(metrics.registry.contentType).send(await metrics.render());
  });
}
