import { endpoints } from '@mooring/contract';
import type { FastifyInstance } from 'fastify';
import type { Actor, Deps } from '../context.ts';
import type { Database } from '../db/open.ts';
import type { Domain } from '../domain.ts';
import { confirmationChecks } from '../extensions/confirmation-checks.ts';
import { crossOriginReaders } from '../extensions/cross-origin-readers.ts';
import { passwordChecks } from '../extensions/password-checks.ts';
import { createAccess } from '../http/access/access.ts';
import { type LastUse, trackLastUse } from '../http/access/last-use.ts';
import { createApiSurfaces } from '../http/api-surfaces.ts';
import { addConsole } from '../http/console.ts';
import { addDocs } from '../http/docs.ts';
import type { Metrics } from '../http/monitoring/metrics.ts';
import { addProbes } from '../http/monitoring/probes.ts';
import { mount } from '../http/mount.ts';
import { type CallerOrigins, createCallerOrigins } from '../http/network/caller-origin.ts';
import { createListeners } from '../http/network/listen.ts';
import type { IsReader } from '../http/requests/cross-origin.ts';
import { createRequestLimit, limitReaders } from '../http/requests/request-limit.ts';
import { createServer } from '../http/server.ts';
import { findDiskShortage } from '../kernel/files/disk-space.ts';
import { uploadRoutes, uploadsSurface } from '../uploads/index.ts';

export interface HttpService {
  http: FastifyInstance;
  ports: ReturnType<typeof createListeners>;
  callerOrigins: CallerOrigins;
  lastUse: LastUse;
}

export interface HttpServiceOptions {
  domains: readonly Domain[];
  database: Database;
  metrics: Metrics;
}

/** Serves the endpoints of all domains, the console and the specification; without the role `api`, probes only. */
export async function createHttpService(
  deps: Deps,
  { domains, database, metrics }: HttpServiceOptions,
): Promise<HttpService> {
  const { config, clock, log } = deps;
  const isApi = config.roles.includes('api');
  const surfaces = createApiSurfaces([uploadsSurface, ...domains.flatMap((domain) => domain.surfaces?.(deps) ?? [])]);
  const limit = createRequestLimit(deps);
  const limited = limitReaders(limit);
  const http = createServer({
    config,
    endpoints: isApi ? endpoints : [],
    surfaces,
    clock,
    log,
    metrics,
    limit: limited,
  });
  const credentials = domains.flatMap((domain) => domain.credentials?.(deps) ?? []);
  const lastUse = trackLastUse(credentials, log);
  const [checkPassword] = passwordChecks.list(deps);
  if (!checkPassword) throw new Error('no domain checks passwords');
  const requireConfirmation = async (needed: Deps, actor: Actor) => {
    for (const check of confirmationChecks.list(deps)) await check(needed, actor);
  };
  const callerOrigins = createCallerOrigins();
  const access = createAccess(deps, {
    authority: { versionsNow: deps.versionsNow, checkPassword, requireConfirmation, noteUse: lastUse.note },
    credentials,
    scopes: domains.flatMap(({ scopes = [] }) => (typeof scopes === 'function' ? scopes(deps) : scopes)),
    surfaces,
    limit,
    callerOrigins,
  });
  const routes = [
    ...uploadRoutes,
    ...domains.flatMap(({ routes = [] }) => (typeof routes === 'function' ? routes(deps) : routes)),
  ];
  addProbes(http, {
    clock,
    database,
    metrics,
    metricsToken: config.metricsToken,
    hasLocalBuilds: config.builtInRunner !== 'off',
    findShortage: () => findDiskShortage(deps),
  });
  if (isApi) {
    mount(http, { endpoints, routes, access, isReader: createReaderCheck(deps) });
    const { version } = deps.program;
    await addDocs(http, { endpoints, version, retirementDate: config.retirementDate, limit: limited });
    await addConsole(http);
  }
  return { http, ports: createListeners(http, config, log, surfaces), callerOrigins, lastUse };
}

function createReaderCheck(deps: Deps): IsReader {
  const readers = Object.groupBy(crossOriginReaders.list(deps), ({ group }) => group);
  return async (group, origin) =>
    (await Promise.all((readers[group] ?? []).map(({ isAllowed }) => isAllowed(deps, origin)))).includes(true);
}
