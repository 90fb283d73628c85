import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../../../../tools/programs.mjs';

const program = findProgram('ClickHouse');
export const hasClickhouse = program !== undefined;
if (!hasClickhouse) process.stdout.write('Telemetry is not counted in ClickHouse: install clickhouse-server.\n');

export const clickhousePassword = "pass/word's";

export interface RunningClickhouse {
  /** With user and password. */
  url: URL;
  /** Runs a statement, and returns its output. */
  query(sql: string): Promise<string>;
  /** Kills the server, and starts it again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

interface Program {
  start(): ChildProcess;
  isUp(): Promise<boolean>;
}

/** A program that is killed and restarted; the caller waits until it is up. */
export function restartable(name: string, { start, isUp }: Program) {
  let child: ChildProcess | undefined;
  return {
    async start(): Promise<void> {
      child = start();
      for (let tries = 0; !(await isUp()); tries += 1) {
        if (child.exitCode !== null || tries > 300) throw new Error(`${name} does not start`);
        await sleep(100);
      }
    },
    async stop(): Promise<void> {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** A ClickHouse server in a temporary folder, on the loopback. `settings` is additional XML. */
export async function startClickhouse(more = ''): Promise<RunningClickhouse> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-clickhouse-'));
  const at = (name: string) => path.join(folder, name);
  const port = await freePort();
  writeFileSync(
    at('users.xml'),
    `<yandex><profiles><default><max_threads>2</max_threads></default></profiles>
<users><mooring><password>${clickhousePassword}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></mooring></users><quotas><default></default></quotas></yandex>`,
  );
  writeFileSync(
    at('config.xml'),
    `<yandex><logger><level>warning</level><log>${at('log')}</log><errorlog>${at('errors')}</errorlog></logger>
<http_port>${port}</http_port><listen_host>127.0.0.1</listen_host><path>${at('data')}/</path><tmp_path>${at('tmp')}/</tmp_path>
<users_config>${at('users.xml')}</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>${more}</yandex>`,
  );
  const url = new URL(`http://mooring@127.0.0.1:${port}/`);
  url.password = clickhousePassword;
  const headers = { 'x-clickhouse-user': 'mooring', 'x-clickhouse-key': clickhousePassword };
  const query = async (body: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.text();
  };
  const { start, stop } = restartable('ClickHouse', {
    start: () => spawn(program ?? '', [`--config-file=${at('config.xml')}`], { cwd: folder, stdio: 'ignore' }),
    isUp: () =>
      query('SELECT 1').then(
        () => true,
        () => false,
      ),
  });
  await start();
  return {
    url,
    query,
    start,
    stop,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
