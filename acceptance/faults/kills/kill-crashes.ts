import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../tools/samples/random.ts';
import { createToken, send } from '../../harness/http.ts';
import { admin, type RunningServer, startServer } from '../../harness/server.ts';
import { type Installation, untilDisconnected, withInstallation } from '../installation.ts';
import type { Kills } from './kill.ts';

const DEVICES = 4;
const CRASHES = 3;
/** Lets a slow machine process the backlog. */
const PAUSE = 100;
/** Another process takes over a job of a killed one after a minute. */
const SETTLES_WITHIN = 300_000;

/** The IDs of the sent reports, and whether they were acknowledged. */
type Sent = Map<string, boolean>;

const start = ({ settings }: Installation) =>
  startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error', MOORING_RATE_LIMIT: '0' } });

const crash = (id: string) => ({
  type: 'managedError',
  id,
  timestamp: new Date().toISOString(),
  fatal: true,
  device: {
    sdkName: 'appcenter.android',
    sdkVersion: '5.0.6',
    osName: 'Android',
    appVersion: '1.4.0',
    appBuild: '140',
    appNamespace: 'org.example.shop',
  },
  exception: {
    type: 'java.lang.IllegalStateException',
    message: 'cart empty',
    frames: [{ className: 'a.b', methodName: 'c', fileName: 'SourceFile', lineNumber: 88 }],
  },
});
const mapping = 'org.example.shop.Cart -> a.b:\n    88:88:void pay():88:88 -> c\n';

interface App {
  id: string;
  secret: string;
  token: string;
}

/** Sends crashes until the server has ended. */
async function sendCrashes({ httpUrl }: RunningServer, { secret }: App, sent: Sent): Promise<void> {
  for (;;) {
    const ids = Array.from({ length: CRASHES }, () => randomUUID());
    for (const id of ids) sent.set(id, false);
    const headers = { 'app-secret': secret, 'install-id': randomUUID(), 'content-type': 'application/json' };
    const raw = JSON.stringify({ logs: ids.map(crash) });
    const answer = await send('POST', `${httpUrl}/logs?api-version=1.0.0`, { headers, raw }).catch(() => undefined);
    if (!answer) return;
    assert.equal(answer.status, 200, answer.text);
    for (const id of ids) sent.set(id, true);
    await sleep(PAUSE);
  }
}

const countAcknowledged = (sent: Sent) => [...sent.values()].filter((is) => is).length;

/** Waits until the server acknowledges another crash, or has ended. */
async function untilAcknowledged({ process }: RunningServer, sent: Sent): Promise<void> {
  const before = countAcknowledged(sent);
  while (countAcknowledged(sent) === before && process.exitCode === null && process.signalCode === null)
    await sleep(50);
}

/** Uploads the mapping and requests reprocessing; returns whether the server survived both. */
async function uploadSymbols({ httpUrl }: RunningServer, { token }: App): Promise<boolean> {
  const at = `${httpUrl}/v0.1/apps/${admin.name}/Flood`;
  const call = async (method: string, url: string, body: object) => {
    const answer = await send(method, url, { token, body });
    assert.ok(answer.status < 300, `${method} ${url}: ${answer.status} ${answer.text}`);
    return answer.json<{ symbol_upload_id: string; upload_url: string }>();
  };
  try {
    const body = { symbol_type: 'AndroidProguard', file_name: 'mapping.txt', version: '1.4.0', build: '140' };
    const { symbol_upload_id, upload_url } = await call('POST', `${at}/symbol_uploads`, body);
    const { pathname, search } = new URL(upload_url);
    const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream' };
    const put = await send('PUT', `${httpUrl}${pathname}${search}`, { headers, raw: mapping });
    assert.ok(put.status < 300, put.text);
    await call('PATCH', `${at}/symbol_uploads/${symbol_upload_id}`, { status: 'committed' });
    await call('POST', `${at}/crash_reports/reprocess`, {});
    return true;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return false;
  }
}

const numbers = async ({ rows }: Installation, sql: string): Promise<number[]> =>
  Object.values((await rows(sql))[0] ?? {}).map((value) => Number(value ?? 0));

