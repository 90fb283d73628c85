import { existsSync } from 'node:fs';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { server_get } from '@mooring/contract';
import { createBlobStore } from '../blobs/index.ts';
import type { Config } from '../config.ts';
import type { Examination } from '../db/drivers/connection.ts';
import { knownMigrations } from '../db/migrate.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { SECOND, toIso } from '../kernel/clock.ts';
import { createLog } from '../kernel/log.ts';
import { tryMailServer } from '../outbound/mailer.ts';
import { createEngine } from '../telemetry/index.ts';
import { findNewestChange, listAbandonedJobs } from './copy.store.ts';
import { createFindings, type Finding, getReason } from './findings.ts';

export const databaseFile = ({ dataDir }: Config): string => path.join(dataDir, 'mooring.db');

async function checkState(database: Database, { server, problems }: Examination): Promise<Finding[]> {
  const { ok, warn, fail } = createFindings('database');
  const applied = await database.appliedMigrations();
  const newer = applied.filter((name) => !knownMigrations.includes(name));
  const pending = knownMigrations.filter((name) => !applied.includes(name));
  const found = problems.map((problem) => fail(problem, 'Restore a backup, or get help before you continue.'));
  if (newer.length > 0) {
    const message = `A newer version of Mooring wrote it; unknown migrations: ${newer.join(', ')}.`;
    found.push(fail(message, 'Start that version.'));
  }
  if (pending.length > 0) {
    const remedy = 'Make a backup with the version that runs now; the next start then applies them.';
    found.push(warn(`Migrations to apply: ${pending.join(', ')}.`, remedy));
  }
  if (problems.length === 0) found.push(ok(`${server} is reachable and intact.`));
  return found;
}

const MAX_SKEW = 2 * SECOND;

/** `skew` is a lower bound of the difference to the database's clock. */
async function checkClock(database: Database, skew: number): Promise<Finding[]> {
  const { ok, warn } = createFindings('clock');
  if (skew > MAX_SKEW) {
    const message = `The clocks of this machine and the database differ by ${Math.round(skew / SECOND)} s.`;
    return [warn(message, 'Synchronize both, e.g. with chrony or systemd-timesyncd.')];
  }
  const newest = (await database.pendingMigrations()).length === 0 ? await findNewestChange(database) : undefined;
  if (newest !== undefined && newest > Date.now() + MAX_SKEW) {
    const message = `The newest change in the audit log is in the future: ${toIso(newest)}.`;
    return [warn(message, 'Check the clock of this machine; it seems to have been set back.')];
  }
  return [ok('The clock agrees with the database.')];
}

/** Dead letters stay undone until an administrator looks: emails, exports, telemetry whose files are lost. */
async function checkJobs(database: Database): Promise<Finding[]> {
  const { ok, warn } = createFindings('jobs');
  if ((await database.pendingMigrations()).length > 0) return [];
  const [last, ...others] = await listAbandonedJobs(database);
  if (!last) return [ok('No dead letters.')];
  const message = `${others.length + 1} dead ${others.length === 0 ? 'letter' : 'letters'}; the latest is ${last.name}: ${last.last_error}`;
  return [
    warn(message, 'Fix the cause, then run them again with `mooring admin jobs replay` or under Administration.'),
  ];
}

