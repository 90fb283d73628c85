import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../../tools/s3.ts';
import { startServer } from '../harness/server.ts';
import { openCounting } from './counting.ts';
import { limitedDisk } from './disk-full.ts';
import { openWay } from './files-gone.ts';
import { type Dialect, withInstallation } from './installation.ts';

const quoted = (messages: Set<string>): string =>
  [...messages].map((message) => `"${message}"`).join(', ') || 'nothing';

/** The store of files is away while devices send: they notice nothing, and what they sent is counted once it is back. */
export const loseFilesOfTelemetry = (dialect: Dialect, seconds: number): Promise<string> =>
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
      // What was counted before is still told: its files are on this machine.
      const meanwhile = await counting.ask(server);
      assert.equal(meanwhile.status, 200, meanwhile.text);
      await way.mend();
      const begun = performance.now();
      const counted = await counting.untilCounted(server);
      assert.equal(counted, counting.sent.acknowledged);
      return `${dialect}: the store of files was away for ${seconds} s while devices sent: none was refused, older figures were told; all ${counted} events counted, each once, ${((performance.now() - begun) / 1000).toFixed(0)} s after it was back`;
    } finally {
      await server.stop({ keepData: true });
      await way.cut().catch(() => undefined);
      await s3.stop();
    }
  });

/** The disk has no room while devices send: they are told to come back, and nothing that was acknowledged is lost. */
export async function fillDiskOfTelemetry(): Promise<string> {
  const disk = limitedDisk();
  const server = await startServer({ env: { MOORING_RATE_LIMIT: '0' }, dataDir: disk.folder });
  try {
    const counting = await openCounting(server);
    let sending = counting.startSending(server);
    await sleep(3000);
    disk.fill(server);
    for (let tries = 0; counting.messages.size === 0; tries++) {
      assert.ok(tries < 1200, 'The disk does not become full.');
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
    return `a disk without room: devices were told ${quoted(refusals)} and when to come back; afterwards all ${counted} acknowledged events were counted, each once`;
  } finally {
    await server.stop({ keepData: true });
    disk.remove();
  }
}
