import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const here = path.join(import.meta.dirname, '../..');

export interface RunningServer {
  httpUrl: string;
  httpsUrl: string;
  caFile: string;
  dataDir: string;
  /** The setup link, if the server printed one. */
  setupLink: string | undefined;
  /** The output so far. */
  output(): string;
  process: ChildProcess;
  /** Stops it with SIGTERM and removes its data, unless `keepData` is set; resolves to the exit code. */
  stop(options?: { keepData?: boolean }): Promise<number | null>;
}

/** The cache for compiled code, as with `npm start`: a start takes a third less time. */
export const compileCache: Record<string, string> = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

export const admin = { name: 'ada', email: 'ada@example.com', password: 'correct horse battery' };

export interface ServerSettings {
  env?: Record<string, string>;
  dataDir?: string;
  /** The checkout to start (default: this one). */
  checkout?: string;
  /** Without an administrator, the server prints a setup link. */
  withoutAdmin?: boolean;
  /** Called with the whole output when it grows. */
  onOutput?: (printed: string) => void;
}

/** Starts the real server on free ports, as a separate process. */
export async function startServer({
  env = {},
  dataDir,
  checkout = here,
  withoutAdmin,
  onOutput,
}: ServerSettings = {}): Promise<RunningServer> {
  const data = dataDir ?? mkdtempSync(path.join(tmpdir(), 'mooring-'));
  const server = spawn(process.execPath, [path.join(checkout, 'packages/server/src/main.ts')], {
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      MOORING_HTTP_PORT: '0',
      MOORING_HTTPS_PORT: '0',
      MOORING_DATA_DIR: data,
      ...(withoutAdmin ? {} : { MOORING_ADMIN_EMAIL: admin.email, MOORING_ADMIN_PASSWORD: admin.password }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ready = Promise.withResolvers<void>();
  const read = (chunk: Buffer) => {
    printed += chunk;
    onOutput?.(printed);
    if (printed.includes('Sign in')) ready.resolve();
  };
  server.stdout.on('data', read);
  server.stderr.on('data', read);
  server.once('exit', (code) => ready.reject(new Error(`The server exited with ${code}:\n${printed}`)));
  await ready.promise;
  const find = (pattern: RegExp): string | undefined => pattern.exec(printed)?.[1];
  return {
    httpUrl: find(/Console\s+(http:\S+)/) ?? '',
    httpsUrl: find(/API\s+(https:\S+)\/v0\.1/) ?? '',
    caFile: find(/Trust\s+(\S+)/) ?? '',
    dataDir: data,
    setupLink: find(/(http:\S+\/setup#token=\S+)/),
    output: () => printed,
    process: server,
    async stop({ keepData = false } = {}) {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGTERM');
        await once(server, 'exit');
      }
      if (!keepData) rmSync(data, { recursive: true, force: true });
      return server.exitCode;
    },
  };
}
