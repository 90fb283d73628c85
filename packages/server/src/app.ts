import { mkdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { endpoints } from '@mooring/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { type Actor, type Deps, systemCtx } from './context.ts';
import { authorityReader } from './db/authority.ts';
import { type Database, openDatabase } from './db/open.ts';
import {
  checkPassword,
  findSessionActor,
  prepareFirstAdmin,
  serverRoutes,
  sessionRoutes,
  sweepSignIns,
  userRoutes,
  writeLastSeen,
} from './domains/accounts/index.ts';
import { findAppGrant } from './domains/apps/index.ts';
import { auditRoutes } from './domains/audit/index.ts';
import { apiTokenRoutes, findTokenActor, TOKENS_PER_ACCOUNT, writeLastUsed } from './domains/tokens/index.ts';
import { createAccess } from './http/access.ts';
import { addConsole } from './http/console.ts';
import { addDocs } from './http/docs.ts';
import { createMetrics } from './http/metrics.ts';
import { mount } from './http/mount.ts';
import { addProbes } from './http/probes.ts';
import { answerBrokenRequest, createServer } from './http/server.ts';
import { hostsFor, localCertificate, ownCertificate, type TlsFiles } from './http/tls.ts';
import { createBatch } from './kernel/batch.ts';
import { type Clock, DAY, HOUR, SECOND, systemClock } from './kernel/clock.ts';
import { type NewId, newId } from './kernel/ids.ts';
import { createLog, type Log } from './kernel/log.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** What tests replace: the few things that are not ours. */
export interface Overrides {
  clock?: Clock;
  newId?: NewId;
  log?: Log;
}

export interface App {
  deps: Deps;
  database: Database;
  http: FastifyInstance;
  /** Opens the ports; says where, and the set-up link's token when there is no administrator yet. */
  listen(): Promise<Listening>;
  /** Writes when credentials were last used, which otherwise happens every few seconds. */
  writeUse(): Promise<void>;
  stop(): Promise<void>;
}

export interface Listening {
  httpUrl: string;
  httpsUrl: string;
  publicUrl: string;
  caFile: string | undefined;
  setupToken: string | undefined;
}

/** Builds the whole server around a configuration. The only place that knows every room. */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = overrides.log ?? createLog(config.logLevel);
  const clock = overrides.clock ?? systemClock;
  const metrics = createMetrics();
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const database = openDatabase({
    location: config.databaseUrl ?? path.join(config.dataDir, 'mooring.db'),
    poolSize: config.databasePool,
    onQuery: metrics.observeQuery,
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  const deps: Deps = { config, db: database, clock, newId: overrides.newId ?? newId, log };

  const batch = (what: string, write: (deps: Deps, entries: [string, number][]) => Promise<void>) =>
    createBatch({
      everyMs: 10 * SECOND,
      maxKeys: 20_000,
      write: (entries) => write(deps, entries),
      onError: (err) => log.warn({ err }, `${what} could not be written`),
    });
  const lastUsed = batch('last use of tokens', writeLastUsed);
  const lastSeen = batch('last use of sessions', writeLastSeen);

  const noteUse = (actor: Actor, at: number): void => {
    if (actor.kind === 'app') lastUsed.put(actor.tokenId, at);
    else if (actor.kind === 'user' && actor.credential.kind === 'token') lastUsed.put(actor.credential.id, at);
    else if (actor.kind === 'user' && actor.credential.kind === 'session') lastSeen.put(actor.credential.id, at);
  };

  const http = createServer({ config, endpoints, clock, log, metrics });
  const access = createAccess(deps, {
    epochNow: authorityReader(database),
    findTokenActor: (value) => findTokenActor(deps, value),
    findSessionActor: (value) => findSessionActor(deps, value),
    checkPassword,
    findAppGrant: (actor, ownerName, appName) => findAppGrant(deps, actor, ownerName, appName),
    noteUse,
  });
  const routes = [
    ...userRoutes,
    ...sessionRoutes,
    ...serverRoutes({ version, tokensPerAccount: TOKENS_PER_ACCOUNT }),
    ...apiTokenRoutes,
    ...auditRoutes,
  ];
  mount(http, endpoints, routes, access);
  addProbes(http, { database, metrics, metricsToken: config.metricsToken });
  await addDocs(http, { endpoints, version, retirementDate: config.retirementDate });
  await addConsole(http);

  const timers: NodeJS.Timeout[] = [];
  let https: HttpsServer | undefined;

  const certificate = (): Promise<TlsFiles> | TlsFiles =>
    config.tlsCertFile && config.tlsKeyFile
      ? ownCertificate(config.tlsCertFile, config.tlsKeyFile)
      : localCertificate(config.dataDir, hostsFor(config.publicUrl, config.host), clock.now());

  async function listenHttps(tls: TlsFiles): Promise<number> {
    const server = createHttpsServer(
      {
        cert: tls.cert,
        key: tls.key,
        maxHeaderSize: config.headerLimit,
        requestTimeout: config.requestTimeout * SECOND,
        headersTimeout: config.requestTimeout * SECOND,
        keepAliveTimeout: 72 * SECOND,
      },
      http.routing,
    );
    server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, newId()));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(config.httpsPort, config.host, resolve);
    });
    https = server;
    return (server.address() as AddressInfo).port;
  }

  function every(ms: number, what: string, work: () => Promise<void>): void {
    const run = () => work().catch((err: unknown) => log.error({ err }, `${what} failed`));
    timers.push(setInterval(run, ms).unref());
  }

  return {
    deps,
    database,
    http,
    async listen() {
      await database.migrate();
      const setupToken = await prepareFirstAdmin(systemCtx(deps));
      const tls = await certificate();
      await http.listen({ host: config.httpHost, port: config.httpPort });
      const httpPort = (http.server.address() as AddressInfo).port;
      const httpsPort = await listenHttps(tls);
      every(HOUR, 'clearing old sign-ins', () => sweepSignIns(deps));
      every(DAY, 'renewing the certificate', async () => https?.setSecureContext(await certificate()));
      const httpsUrl = `https://localhost:${httpsPort}`;
      return {
        httpUrl: `http://localhost:${httpPort}`,
        httpsUrl,
        publicUrl: config.publicUrl ?? httpsUrl,
        caFile: tls.caFile,
        setupToken,
      };
    },
    async writeUse() {
      await Promise.all([lastUsed.flush(), lastSeen.flush()]);
    },
    async stop() {
      timers.forEach(clearInterval);
      await Promise.all([http.close(), https && closeHttps(https)]);
      await Promise.all([lastUsed.stop(), lastSeen.stop()]);
      await database.close();
    },
  };
}

/** Lets running requests finish; idle connections are closed at once. */
const closeHttps = (server: HttpsServer): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