/** Checks the database, its clock and its jobs. Creates no missing file. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { ok, fail } = createFindings('database');
  if (!config.databaseUrl && !existsSync(databaseFile(config))) {
    return [ok('No database yet; the first start creates it.')];
  }
  let database: Database | undefined;
  try {
    database = openDatabase({ location: config.databaseUrl ?? databaseFile(config), poolSize: 2 });
    const before = Date.now();
    const examination = await database.examine();
    const skew = Math.max(before - examination.now, examination.now - Date.now());
    return [
      ...(await checkState(database, examination)),
      ...(await checkClock(database, skew)),
      ...(await checkJobs(database)),
    ];
  } catch (error) {
    const remedy = config.databaseUrl
      ? 'Check that PostgreSQL is running and that MOORING_DATABASE_URL is correct.'
      : `Check that ${databaseFile(config)} is a database that this user can write.`;
    return [fail(`Can't use the database: ${getReason(error)}.`, remedy)];
  } finally {
    await database?.close();
  }
}

export async function checkBlobs(config: Config): Promise<Finding[]> {
  const { ok, fail } = createFindings('blob store');
  const isDisk = config.blobStore.kind === 'disk';
  if (isDisk && !existsSync(config.dataDir)) return [ok('No files yet; the first start creates the folder.')];
  try {
    await createBlobStore(config).check();
    return [ok('Writing and deleting a file works.')];
  } catch (error) {
    const remedy = isDisk
      ? `Check that this user can write to ${path.join(config.dataDir, 'blobs')}.`
      : 'Check MOORING_BLOB_STORE and its access key, which must allow writing and deleting objects.';
    return [fail(`Can't store files: ${getReason(error)}.`, remedy)];
  }
}

export async function checkTelemetry(config: Config): Promise<Finding[]> {
  const { ok, warn, fail } = createFindings('telemetry');
  if (!config.telemetryUrl) return [ok('The server runs telemetry queries itself: MOORING_TELEMETRY_URL is not set.')];
  const engine = createEngine(config, createLog('silent'));
  try {
    const [servers, failure] = await Promise.all([engine.servers(), engine.check().then(() => undefined, getReason)]);
    if (failure !== undefined) {
      const remedy =
        'Check that it is running and that MOORING_TELEMETRY_URL is correct. Data from devices is stored meanwhile.';
      return [fail(`Can't use ClickHouse: ${failure}.`, remedy)];
    }
    return servers.map(({ name, problem }) =>
      problem === undefined
        ? ok(`ClickHouse at ${name} is reachable.`)
        : warn(
            `ClickHouse at ${name} ${problem}; another replica takes over.`,
            'Restore it or remove it from MOORING_TELEMETRY_URL: deletions are complete only once it has run them, too.',
          ),
    );
  } finally {
    await engine.close();
  }
}

export async function checkMail({ smtpUrl, smtpTls }: Config): Promise<Finding[]> {
  const { ok, fail } = createFindings('mail');
  if (!smtpUrl)
    return [ok('MOORING_SMTP_URL is not set: emails stay in the outbox, where an administrator can read them.')];
  try {
    await tryMailServer({ smtpUrl, smtpTls });
    return [ok(`${new URL(smtpUrl).host} accepts emails.`)];
  } catch (error) {
    const message = `${new URL(smtpUrl).host} does not accept emails: ${getReason(error)}.`;
    return [
      fail(
        message,
        'Check MOORING_SMTP_URL and MOORING_SMTP_TLS. Emails are queued and retried for about seven hours.',
      ),
    ];
  }
}

interface Listener {
  name: string;
  variable: string;
  host: string;
  port: number;
  isTls: boolean;
}

async function isFree({ host, port }: Listener): Promise<true | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const listener = createServer();
    listener.once('error', resolve);
    listener.listen({ host, port, exclusive: true }, () => listener.close(() => resolve(true)));
  });
}

/** Tells whether Mooring listens there. Ignores the certificate, which has its own check. */
async function isOurs({ host, port, isTls }: Listener): Promise<boolean> {
  const hostname = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const options = { host: hostname, port, path: server_get.path, timeout: 5 * SECOND };
  const { promise, resolve } = Promise.withResolvers<string>();
  const request = isTls ? getHttps({ ...options, rejectUnauthorized: false }) : getHttp(options);
  request
    .on('response', (response) => text(response).then(resolve, () => resolve('')))
    .on('timeout', () => request.destroy())
    .on('error', () => resolve(''));
  return (await promise).includes('"setup_required"');
}

async function checkListener(listener: Listener): Promise<Finding> {
  const { ok, fail } = createFindings('ports');
  if (listener.port === 0) return ok(`${listener.name} uses any free port.`);
  const free = await isFree(listener);
  if (free === true) return ok(`Port ${listener.port} is free for ${listener.name}.`);
  if (free.code === 'EADDRINUSE' && (await isOurs(listener))) return ok(`Mooring listens on port ${listener.port}.`);
  if (free.code === 'EADDRINUSE') {
    const remedy = `Stop it, or choose another port with ${listener.variable}.`;
    return fail(`Another program listens on port ${listener.port}.`, remedy);
  }
  const message = `${listener.name} cannot listen on ${listener.host}:${listener.port} (${free.code}).`;
  return fail(message, `Choose another port with ${listener.variable}, or another address.`);
}

export const checkPorts = (config: Config): Promise<Finding[]> =>
  Promise.all([
    checkListener({
      name: 'http',
      variable: 'MOORING_HTTP_PORT',
      host: config.httpHost,
      port: config.httpPort,
      isTls: false,
    }),
    checkListener({
      name: 'https',
      variable: 'MOORING_HTTPS_PORT',
      host: config.host,
      port: config.httpsPort,
      isTls: true,
    }),
  ]);
