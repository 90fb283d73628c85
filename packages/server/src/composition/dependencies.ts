import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createBlobStore } from '../blobs/index.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../context.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { versionsReader } from '../db/versions.ts';
import type { Domain } from '../domain.ts';
import { collectExtensions } from '../extensions/extension-point.ts';
import type { Metrics } from '../http/monitoring/metrics.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { loadSecretKey } from '../kernel/crypto/secret-key.ts';
import { prepareDataFolder } from '../kernel/files/private-files.ts';
import { type NewId, newId } from '../kernel/ids.ts';
import { createLog, type Log } from '../kernel/log.ts';
import { parseOwnJson } from '../kernel/text/json.ts';
import { createFetch, type OutboundFetch } from '../outbound/fetch.ts';
import { createMailer } from '../outbound/mailer.ts';
import type { SettingTable } from '../setting-kinds.ts';
import { createEngine } from '../telemetry/index.ts';
import { withPackedFiles } from '../uploads/index.ts';
import { createWorkers } from '../workers/index.ts';

const { version } = parseOwnJson<{ version: string }>(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Dependencies that tests replace. */
export interface Overrides {
  clock?: Clock;
  newId?: NewId;
  log?: Log;
  fetch?: OutboundFetch;
}

export interface Environment {
  config: Config;
  settings: SettingTable;
  domains: readonly Domain[];
  metrics: Metrics;
  overrides: Overrides;
}

/** Parts of `Deps` that exist only once the server is composed. */
export interface Late {
  wakeJobs: Deps['wakeJobs'];
  onStop: Deps['onStop'];
  publicUrl: Deps['publicUrl'];
}

/** Opens the database and creates the dependencies that domains share. */
export function createDependencies(
  { config, settings, domains, metrics, overrides }: Environment,
  late: Late,
): { deps: Deps; database: Database } {
  const log = overrides.log ?? createLog(config.logLevel);
  const clock = overrides.clock ?? systemClock;
  for (const { message, remedy } of prepareDataFolder(config.dataDir)) log.warn({ remedy }, message);
  const database = openDatabase({
    location: config.databaseUrl ?? path.join(config.dataDir, 'mooring.db'),
    poolSize: config.databasePool,
    onQuery: metrics.observeQuery,
    onError: (err) => log.warn({ err }, 'database connection lost'),
    onWait: (message) => log.warn(message),
  });
  const deps: Deps = {
    config,
    settings,
    db: database,
    clock,
    newId: overrides.newId ?? newId,
    log,
    blobs: withPackedFiles(createBlobStore(config), database),
    telemetry: createEngine(config, log),
    workers: createWorkers(log),
    fetch: overrides.fetch ?? createFetch({ allow: config.outboundAllow }),
    mailer: config.smtpUrl
      ? createMailer({ smtpUrl: config.smtpUrl, smtpTls: config.smtpTls, from: config.mailFrom })
      : undefined,
    program: { version, startedAt: clock.now() },
    secretKey: config.secretKey ?? loadSecretKey(config.dataDir),
    listeners: domains.flatMap(({ listeners = [] }) => listeners),
    extensions: collectExtensions(domains.flatMap(({ extensions = [] }) => extensions)),
    versionsNow: versionsReader(database),
    ...late,
  };
  return { deps, database };
}
