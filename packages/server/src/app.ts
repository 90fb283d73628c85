import { readFileSync } from 'node:fs';
import path from 'node:path';
import { endpoints } from '@mooring/contract';
import type { FastifyInstance } from 'fastify';
import { createBlobStore } from './blobs/index.ts';
import type { Config } from './config.ts';
import { type Actor, type Deps, systemCtx } from './context.ts';
import { oncePerTick } from './db/once-per-tick.ts';
import { type Database, openDatabase } from './db/open.ts';
import { versionsReader } from './db/versions.ts';
import type { Greeting } from './domain.ts';
import { domains } from './domains.ts';
import { createAccess } from './http/access.ts';
import { createCallerOrigins } from './http/caller-origin.ts';
import { addConsole } from './http/console.ts';
import type { IsReader } from './http/cross-origin.ts';
import { addDocs } from './http/docs.ts';
import { createFamilies } from './http/families.ts';
import { createListeners } from './http/listen.ts';
import { createMetrics } from './http/metrics.ts';
import { mount } from './http/mount.ts';
import { addProbes } from './http/probes.ts';
import { rateJobs } from './http/rate-counts.ts';
import { createRequestLimit, limitReaders } from './http/request-limit.ts';
import { createServer } from './http/server.ts';
import {
  checkEvents,
  countJobs,
  createWorker,
  definedEvents,
  definedJobs,
  handlersOf,
  type Job,
  lanes,
} from './jobs/index.ts';
import { createBatch } from './kernel/batch.ts';
import { type Clock, DAY, HOUR, SECOND, systemClock } from './kernel/clock.ts';
import { findDiskShortage } from './kernel/disk-room.ts';
import { type NewId, newId } from './kernel/ids.ts';
import { createLog, type Log } from './kernel/log.ts';
import { prepareDataFolder } from './kernel/private-files.ts';
import { loadSecretKey } from './kernel/secret-key.ts';
import { noteSettings } from './kernel/shared-folder.ts';
import { sweepWorkFolders } from './kernel/work-folders.ts';
import { countWaitingDeliveries, createSender, deliveryJobs } from './outbound/delivery/index.ts';
import { createFetch, type OutboundFetch } from './outbound/fetch.ts';
import { createMailer } from './outbound/mailer.ts';
import { createEngine } from './telemetry/index.ts';
import { uploadJobs, uploadRoutes, uploadsFamily, withPackedFiles } from './uploads/index.ts';
import { createWorkers } from './workers/index.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** What tests replace: the few things that are not ours. */
export interface Overrides {
  clock?: Clock;
  newId?: NewId;
  log?: Log;
  fetch?: OutboundFetch;
}

export interface App {
  deps: Deps;
  database: Database;
  http: FastifyInstance;
  /** Opens the ports; says where, and the set-up link's token when there is no administrator yet. */
  listen(options?: { isFollower?: boolean; isKeeper?: boolean }): Promise<Listening>;
  /** Writes when credentials were last used, which otherwise happens every few seconds. */
  writeUse(): Promise<void>;
  /** Runs the jobs that are due, which otherwise happens at once; says how many runs that were. */
  runJobs(): Promise<number>;
  stop(): Promise<void>;
}

export interface Listening extends Greeting {
  httpUrl: string;
  publicUrl: string;
  caFile: string | undefined;
}

