import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createChance } from '../../tools/chance.ts';
import { createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { type Installation, withInstallation } from './installation.ts';
import type { Kills } from './kill.ts';

const SENDERS = 16;
const LOGS = 20;

/** What was sent, each by an install of its own, and whether it was acknowledged. */
type Sent = Map<string, boolean>;

const acknowledgedOf = (sent: Sent): number => [...sent.values()].filter((is) => is).length;

const start = ({ settings }: Installation) =>
  startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error', MOORING_ROLES: 'api' } });

function batch(): Buffer {
  const device = { sdkName: 'appcenter.android', sdkVersion: '5.0.6', appVersion: '1.0' };
  const timestamp = new Date().toISOString();
  const log = () => ({ type: 'event', id: randomUUID(), name: 'x'.repeat(80), timestamp, device });
  // One of them is invalid, so that what is set aside is counted too.
  return Buffer.from(JSON.stringify({ logs: [...Array.from({ length: LOGS }, log), { type: 'evnt' }] }));
}

/** Sends until the server is gone. */
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

interface Kept {
  install: string;
  number: number;
  logs: number;
}

/** Holds what is kept against what was acknowledged; says how many batches that are. */
async function judge({ rows, dialect }: Installation, sent: Sent): Promise<number> {
  const found = (
    await rows('SELECT install_id AS install, number, log_count AS logs FROM ingest_batches ORDER BY number')
  ).map((row): Kept => ({ install: String(row.install), number: Number(row.number), logs: Number(row.logs) }));
  const counts = new Map<string, number>();
  for (const { install, logs } of found) {
    counts.set(install, (counts.get(install) ?? 0) + 1);
    assert.equal(logs, LOGS);
  }
  for (const [install, isAcknowledged] of sent) {
    const kept = counts.get(install) ?? 0;
    assert.ok(kept === 1 || (!isAcknowledged && kept === 0), `${install} was sent once and is kept ${kept} times`);
  }
  // Whoever reads by number passes over none.
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
    'the counts differ from what is kept',
  );
  if (dialect === 'sqlite') assert.deepEqual(await rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  return found.length;
}

/** Ends the server while devices send, again and again; each time, what it acknowledged must be there, once. */
export const killIngestion = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createChance(seed);
    let server = await start(installation);
    const sent: Sent = new Map();
    let kept = 0;
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
        const sending = Promise.all(Array.from({ length: SENDERS }, () => sendLogs(server, app_secret, sent)));
        // The thread that takes logs starts with the first of them.
        const before = acknowledgedOf(sent);
        let isOver = false;
        void sending.finally(() => {
          isOver = true;
        });
        while (!isOver && acknowledgedOf(sent) === before) await sleep(10);
        await Promise.race([sleep(chance.between(0, 800)), sending]);
        server.process.kill('SIGKILL');
        await Promise.all([
          sending,
          server.process.exitCode ?? server.process.signalCode ?? once(server.process, 'exit'),
        ]);
        server = await start(installation);
        kept = await judge(ofFlood, sent);
      }
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
    const acknowledged = acknowledgedOf(sent);
    return `${dialect}: ended ${kills} times while devices sent; ${acknowledged} acknowledged batches all kept once, ${kept - acknowledged} more that were cut off; numbers without a gap, counts exact`;
  });