/** Checks that each report exists once, in an existing group, and that the counts match. */
async function judge(installation: Installation, { id }: App): Promise<void> {
  const of = `WHERE app_id = '${id}'`;
  const [reports, distinct, placed] = await numbers(
    installation,
    `SELECT count(*) AS a, count(DISTINCT sent_id) AS b,
       sum(CASE WHEN group_id IN (SELECT id FROM crash_groups ${of}) THEN 1 ELSE 0 END) AS c FROM crash_reports ${of}`,
  );
  assert.deepEqual([distinct, placed], [reports, reports], 'a report is stored twice or has no group');
  const counted = await Promise.all(
    ['crash_groups', 'crash_days', 'crash_app_days', 'crash_issues'].map((table) =>
      numbers(installation, `SELECT sum(count) AS a FROM ${table} ${of}`),
    ),
  );
  assert.deepEqual(counted.flat(), [reports, reports, reports, reports], 'the counts differ from the reports');
  const [bodies] = await numbers(installation, `SELECT count(*) AS a FROM crash_bodies ${of}`);
  assert.equal(bodies, reports, 'a report has no log');
}

/** Waits until all acknowledged reports exist and are symbolicated. */
async function settle(installation: Installation, { id }: App, sent: Sent): Promise<number> {
  const acknowledged = [...sent].filter(([, is]) => is).map(([one]) => one);
  const end = Date.now() + SETTLES_WITHIN;
  for (;;) {
    const found = await installation.rows(`SELECT sent_id, is_symbolicated FROM crash_reports WHERE app_id = '${id}'`);
    const state = new Map(found.map(({ sent_id, is_symbolicated }) => [String(sent_id), Number(is_symbolicated)]));
    const left = acknowledged.filter((one) => state.get(one) !== 1).length;
    const unnamed = [...state.values()].filter((is) => is !== 1).length;
    if (left + unnamed === 0) return state.size;
    assert.ok(
      Date.now() < end,
      `${left} of ${acknowledged.length} acknowledged reports are missing or not symbolicated`,
    );
    await sleep(500);
  }
}

/**
 * Kills the server during crash reports, symbol uploads and reprocessing. Finally each acknowledged report exists once,
 * symbolicated, in its group.
 */
export const killCrashes = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createRandom(seed);
    let server = await start(installation);
    const sent: Sent = new Map();
    let stored = 0;
    try {
      const { api_token: token } = await createToken(server, {});
      const body = { display_name: 'Flood', os: 'Android', platform: 'Java' };
      const created = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
      const { id, app_secret: secret } = created.json<{ id: string; app_secret: string }>();
      const app = { id, secret, token };
      for (let kill = 0; kill < kills; kill++) {
        const working = [
          ...Array.from({ length: DEVICES }, () => sendCrashes(server, app, sent)),
          ...(kill === 0 ? [] : [uploadSymbols(server, app)]),
        ];
        // A busy server may need seconds for its first response, and an earlier kill would test nothing.
        await untilAcknowledged(server, sent);
        await Promise.race([sleep(chance.between(1500, 7000)), working[0]]);
        server.process.kill('SIGKILL');
        await Promise.all([
          ...working,
          server.process.exitCode ?? server.process.signalCode ?? once(server.process, 'exit'),
        ]);
        await untilDisconnected(installation);
        await judge(installation, app);
        server = await start(installation);
      }
      assert.ok(await uploadSymbols(server, app), 'the server exited unexpectedly');
      stored = await settle(installation, app, sent);
      await judge(installation, app);
      const groups = await installation.rows(
        `SELECT class_name, method, count FROM crash_groups WHERE app_id = '${id}'`,
      );
      assert.deepEqual(
        groups.map(({ class_name, method, count }) => [class_name, method, Number(count)]),
        [['org.example.shop.Cart', 'pay', stored]],
      );
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
    const acknowledged = countAcknowledged(sent);
    return `${dialect}: killed ${kills} times while devices sent crashes and symbols were uploaded; ${acknowledged} acknowledged reports all stored once, and ${stored - acknowledged} interrupted ones, all symbolicated and in one group; counts exact`;
  });
