import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createRandom } from '../../../tools/samples/random.ts';
import { createToken, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { type Installation, withInstallation } from '../installation.ts';
import type { Kills } from './kill.ts';

const DEVICES = 16;
const LOGS = 20;

/** The sent batches, each of a new install, and whether they were acknowledged. */
type Sent = Map<string, boolean>;

const countAcknowledged = (sent: Sent): number => [...sent.values()].filter((is) => is).length;

const start = ({ settings }: Installation) =>
  startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error', MOORING_ROLES: 'api' } });

function batch(): Buffer {
  const device = { sdkName: 'appcenter.android', sdkVersion: '5.0.6', appVersion: '1.0' };
  const timestamp = new Date().toISOString();
  const log = () => ({ type: 'event', id: randomUUID(), name: 'x'.repeat(80), timestamp, device });
  // One log is invalid, so that invalid logs are counted too.
  return Buffer.from(JSON.stringify({ logs: [...Array.from({ length: LOGS }, log), { type: 'evnt' }] }));
}

/** Sends until the server has ended. */
async function sendLogs({ httpUrl }: RunningServer, secret: string, sent: Sent): Promise<void> {
  for (let n = 0; ; n++) {
    const install = randomUUID();
    sent.set(install, false);
    const isZipped = n % 2 === 0;
    const headers = {
      'app-secret': secret,
      'install-id': install.toUpperCase(),
      'content-type': 'application/json',
      ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    };
    const raw = isZipped ? gzipSync(batch()) : batch();
    const answer = await send('POST', `${httpUrl}/logs?api-version=1.0.0`, { headers, raw }).catch(() => undefined);
    if (!answer) return;
    assert.equal(answer.status, 200, answer.text);
    sent.set(install, true);
  }
}

interface StoredLogs {
  install: string;
  number: number;
  logs: number;
}

/** Compares stored with acknowledged batches; returns their number. */
async function judge({ rows, dialect }: Installation, sent: Sent): Promise<number> {
  const found = (
    await rows('SELECT install_id AS install, number, log_count AS logs FROM ingest_batches ORDER BY number')
  ).map((row): StoredLogs => ({ install: String(row.install), number: Number(row.number), logs: Number(row.logs) }));
  const counts = new Map<string, number>();
  for (const { install, logs } of found) {
    counts.set(install, (counts.get(install) ?? 0) + 1);
    assert.equal(logs, LOGS);
  }
  for (const [install, isAcknowledged] of sent) {
    const stored = counts.get(install) ?? 0;
    assert.ok(
      stored === 1 || (!isAcknowledged && stored === 0),
      `the batch of ${install} was sent once and is stored ${stored} times`,
    );
  }
  // Consumers that read by number must not skip a batch.
  assert.deepEqual(
    found.map(({ number }) => number),
    found.map((_, at) => at + 1),
  );
  const [sum] = await rows(
    'SELECT sum(batches) AS batches, sum(logs) AS logs, sum(invalid) AS invalid FROM ingest_minutes',
  );
  assert.deepEqual(
    [sum?.batches, sum?.logs, sum?.invalid].map(Number),
    [found.length, found.length * LOGS, found.length],
    'the counts differ from the stored batches',
  );
  if (dialect === 'sqlite') assert.deepEqual(await rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  return found.length;
}

/** Kills the server repeatedly while devices send; each time, all acknowledged batches must be stored once. */
export const killIngestion = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createRandom(seed);
    let server = await start(installation);
    const sent: Sent = new Map();
    let stored = 0;
    try {
      const { api_token: token } = await createToken(server, {});
      const url = `${server.httpUrl}/v0.1/apps`;
      const body = { display_name: 'Flood', os: 'Android', platform: 'Java' };
      const created = await send('POST', url, { token, body });
      const { id, app_secret } = JSON.parse(created.text) as { id: string; app_secret: string };
      const ofFlood: Installation = {
        ...installation,
        rows: (sql) => installation.rows(sql.replace(/ FROM (ingest_\w+)/, ` FROM $1 WHERE app_id = '${id}'`)),
      };
      for (let kill = 0; kill < kills; kill++) {
        const sending = Promise.all(Array.from({ length: DEVICES }, () => sendLogs(server, app_secret, sent)));
        // The intake thread starts with the first logs.
        const before = countAcknowledged(sent);
        let isOver = false;
        void sending.finally(() => {
          isOver = true;
        });
        while (!isOver && countAcknowledged(sent) === before) await sleep(10);
        await Promise.race([sleep(chance.between(0, 800)), sending]);
        server.process.kill('SIGKILL');
        await Promise.all([
          sending,
          server.process.exitCode ?? server.process.signalCode ?? once(server.process, 'exit'),
        ]);
        server = await start(installation);
        stored = await judge(ofFlood, sent);
      }
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
    const acknowledged = countAcknowledged(sent);
    return `${dialect}: killed ${kills} times while devices sent logs; ${acknowledged} acknowledged batches all stored once, and ${stored - acknowledged} interrupted ones; numbers without gaps, counts exact`;
  });
