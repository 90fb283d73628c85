import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type PostgresServer, runSql, startPostgres } from '../../test-support/postgres.ts';
import { startS3 } from '../../test-support/s3.ts';
import { send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { startProxy } from './haproxy.ts';

/** Three server processes behind HAProxy, on one bucket and one PostgreSQL with a synchronous standby. */
export interface Cluster {
  /** The URL of the proxy. */
  url: string;
  ca: string;
  servers: RunningServer[];
  primary: PostgresServer;
  standby: PostgresServer;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const cleanUp: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  };
  try {
    const primary = await startPostgres({ isDurable: true });
    cleanUp.push(() => primary.stop());
    await runSql(primary.url('postgres'), 'CREATE DATABASE mooring');
    const standby = await primary.startStandby();
    cleanUp.push(() => standby.stop());
    await runSql(primary.url('postgres'), "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await runSql(primary.url('postgres'), 'SELECT pg_reload_conf()');
    const s3 = await startS3({ checksSignatures: false });
    cleanUp.push(() => s3.stop());

    const [web, database] = [await freePort(), await freePort()];
    const { bucket, prefix, endpoint, region, credentials } = s3.options;
    const folder = mkdtempSync(path.join(tmpdir(), 'mooring-cluster-'));
    cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
    const env = {
      MOORING_DATABASE_URL: `postgres://mooring:mooring@127.0.0.1:${database}/mooring`,
      MOORING_BLOB_STORE: `s3://${bucket}/${prefix}?region=${region}&endpoint=${endpoint}`,
      MOORING_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      MOORING_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      MOORING_SECRET_KEY: randomBytes(32).toString('base64'),
      MOORING_PUBLIC_URL: `https://localhost:${web}`,
      MOORING_TRUSTED_PROXIES: '127.0.0.1',
      MOORING_RATE_LIMIT: '1000000',
    };
    const start = async (name: string, httpPort: number, roles: string) => {
      const more = { ...env, MOORING_HTTP_PORT: String(httpPort), MOORING_ROLES: roles };
      const server = await startServer({ env: more, dataDir: path.join(folder, name) });
      cleanUp.push(() => server.stop());
      return server;
    };
    const [one, two, three] = [await freePort(), await freePort(), await freePort()];
    const addresses = {
      ':443': `127.0.0.1:${web}`,
      '10.0.0.1:8080': `127.0.0.1:${one}`,
      '10.0.0.2:8080': `127.0.0.1:${two}`,
      '10.0.0.3:8080': `127.0.0.1:${three}`,
      '127.0.0.1:5432': `127.0.0.1:${database}`,
      '10.0.0.11:5432': `127.0.0.1:${primary.port}`,
      '10.0.0.12:5432': `127.0.0.1:${standby.port}`,
    };
    // The proxy also answers for localhost, so that it can use the certificate that a server creates for itself.
    const maker = await startServer({ dataDir: path.join(folder, 'maker') });
    await maker.stop({ keepData: true });
    const made = (file: string) => readFileSync(path.join(folder, 'maker/tls', file), 'utf8');
    cleanUp.push(await startProxy(`${made('server.crt')}\n${made('server.key')}`, addresses));
    const servers = await Promise.all([
      start('one', one, 'api,worker'),
      start('two', two, 'api,worker'),
      start('three', three, 'api'),
    ]);
    const [url, ca] = [`https://localhost:${web}`, made('ca.crt')];
    // The proxy checks the servers once a second.
    while ((await send('GET', `${url}/readyz`, { ca })).status !== 200) await sleep(100);
    return { url, ca, servers, primary, standby, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
