import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../../../../../tools/programs.mjs';
import { freePort, hasClickhouse, type RunningClickhouse, restartable, startClickhouse } from './clickhouse.ts';

const [java, jar] = [findProgram('Java'), findProgram('ZooKeeper')];
export const hasCluster = hasClickhouse && java !== undefined && jar !== undefined;
if (hasClickhouse && !hasCluster) {
  process.stdout.write('Telemetry is not counted by several ClickHouse servers: install libzookeeper-java and Java.\n');
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface RunningZookeeper {
  port: number;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

async function startZookeeper(): Promise<RunningZookeeper> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-zookeeper-'));
  const port = await freePort();
  const file = path.join(folder, 'zoo.cfg');
  writeFileSync(
    file,
    `tickTime=500\nminSessionTimeout=1000\ndataDir=${folder}\nclientPort=${port}\nclientPortAddress=127.0.0.1\n`,
  );
  const options = [
    '-Xmx96m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Dzookeeper.admin.enableServer=false',
    '-Dzookeeper.forceSync=no',
  ];
  const args = [...options, '-cp', jar ?? '', 'org.apache.zookeeper.server.ZooKeeperServerMain', file];
  const { start, stop } = restartable('ZooKeeper', {
    start: () => spawn(java ?? '', args, { cwd: folder, stdio: 'ignore' }),
    isUp: () => isListening(port),
  });
  await start();
  return {
    port,
    start,
    stop,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface RunningCluster {
  zookeeper: RunningZookeeper;
  /** The replicas of each shard. */
  shards: RunningClickhouse[][];
  /** Adds a shard. */
  addShard(replicas: number): Promise<RunningClickhouse[]>;
  remove(): Promise<void>;
}

/** Shards with two replicas each, and a ZooKeeper for replication. */
export async function startCluster(size: number): Promise<RunningCluster> {
  const zookeeper = await startZookeeper();
  const shards: RunningClickhouse[][] = [];
  async function startReplica(shard: number, replica: number): Promise<RunningClickhouse> {
    const [tcp, interserver] = [await freePort(), await freePort()];
    return startClickhouse(`<tcp_port>${tcp}</tcp_port><interserver_http_port>${interserver}</interserver_http_port>
<interserver_http_host>127.0.0.1</interserver_http_host>
<zookeeper><node><host>127.0.0.1</host><port>${zookeeper.port}</port></node>
<session_timeout_ms>5000</session_timeout_ms><operation_timeout_ms>5000</operation_timeout_ms></zookeeper>
<merge_tree><zookeeper_session_expiration_check_period>1</zookeeper_session_expiration_check_period></merge_tree>
<macros><shard>${shard}</shard><replica>${replica}</replica></macros>`);
  }
  async function addShard(replicas: number): Promise<RunningClickhouse[]> {
    const shard = shards.length + 1;
    const started = await Promise.all(Array.from({ length: replicas }, (_, at) => startReplica(shard, at + 1)));
    shards.push(started);
    return started;
  }
  for (let shard = 0; shard < size; shard += 1) await addShard(2);
  return {
    zookeeper,
    shards,
    addShard,
    async remove() {
      await Promise.all(shards.flat().map((server) => server.remove()));
      await zookeeper.remove();
    },
  };
}
