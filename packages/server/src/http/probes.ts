import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../db/open.ts';
import { type Clock, SECOND } from '../kernel/clock.ts';
import { Failure, unauthorized } from '../kernel/errors.ts';
import type { Metrics } from './metrics.ts';

const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address) && isIP(address) !== 0;

/** What proxies add to a request, each its own. */
const isOfProxy = (name: string): boolean => /^(via|forwarded|x-forwarded-.*|.*-ip)$/.test(name);

/** Only a direct connection counts: a proxy on this machine makes every visitor look local. */
const isLocal = ({ raw, headers }: FastifyRequest): boolean =>
  isLoopback(raw.socket.remoteAddress ?? '') && !Object.keys(headers).some(isOfProxy);

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const READY_MS = SECOND;

/** Anybody may ask as often as they like, so the database is asked once a second at most. */
function createReadiness({ database, clock, findShortage }: ProbeOptions): () => Promise<Readiness> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  let known: Promise<Readiness> = Promise.resolve({});
  const ask = async (): Promise<Readiness> => {
    try {
      const pending = await database.pendingMigrations();
      if (pending.length > 0) return { reason: `The database lacks ${pending.join(', ')}.` };
    } catch {
      return { reason: 'The database cannot be reached.' };
    }
    try {
      const shortage = await findShortage();
      if (!shortage) return {};
      return shortage.isCritical ? { reason: shortage.message } : { warning: shortage.message };
    } catch {
      return { warning: 'The free space of the file store cannot be read.' };
    }
  };
  const askOnce = async (): Promise<Readiness> => {
    isAsking = true;
    try {
      return await ask();
    } finally {
      isAsking = false;
    }
  };
  return () => {
    const now = clock.now();
    if (!isAsking && Math.abs(now - askedAt) >= READY_MS) {
      askedAt = now;
      known = askOnce();
    }
    return known;
  };
}

interface Readiness {
  /** Why it is not ready. */
  reason?: string;
  /** Ready for people, but not for logs and uploads. */
  warning?: string;
}

export interface ProbeOptions {
  clock: Clock;
  database: Database;
  metrics: Metrics;
  metricsToken: string | undefined;
  /** True if builds run on this machine: like every program there, they reach the loopback. */
  hasLocalBuilds: boolean;
  /** Describes a shortage of disk space, if there is one. */
  findShortage: () => Promise<{ message: string; isCritical: boolean } | undefined>;
}

/** Names the setting, because API tokens do not give access to metrics. */
const needsMetricsToken = () =>
  new Failure(
    'Unauthorized',
    'Metrics need a token on this server, because builds of its built-in runner can reach the loopback. Set MOORING_METRICS_TOKEN and send it as "Authorization: Bearer …".',
    { 'www-authenticate': 'Bearer realm="Mooring"' },
  );

/** For load balancers and monitoring: alive, ready for traffic, and figures. */
export function addProbes(app: FastifyInstance, options: ProbeOptions): void {
  const { metrics, metricsToken, hasLocalBuilds } = options;
  app.get('/healthz', async () => ({ status: 'ok' }));

  const readReadiness = createReadiness(options);
  app.get('/readyz', async (_request, reply) => {
    const { reason, warning } = await readReadiness();
    if (reason !== undefined) return reply.code(503).send({ status: 'not ready', reason });
    return { status: 'ready', ...(warning === undefined ? {} : { warning }) };
  });

  app.get('/metrics', async (request, reply) => {
    if (!metricsToken && hasLocalBuilds && isLocal(request)) throw needsMetricsToken();
    if (metricsToken ? !hasToken(request, metricsToken) : !isLocal(request)) throw unauthorized();
    return reply.type(metrics.registry.contentType).send(await metrics.render());
  });
}
