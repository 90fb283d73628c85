import { type App, createApp, type Listening } from './app.ts';
import { type Config, ConfigError } from './config.ts';
import { isUnavailable } from './db/portable.ts';
import { createLog } from './kernel/log.ts';
import { releaseMemory } from './kernel/memory.ts';
import { readConfig, unknownSettings } from './settings.ts';
import { hasLostParent, isFollower, isLeader, isWorker, onParentEnd, reportReady, runWorkers } from './workers.ts';

const say = (...lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`);
};

function fail(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    fail(`Mooring can't start.\n${error.message}\nSee docs/configuration.md for all settings.`, 2);
  }
}

/** Explains common start failures, and how to fix them. */
function explain(error: unknown, config: Config): string {
  const { code, port, message, cause } = error as { code?: string; port?: number; message?: string; cause?: unknown };
  if (code === 'EADDRINUSE') {
    const setting = port === config.httpPort ? 'MOORING_HTTP_PORT' : 'MOORING_HTTPS_PORT';
    return `Port ${port} is in use by another program. Stop it, or choose another port with ${setting}.`;
  }
  if (code === 'EACCES') return `${message}. Make sure that this user may use the port and write to ${config.dataDir}.`;
  if (config.databaseUrl && (isUnavailable(error) || isUnavailable(cause))) {
    return `Can't connect to the database (${message}). Check that PostgreSQL is running and that MOORING_DATABASE_URL is correct.`;
  }
  return message ?? String(error);
}

function greet(where: Listening, config: Config): void {
  const signIn = where.setupToken
    ? `open ${where.httpUrl}/setup#token=${where.setupToken} to create the first administrator (works once)`
    : `${where.httpUrl}/sign-in`;
  say(
    '',
    'Mooring is ready.',
    `  Console        ${where.httpUrl}  (or ${where.publicUrl})`,
    `  API            ${where.publicUrl}/v0.1  (on this machine also ${where.httpUrl}/v0.1)`,
    `  API reference  ${where.httpUrl}/docs`,
    `  Data           ${config.databaseUrl ? `PostgreSQL; certificates in ${config.dataDir}` : config.dataDir}`,
    ...(where.caFile
      ? [`  Trust          ${where.caFile}  (certificate authority for HTTPS clients, e.g. in NODE_EXTRA_CA_CERTS)`]
      : []),
    `  Sign in        ${signIn}`,
    '',
  );
}

function stopOnSignal(app: App): void {
  // The parent ended while this process was starting.
  if (hasLostParent()) process.exit(1);
  let stopping = false;
  const stop = async (signal: string) => {
    // A second signal stops the process immediately.
    if (stopping) process.exit(1);
    stopping = true;
    app.deps.log.info({ signal }, 'stopping');
    await app.stop();
    app.deps.log.flush(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  onParentEnd(() => stopping || stop('parent ended'));
  // A terminal sends SIGINT to all processes; the primary process stops its workers itself.
  process.on('SIGINT', isWorker ? () => undefined : stop);
}

// Only the owner may read the files of this process and of the programs it starts.
process.umask(0o077);
const config = configOrExit();
for (const name of isWorker ? [] : unknownSettings(process.env)) {
  process.stderr.write(`${name} is not a setting of Mooring. Check the spelling in docs/configuration.md.\n`);
}
if (config.workers > 1 && !isWorker) {
  process.exit(await runWorkers(config.workers, createLog(config.logLevel)));
}
try {
  releaseMemory();
  const app = await createApp(config);
  stopOnSignal(app);
  const where = await app.listen({ isFollower, isLeader });
  if (!isFollower) greet(where, config);
  reportReady();
} catch (error) {
  fail(`Mooring can't start: ${explain(error, config)}`, 1);
}