/** Builds the whole server around a configuration, from the platform's rooms and the list of domains. */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = overrides.log ?? createLog(config.logLevel);
  const clock = overrides.clock ?? systemClock;
  const metrics = createMetrics();
  for (const { message, mend } of prepareDataFolder(config.dataDir)) log.warn({ mend }, message);
  const database = openDatabase({
    location: config.databaseUrl ?? path.join(config.dataDir, 'mooring.db'),
    poolSize: config.databasePool,
    onQuery: metrics.observeQuery,
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
    onWait: (message) => log.warn(message),
  });
  const listeners = domains.flatMap(({ listeners = [] }) => listeners);
  checkEvents(
    definedEvents(),
    domains.flatMap(({ events = [] }) => events),
    listeners,
  );
  const [askTelemetry] = domains.flatMap(({ askTelemetry = [] }) => askTelemetry);
  if (!askTelemetry) throw new Error('no domain asks for telemetry');
  const [keptLogs] = domains.flatMap(({ keptLogs = [] }) => keptLogs);
  if (!keptLogs) throw new Error('no domain keeps logs');
  const [issues] = domains.flatMap(({ issues = [] }) => issues);
  if (!issues) throw new Error('no domain knows issues');
  const [keptReports] = domains.flatMap(({ keptReports = [] }) => keptReports);
  if (!keptReports) throw new Error('no domain keeps reports');
  let publicUrl = config.publicUrl ?? `https://localhost:${config.httpsPort}`;
  const atStop: (() => Promise<void>)[] = [];
  const deps: Deps = {
    config,
    db: database,
    clock,
    newId: overrides.newId ?? newId,
    log,
    blobs: withPackedFiles(createBlobStore(config), database),
    telemetry: createEngine(config, log),
    workers: createWorkers(log),
    keptLogs,
    issues,
    keptReports,
    askTelemetry: (...asked) => askTelemetry(deps)(...asked),
    fetch: overrides.fetch ?? createFetch({ allow: config.outboundAllow }),
    mailer: config.smtpUrl
      ? createMailer({ smtpUrl: config.smtpUrl, smtpTls: config.smtpTls, from: config.mailFrom })
      : undefined,
    program: { version, startedAt: clock.now() },
    secretKey: config.secretKey ?? loadSecretKey(config.dataDir),
    listeners,
    finders: domains.flatMap(({ finders = [] }) => finders),
    glances: domains.flatMap(({ glances = [] }) => glances),
    measures: domains.flatMap(({ measures = [] }) => measures),
    gauges: domains.flatMap(({ gauges = [] }) => gauges),
    readers: domains.flatMap(({ readers = [] }) => readers),
    senderRecords: domains.flatMap(({ senderRecords = [] }) => senderRecords),
    connections: domains.flatMap(({ connections = [] }) => connections),
    onStop: (work) => void atStop.push(work),
    wakeJobs: () => {
      for (const worker of workers) worker.wake();
    },
    publicUrl: () => publicUrl,
    versionsNow: versionsReader(database),
  };
  const handlers = [
    ...rateJobs,
    ...uploadJobs,
    ...domains.flatMap(({ jobs = [] }) => jobs),
    ...handlersOf(listeners),
    ...deliveryJobs,
  ];
  const channels = domains.flatMap(({ channels = [] }) => channels);
  const workers = [
    ...Object.entries(lanes).map(([lane, { concurrency }]) => {
      const isOurs = (job: Job) => job.lane === lane;
      const jobs = definedJobs().filter(isOurs);
      return createWorker(deps, { jobs, handlers: handlers.filter(({ job }) => isOurs(job)), concurrency });
    }),
    createSender(deps, channels),
  ];
  const countNow = oncePerTick(() => countJobs(deps));
  const countDeliveries = oncePerTick(() => countWaitingDeliveries(deps));
  metrics.watch(
    { name: 'mooring_jobs', help: 'Jobs in the queue, by state.', label: 'state' },
    async () => (await countNow()).counts,
  );
  metrics.watch(
    { name: 'mooring_job_delay_seconds', help: 'How long the job that waits longest has been due.' },
    async () => ({ delay: (await countNow()).delay / SECOND }),
  );
  metrics.watch({ name: 'mooring_deliveries_due', help: 'Deliveries of webhooks that are due.' }, async () => ({
    due: (await countDeliveries()).due,
  }));
  metrics.watch(
    { name: 'mooring_delivery_delay_seconds', help: 'How long the delivery that waits longest has been due.' },
    async () => ({ delay: (await countDeliveries()).delay / SECOND }),
  );
  if (config.telemetryUrl !== undefined) {
    const help = 'Whether a ClickHouse server that counts telemetry is well (1) or not (0).';
    metrics.watch({ name: 'mooring_telemetry_server_up', help, label: 'server' }, async () =>
      Object.fromEntries((await deps.telemetry.servers()).map(({ name, trouble }) => [name, trouble ? 0 : 1])),
    );
  }

  const lastUses = domains.flatMap(({ lastUse }) => lastUse ?? []);
  const used = new Map(
    lastUses.map(({ credential, write }) => [
      credential as string,
      createBatch({
        everyMs: 10 * SECOND,
        maxKeys: 20_000,
        write: (entries: [string, number][]) => write(deps, entries),
        onError: (err) => log.warn({ err }, `last use of a ${credential} could not be written`),
      }),
    ]),
  );
  const noteUse = (actor: Actor, at: number): void => {
    if (actor.kind === 'app') used.get('token')?.put(actor.tokenId, at);
    else if (actor.kind === 'user' && 'id' in actor.credential) {
      used.get(actor.credential.kind)?.put(actor.credential.id, at);
    }
  };

  const isApi = config.roles.includes('api');
  const families = createFamilies([uploadsFamily, ...domains.flatMap((domain) => domain.families?.(deps) ?? [])]);
  const limit = createRequestLimit(deps);
  const limited = limitReaders(limit);
  const served = isApi ? endpoints : [];
  const http = createServer({ config, endpoints: served, families, clock, log, metrics, limit: limited });
  const [checkPassword] = domains.flatMap((domain) => domain.checkPassword ?? []);
  if (!checkPassword) throw new Error('no domain checks passwords');
  const callerOrigins = createCallerOrigins();
  const access = createAccess(deps, {
    authority: { versionsNow: deps.versionsNow, checkPassword, noteUse },
    credentials: domains.flatMap(({ credentials }) => credentials?.(deps) ?? []),
    scopes: domains.flatMap(({ scopes = [] }) => (typeof scopes === 'function' ? scopes(deps) : scopes)),
    families,
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
    const asks = {
      clients: domains.flatMap(({ isClientOrigin }) => isClientOrigin ?? []),
      senders: domains.flatMap(({ isSenderOrigin }) => isSenderOrigin ?? []),
    };
    const isReader: IsReader = async (who, origin) =>
      (await Promise.all(asks[who].map((ask) => ask(deps, origin)))).includes(true);
    mount(http, { endpoints, routes, access, isReader });
    await addDocs(http, { endpoints, version, retirementDate: config.retirementDate, limit: limited });
    await addConsole(http);
  }

  const ports = createListeners(http, config, log, families);
  const timers: NodeJS.Timeout[] = [];
  const beforeClose: (() => Promise<void>)[] = [];
  function every(ms: number, what: string, work: () => Promise<void>): void {
    const run = () => work().catch((err: unknown) => log.error({ err }, `${what} failed`));
    timers.push(setInterval(run, ms).unref());
  }

  return {
    deps,
    database,
    http,
    async listen({ isFollower = false, isKeeper = !isFollower } = {}) {
      await database.migrate();
      await checkBlobs(deps);
      if (!isFollower) {
        const note = noteSettings(config.dataDir, sharedSettings(config));
        if (note.warning) log.warn(note.warning);
        beforeClose.push(async () => note.remove());
      }
      // Copies of packages that somebody was reading are large.
      sweepWorkFolders(config.dataDir, Date.now() - HOUR);
      const greetings: Greeting[] = [];
      for (const { start } of isFollower ? [] : domains) if (start) greetings.push(await start(systemCtx(deps)));
      const { httpPort, httpsPort, caFile } = await ports.listen(clock.now());
      every(DAY, 'renewing the certificate', () => ports.renewCertificate(clock.now()));
      const domainTimers = domains.flatMap(({ timers }) => timers?.(deps) ?? []);
      for (const { everyMs, what, run } of domainTimers) every(everyMs, what, run);
      callerOrigins.listenAt({ httpPort, httpsPort });
      const httpUrl = `http://localhost:${httpPort}`;
      publicUrl = config.publicUrl ?? `https://localhost:${httpsPort}`;
      if (config.roles.includes('worker')) for (const worker of workers) await worker.start();
      for (const { listening } of isKeeper ? domains : []) {
        const stop = await listening?.(systemCtx(deps), httpUrl);
        if (stop) beforeClose.push(stop);
      }
      return { httpUrl, publicUrl, caFile, ...Object.assign({}, ...greetings) };
    },
    async writeUse() {
      await Promise.all([...used.values()].map((batch) => batch.flush()));
    },
    async runJobs() {
      // Those of one may ask for those of the other.
      for (let ran = 0; ; ) {
        let more = 0;
        for (const worker of workers) more += await worker.runDue();
        if (more === 0) return ran;
        ran += more;
      }
    },
    async stop() {
      timers.forEach(clearInterval);
      await Promise.all(beforeClose.map((work) => work()));
      await ports.close(config.shutdownTimeout * SECOND);
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all([...used.values()].map((batch) => batch.stop()));
      for (const work of atStop) await work();
      await deps.telemetry.close();
      await deps.workers.close();
      await database.close();
    },
  };
}

/** Servers on one data folder that differ in these give out links that fail, or lose what the other keeps. */
const sharedSettings = (config: Config) => ({
  MOORING_PUBLIC_URL: config.publicUrl ?? `https://localhost:${config.httpsPort}`,
  MOORING_DATABASE_URL: config.databaseUrl,
  MOORING_SECRET_KEY: config.secretKey?.toString('base64'),
  MOORING_BLOB_STORE: JSON.stringify(config.blobStore),
});

/** A server that could not keep what it is given says so at start, not with the first upload. */
async function checkBlobs({ blobs }: Deps): Promise<void> {
  try {
    await blobs.check();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`files cannot be kept where MOORING_BLOB_STORE says (${reason}).`, { cause });
  }
}
