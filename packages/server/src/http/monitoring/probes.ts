import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../../db/open.ts';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import { Failure, unauthorized } from '../../kernel/errors.ts';
import type { Metrics } from './metrics.ts';

const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address) && isIP(address) !== 0;

/** Headers that proxies add to a request. */
const isProxyHeader = (name: string): boolean => /^(via|forwarded|x-forwarded-.*|.*-ip)$/.test(name);

/** Only a direct connection is local: a proxy on this machine makes every client look local. */
const isLocal = ({ raw, headers }: FastifyRequest): boolean =>
  isLoopback(raw.socket.remoteAddress ?? '') && !Object.keys(headers).some(isProxyHeader);

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const sent = Buffer.from(headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

const READY_MS = SECOND;

/** Probes are unlimited, so check the database at most once a second. */
function createReadiness({ database, clock, findShortage }: ProbeOptions): () => Promise<Readiness> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isChecking = false;
  let known: Promise<Readiness> = Promise.resolve({});
  const checkReadiness = async (): Promise<Readiness> => {
    try {
      const pending = await database.pendingMigrations();
      if (pending.length > 0) return { reason: `The database lacks migrations: ${pending.join(', ')}.` };
    } catch {
      return { reason: 'The database is unavailable.' };
    }
    try {
      const shortage = await findShortage();
      if (!shortage) return {};
      return shortage.isCritical ? { reason: shortage.message } : { warning: shortage.message };
    } catch {
      return { warning: 'The free space of the file storage is unknown.' };
    }
  };
  const checkOnce = async (): Promise<Readiness> => {
    isChecking = true;
    try {
      return await checkReadiness();
    } finally {
      isChecking = false;
    }
  };
  return () => {
    const now = clock.now();
    if (!isChecking && Math.abs(now - checkedAt) >= READY_MS) {
      checkedAt = now;
      known = checkOnce();
    }
    return known;
  };
}

interface Readiness {
  /** Why the server is not ready. */
  reason?: string;
  /** Ready for people, but not for logs and uploads. */
  warning?: string;
}

export interface ProbeOptions {
  clock: Clock;
  database: Database;
  metrics: Metrics;
  metricsToken: string | undefined;
  /** True if builds run on this machine: like every local program, they reach the loopback. */
  hasLocalBuilds: boolean;
  /** Describes a shortage of disk space, if there is one. */
  findShortage: () => Promise<{ message: string; isCritical: boolean } | undefined>;
}

/** The message names the setting, because API tokens don't grant access to metrics. */
const needsMetricsToken = () =>
  new Failure(
    'Unauthorized',
    'Metrics need a token on this server, because builds of its built-in runner can reach the loopback. Set MOORING_METRICS_TOKEN and send it as "Authorization: Bearer …".',
    { 'www-authenticate': 'Bearer realm="Mooring"' },
  );

/** Endpoints for load balancers and monitoring: liveness, readiness and metrics. */
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
