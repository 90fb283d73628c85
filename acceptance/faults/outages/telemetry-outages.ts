import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../../../test-support/s3.ts';
import { startServer } from '../../harness/server.ts';
import { openCounting } from '../counting.ts';
import { type Dialect, withInstallation } from '../installation.ts';
import { limitedDisk } from './disk-full.ts';
import { openWay } from './file-store-outage.ts';

const quoted = (messages: Set<string>): string =>
  [...messages].map((message) => `"${message}"`).join(', ') || 'nothing';

/** The blob store is down while devices send: they notice nothing, and their logs are counted once it is back. */
export const loseTelemetryFiles = (dialect: Dialect, seconds: number): Promise<string> =>
  withInstallation(dialect, async ({ settings }) => {
    const s3 = await startS3();
    const { options } = s3;
    const way = await openWay(Number(new URL(options.endpoint).port));
    const endpoint = encodeURIComponent(`http://127.0.0.1:${way.port}`);
    const env = {
      ...settings.env,
      MOORING_BLOB_STORE: `s3://${options.bucket}/blobs?endpoint=${endpoint}&region=${options.region}`,
      MOORING_S3_ACCESS_KEY_ID: options.credentials.accessKeyId,
      MOORING_S3_SECRET_ACCESS_KEY: options.credentials.secretAccessKey,
      MOORING_RATE_LIMIT: '0',
    };
    const server = await startServer({ ...settings, env });
    try {
      const counting = await openCounting(server);
      let sending = counting.startSending(server);
      await sleep(2000);
      await sending.stop();
      await counting.untilCounted(server);
      await way.cut();
      sending = counting.startSending(server);
      await sleep(seconds * 1000);
      await sending.stop();
      assert.deepEqual([...counting.messages], [], 'devices were refused');
      // Earlier data is still available: its files are cached on this machine.
      const meanwhile = await counting.getCount(server);
      assert.equal(meanwhile.status, 200, meanwhile.text);
      await way.restore();
      const begun = performance.now();
      const counted = await counting.untilCounted(server);
      assert.equal(counted, counting.sent.acknowledged);
      return `${dialect}: the blob store was down for ${seconds} s while devices sent: no request was refused, and older figures were served; all ${counted} events counted, each once, ${((performance.now() - begun) / 1000).toFixed(0)} s after it was back`;
    } finally {
      await server.stop({ keepData: true });
      await way.cut().catch(() => undefined);
      await s3.stop();
    }
  });

/** The disk is full while devices send: they have to retry, and no acknowledged log is lost. */
export async function fillTelemetryDisk(): Promise<string> {
  const disk = limitedDisk();
  const server = await startServer({ env: { MOORING_RATE_LIMIT: '0' }, dataDir: disk.folder });
  try {
    const counting = await openCounting(server);
    let sending = counting.startSending(server);
    await sleep(3000);
    disk.fill(server);
    for (let tries = 0; counting.messages.size === 0; tries++) {
      assert.ok(tries < 1200, 'The disk did not fill up.');
      await sleep(100);
    }
    await sleep(3000);
    await sending.stop();
    const refusals = new Set(counting.messages);
    disk.free(server);
    sending = counting.startSending(server);
    await sleep(2000);
    await sending.stop();
    const counted = await counting.untilCounted(server);
    assert.equal(counted, counting.sent.acknowledged);
    return `a full disk: devices got 503 ${quoted(refusals)} and a retry time; afterwards all ${counted} acknowledged events were counted, each once`;
  } finally {
    await server.stop({ keepData: true });
    disk.remove();
  }
}
