import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codePushAcquisition_updateCheck, releases_getLatestPublicRelease } from '@mooring/contract';
import { exampleRequest, type Fixtures } from '@mooring/contract/fixtures';
import { createApk } from '../../tools/samples/packages.ts';
import { type Answer, type Call, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const DEVICES = 2;
/** Twice the lease of a job whose process lost the database, plus the delay after a failure. */
const PATIENCE = 240_000;
/** Responses of a proxy, or of a server without a database. */
const outages = new Set([502, 503, 504]);

const device = {
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  osName: 'Android',
  appVersion: '1.4.0',
  appBuild: '140',
};

/** The logs of a device: an event and a crash. */
function logs(): string {
  const about = () => ({ id: randomUUID(), timestamp: new Date().toISOString(), device });
  const frames = [{ className: 'org.example.Shop', methodName: 'open', fileName: 'Shop.java', lineNumber: 7 }];
  const exception = { type: 'java.lang.IllegalStateException', message: 'gone', frames };
  return JSON.stringify({
    logs: [
      { type: 'event', name: 'sent', ...about() },
      { type: 'managedError', fatal: true, exception, ...about() },
    ],
  });
}

export interface DeviceLoad {
  /** Interrupted requests are repeated until they succeed, as devices do. */
  stop(): Promise<void>;
  /** Compares counted and stored data with the sent data; returns a summary. */
  check(): Promise<string>;
  /** Stops sending, without waiting for responses. */
  abandon(): void;
}

/** Devices that send logs and check for updates, and a user who uploads releases, to the current URL of the service. */
export async function startDeviceLoad(
  url: () => string,
  { token, ca, fixtures }: { token: string; ca?: string; fixtures: Fixtures },
): Promise<DeviceLoad> {
  const home = `/v0.1/apps/${admin.name}/flood`;
  const callApi = (method: string, path: string, call: Call = {}) =>
    send(method, url() + path, { ...(ca ? { ca } : {}), ...call });
  const create = { name: 'flood', display_name: 'Flood', os: 'Android', platform: 'Java' };
  const { app_secret } = (await callApi('POST', '/v0.1/apps', { token, body: create })).json<{ app_secret: string }>();
  let isOver = false;
  let isAbandoned = false;
  const sent = { batches: 0, uploads: 0, checks: 0, again: 0 };

  /** Repeats a request that was interrupted, or rejected for lack of a database, until it succeeds. */
  async function repeatUntilSuccess(request: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await request().catch(() => undefined);
      if (answer && answer.status < 300) return answer;
      if (isAbandoned) throw new Error('The test was abandoned.');
      if (answer) assert.ok(outages.has(answer.status), `${answer.status} ${answer.text}`);
      sent.again += 1;
      await sleep(100);
    }
  }

  async function sendLogs(): Promise<void> {
    while (!isOver) {
      const raw = logs();
      const headers = { 'app-secret': app_secret, 'install-id': randomUUID(), 'content-type': 'application/json' };
      await repeatUntilSuccess(() => callApi('POST', '/logs?api-version=1.0.0', { headers, raw }));
      sent.batches += 1;
      await sleep(10);
    }
  }

  async function uploadReleases(): Promise<void> {
    while (!isOver) {
      const raw = createApk({ version: sent.uploads + 1 });
      const address = `${home}/releases/uploads?file_name=flood.apk&upload_id=${randomUUID()}`;
      const headers = { 'content-type': 'application/octet-stream' };
      await repeatUntilSuccess(() => callApi('PUT', address, { token, headers, raw }));
      sent.uploads += 1;
      await sleep(200);
    }
  }

  async function checkForUpdates(): Promise<void> {
    const checks = [codePushAcquisition_updateCheck, releases_getLatestPublicRelease].map((spec) =>
      exampleRequest(spec, { ids: fixtures.ids }),
    );
    while (!isOver) {
      for (const { method, url: path, headers } of checks)
        await repeatUntilSuccess(() => callApi(method, path, { headers }));
      sent.checks += checks.length;
      await sleep(20);
    }
  }

  const running = Promise.all([...Array.from({ length: DEVICES }, sendLogs), uploadReleases(), checkForUpdates()]);
  // `stop` reports the failure.
  running.catch(() => undefined);

  /** Waits until the count reaches the expected number; fails if it exceeds it. */
  async function untilAll(what: string, expected: number, count: () => Promise<number>): Promise<void> {
    for (const end = Date.now() + PATIENCE; ; await sleep(500)) {
      const found = await count();
      assert.ok(found <= expected, `${found} ${what} are counted, but only ${expected} were sent`);
      if (found === expected) return;
      assert.ok(Date.now() < end, `only ${found} of ${expected} acknowledged ${what} are counted`);
    }
  }
  const get = async <T>(path: string): Promise<T> => {
    const answer = await callApi('GET', home + path, { token });
    assert.equal(answer.status, 200, answer.text);
    return answer.json<T>();
  };

  return {
    async stop() {
      isOver = true;
      await running;
    },
    abandon() {
      isOver = true;
      isAbandoned = true;
    },
    async check() {
      const start = new Date(Date.now() - 86_400_000).toISOString();
      await untilAll('events', sent.batches, async () => {
        const { events } = await get<{ events: { count: number }[] }>(`/analytics/events?start=${start}&$top=0`);
        return events[0]?.count ?? 0;
      });
      await untilAll('crashes', sent.batches, async () => {
        const { values } = await get<{ values: { count: number }[] }>('/crash_issues?limit=10');
        return values.reduce((sum, { count }) => sum + count, 0);
      });
      await untilAll('releases', sent.uploads, async () => (await get<unknown[]>('/releases')).length);
      const versions = (await get<{ version: string }[]>('/releases')).map(({ version }) => Number(version));
      assert.deepEqual(
        versions.sort((a, b) => a - b),
        Array.from({ length: sent.uploads }, (_, n) => n + 1),
      );
      return `${sent.batches} events and as many crashes, ${sent.uploads} releases, each once; ${sent.checks} update checks; ${sent.again} retries`;
    },
  };
}
