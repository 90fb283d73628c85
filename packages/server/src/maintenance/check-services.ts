import { existsSync } from 'node:fs';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { server_get } from '@mooring/contract';
import { createBlobStore } from '../blobs/index.ts';
import type { Config } from '../config.ts';
import type { Examination } from '../db/connection.ts';
import { knownMigrations } from '../db/migrate.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { SECOND, toIso } from '../kernel/clock.ts';
import { createLog } from '../kernel/log.ts';
import { tryMailServer } from '../outbound/mailer.ts';
import { createEngine } from '../telemetry/index.ts';
import { findNewestChange, listGivenUp } from './copy.store.ts';
import { type Finding, findingsOf, reasonOf } from './findings.ts';

export const databaseFile = ({ dataDir }: Config): string => path.join(dataDir, 'mooring.db');

async function checkState(database: Database, { server, problems }: Examination): Promise<Finding[]> {
  const { ok, warn, fail } = findingsOf('database');
  const applied = await database.appliedMigrations();
  const newer = applied.filter((name) => !knownMigrations.includes(name));
  const pending = knownMigrations.filter((name) => !applied.includes(name));
  const found = problems.map((problem) => fail(problem, 'Restore a backup, or ask for help before you go on.'));
  if (newer.length > 0) {
    const message = `It was written by a newer version of Mooring, which made ${newer.join(', ')}.`;
    found.push(fail(message, 'Start that version.'));
  }
  if (pending.length > 0) {
    const mend = 'The next start brings it up to date; make a backup before, with the version that runs now.';
    found.push(warn(`It lacks ${pending.join(', ')}.`, mend));
  }
  if (problems.length === 0) found.push(ok(`${server} answers, and is sound.`));
  return found;
}

const MAX_SKEW = 2 * SECOND;

/** `skew` is how far the database's clock is off, at least. */
async function checkClock(database: Database, skew: number): Promise<Finding[]> {
  const { ok, warn } = findingsOf('clock');
  if (skew > MAX_SKEW) {
    const message = `The clocks of this machine and of the database differ by ${Math.round(skew / SECOND)} s.`;
    return [warn(message, 'Keep both right, e.g. with chrony or systemd-timesyncd.')];
  }
  const newest = (await database.pendingMigrations()).length === 0 ? await findNewestChange(database) : undefined;
  if (newest !== undefined && newest > Date.now() + MAX_SKEW) {
    const message = `The newest change in the audit log is from the future, ${toIso(newest)}.`;
    return [warn(message, 'Is the clock of this machine right? It seems to have gone back.')];
  }
  return [ok('The clock agrees with the database.')];
}

/** What was given up stays undone until somebody looks: mails, exports, telemetry whose files are lost. */
async function checkJobs(database: Database): Promise<Finding[]> {
  const { ok, warn } = findingsOf('jobs');
  if ((await database.pendingMigrations()).length > 0) return [];
  const [last, ...others] = await listGivenUp(database);
  if (!last) return [ok('None was given up.')];
  const message = `${others.length + 1} were given up, the last of them ${last.name}: ${last.last_error}`;
  return [
    warn(message, 'Mend the cause, then `mooring admin jobs replay` runs them again, or the administration does.'),
  ];
}

/** The database, and with it the clock and the jobs. Makes no file that is not there. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { ok, fail } = findingsOf('database');
  if (!config.databaseUrl && !existsSync(databaseFile(config))) {
    return [ok('There is none yet; the first start makes it.')];
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
    const mend = config.databaseUrl
      ? 'Is it running, and is MOORING_DATABASE_URL right?'
      : `Is ${databaseFile(config)} a database, and may this user write it?`;
    return [fail(`It cannot be used: ${reasonOf(error)}.`, mend)];
  } finally {
    await database?.close();
  }
}

/** Writes and deletes a file. */
export async function checkBlobs(config: Config): Promise<Finding[]> {
  const { ok, fail } = findingsOf('blob store');
  const isDisk = config.blobStore.kind === 'disk';
  if (isDisk && !existsSync(config.dataDir)) return [ok('There is none yet; the first start makes it.')];
  try {
    await createBlobStore(config).check();
    return [ok('Files can be written and deleted.')];
  } catch (error) {
    const mend = isDisk
      ? `May this user write to ${path.join(config.dataDir, 'blobs')}?`
      : 'Check MOORING_BLOB_STORE, the keys, and that they may put and delete objects.';
    return [fail(`Files cannot be kept: ${reasonOf(error)}.`, mend)];
  }
}

export async function checkTelemetry(config: Config): Promise<Finding[]> {
  const { ok, warn, fail } = findingsOf('telemetry');
  if (!config.telemetryUrl) return [ok('No ClickHouse is set: a process of this server counts.')];
  const engine = createEngine(config, createLog('silent'));
  try {
    const [servers, failure] = await Promise.all([engine.servers(), engine.check().then(() => undefined, reasonOf)]);
    if (failure !== undefined) {
      const mend = 'Is it running, and is MOORING_TELEMETRY_URL right? What devices send is kept meanwhile.';
      return [fail(`ClickHouse cannot be used: ${failure}.`, mend)];
    }
    return servers.map(({ name, trouble }) =>
      trouble === undefined
        ? ok(`ClickHouse at ${name} answers.`)
        : warn(
            `ClickHouse at ${name} ${trouble}; another replica answers instead.`,
            'Bring it back, or take it out of MOORING_TELEMETRY_URL: what was deleted is not said to be gone before it is gone there, too.',
          ),
    );
  } finally {
    await engine.close();
  }
}

export async function checkMail({ smtpUrl, smtpTls }: Config): Promise<Finding[]> {
  const { ok, fail } = findingsOf('mail');
  if (!smtpUrl) return [ok('No mail server is set: mails stay in the outbox, for an administrator to pass on.')];
  try {
    await tryMailServer({ smtpUrl, smtpTls });
    return [ok(`${new URL(smtpUrl).host} takes mails.`)];
  } catch (error) {
    const message = `${new URL(smtpUrl).host} does not take mails: ${reasonOf(error)}.`;
    return [
      fail(
        message,
        'Check MOORING_SMTP_URL and MOORING_SMTP_TLS; mails wait and are tried again for about seven hours.',
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

/** Whether it is Mooring that listens there; its certificate is another check's matter. */
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
  const { ok, fail } = findingsOf('ports');
  if (listener.port === 0) return ok(`${listener.name} takes any free port.`);
  const free = await isFree(listener);
  if (free === true) return ok(`Port ${listener.port} is free for ${listener.name}.`);
  if (free.code === 'EADDRINUSE' && (await isOurs(listener))) return ok(`Mooring answers on port ${listener.port}.`);
  if (free.code === 'EADDRINUSE') {
    const mend = `Stop it, or choose another port with ${listener.variable}.`;
    return fail(`Another program listens on port ${listener.port}.`, mend);
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
