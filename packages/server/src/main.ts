import { type App, createApp, type Listening } from './app.ts';
import { type Config, ConfigError, readConfig, unknownSettings } from './config.ts';
import { isUnavailable } from './db/portable.ts';
import { createLog } from './kernel/log.ts';
import { releaseMemory } from './kernel/memory.ts';
import { hasLostParent, isFollower, isKeeper, isWorker, onParentEnd, runWorkers, tellReady } from './workers.ts';

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
    fail(`Mooring cannot start.\n${error.message}\nEvery setting is explained in docs/configuration.md.`, 2);
  }
}

/** Turns what commonly goes wrong at start into what to do about it. */
function explain(error: unknown, config: Config): string {
  const { code, port, message, cause } = error as { code?: string; port?: number; message?: string; cause?: unknown };
  if (code === 'EADDRINUSE') {
    const setting = port === config.httpPort ? 'MOORING_HTTP_PORT' : 'MOORING_HTTPS_PORT';
    return `Port ${port} is in use by another program. Stop it, or choose another port with ${setting}.`;
  }
  if (code === 'EACCES') return `${message}. Check that this user may use that port and write to ${config.dataDir}.`;
  if (config.databaseUrl && (isUnavailable(error) || isUnavailable(cause))) {
    return `The database of MOORING_DATABASE_URL does not answer (${message}). Is it running, and is the address right?`;
  }
  return message ?? String(error);
}

function greet(where: Listening, config: Config): void {
  const signIn = where.setupToken
    ? `open ${where.httpUrl}/setup#token=${where.setupToken} once, to make the first administrator`
    : `with your name or e-mail and password at ${where.httpUrl}/sign-in`;
  say(
    '',
    'Mooring is ready.',
    `  Console        ${where.httpUrl}  (or ${where.publicUrl})`,
    `  API            ${where.publicUrl}/v0.1  (plain http for this machine: ${where.httpUrl}/v0.1)`,
    `  Specification  ${where.httpUrl}/docs`,
    `  Data           ${config.databaseUrl ? `PostgreSQL; certificates in ${config.dataDir}` : config.dataDir}`,
    ...(where.caFile ? [`  Trust          ${where.caFile}  (for https clients, e.g. NODE_EXTRA_CA_CERTS)`] : []),
    `  Sign in        ${signIn}`,
    '',
  );
}

function stopOnSignal(app: App): void {
  // The parent ended while this process started.
  if (hasLostParent()) process.exit(1);
  let stopping = false;
  const stop = async (signal: string) => {
    // A second signal means that somebody is tired of waiting.
    if (stopping) process.exit(1);
    stopping = true;
    app.deps.log.info({ signal }, 'stopping');
    await app.stop();
    app.deps.log.flush(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  onParentEnd(() => stopping || stop('end of the parent'));
  // A terminal sends it to all processes; workers are told by the one that started them.
  process.on('SIGINT', isWorker ? () => undefined : stop);
}

// Whatever this process writes is its owner's alone, also what others write in its name.
process.umask(0o077);
const config = configOrExit();
for (const name of isWorker ? [] : unknownSettings(process.env)) {
  process.stderr.write(`${name} is not a setting of Mooring; is it misspelt? See docs/configuration.md.\n`);
}
if (config.workers > 1 && !isWorker) {
  process.exit(await runWorkers(config.workers, createLog(config.logLevel)));
}
try {
  releaseMemory();
  const app = await createApp(config);
  stopOnSignal(app);
  const where = await app.listen({ isFollower, isKeeper });
  if (!isFollower) greet(where, config);
  tellReady();
} catch (error) {
  fail(`Mooring cannot start: ${explain(error, config)}`, 1);
}
