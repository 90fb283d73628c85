import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EndpointSpec } from '@mooring/contract';
import type { FastifyRequest } from 'fastify';
import { onTestFinished } from 'vitest';
import { createBlobStore } from '../../src/blobs/index.ts';
import type { Deps } from '../../src/context.ts';
import { openDatabase } from '../../src/db/open.ts';
import { healthSurface } from '../../src/domains/subscriptions/health.surface.ts';
import { createApiSurfaces } from '../../src/http/api-surfaces.ts';
import { createMetrics } from '../../src/http/monitoring/metrics.ts';
import { mount, type Route } from '../../src/http/mount.ts';
import { createServer } from '../../src/http/server.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { loadSecretKey } from '../../src/kernel/crypto/secret-key.ts';
import { newId } from '../../src/kernel/ids.ts';
import { createLog } from '../../src/kernel/log.ts';
import { createFetch } from '../../src/outbound/fetch.ts';
import { readConfig } from '../../src/settings.ts';
import { createEngine } from '../../src/telemetry/index.ts';
import { createWorkers } from '../../src/workers/index.ts';

function depsIn(dataDir: string): Deps {
  const config = { ...readConfig({}), dataDir };
  return {
    config,
    settings: {},
    db: openDatabase({ location: path.join(dataDir, 'empty.db'), poolSize: 1 }),
    clock: systemClock,
    newId,
    log: createLog('silent'),
    blobs: createBlobStore(config),
    telemetry: createEngine(config, createLog('silent')),
    workers: createWorkers(createLog('silent')),
    fetch: createFetch({ allow: [] }),
    listeners: [],
    extensions: new Map(),
    onStop: () => undefined,
    mailer: undefined,
    program: { version: '0', startedAt: 0 },
    secretKey: loadSecretKey(dataDir),
    wakeJobs: () => undefined,
    versionsNow: async () => ({ grants: 0, responses: 0 }),
    publicUrl: () => 'https://mooring.example.com',
  };
}

/** A server with only these public endpoints, on its own port. Its database is empty. */
export async function serve(...routes: Route[]) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-endpoints-'));
  const deps = depsIn(dataDir);
  const endpoints = routes.map(({ endpoint }) => endpoint);
  const http = createServer({
    ...deps,
    endpoints,
    surfaces: createApiSurfaces([healthSurface(deps)]),
    metrics: createMetrics(),
    limit: async () => undefined,
  });
  const access = async (_spec: EndpointSpec, request: FastifyRequest) => {
    const origin = { address: request.ip, requestId: request.id, userAgent: undefined };
    request.ctx = { ...deps, actor: { kind: 'anonymous' }, origin };
  };
  mount(http, { endpoints, routes, access, isReader: async (_who, origin) => origin === 'https://board.example.com' });
  const url = await http.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    const closed = http.close();
    http.server.closeAllConnections();
    await closed;
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { deps, http, url };
}
