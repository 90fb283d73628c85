import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../../harness/http.ts';
import { startServer } from '../../harness/server.ts';
import { withInstallation } from '../installation.ts';
import { checkAcknowledged, openWork, startLoad, untilWorks, writeApp } from './outage.ts';

/** PostgreSQL crashes under load, stays down for a while and comes back; the server waits for it. */
export const loseDatabase = (seconds: number): Promise<string> =>
  withInstallation('postgres', async (installation) => {
    const env = { ...installation.settings.env, MOORING_RATE_LIMIT: '0', MOORING_LOG_LEVEL: 'error' };
    const server = await startServer({ ...installation.settings, env });
    const acknowledged = new Set<string>();
    try {
      const work = await openWork(server);
      const load = startLoad(work, acknowledged);
      await sleep(1000);
      await installation.database?.halt();
      const before = { ...load.counts };
      await sleep(seconds * 1000);
      const probes = await Promise.all(['/healthz', '/readyz'].map((path) => send('GET', server.httpUrl + path)));
      assert.deepEqual(
        probes.map(({ status }) => status),
        [200, 503],
      );
      await installation.database?.resume();
      const back = await untilWorks(() => writeApp(work, 'app-back'));
      acknowledged.add('app-back');
      // /readyz caches its result for a second.
      await sleep(1000);
      await load.stop();
      assert.equal((await send('GET', `${server.httpUrl}/readyz`)).status, 200);
      assert.ok(load.counts.unavailable > 0, 'No request got a 503 during the outage.');
      assert.ok(load.longest() < 15_000, `A request took ${load.longest()} ms.`);
      await checkAcknowledged(installation, acknowledged);
      assert.equal(server.output().includes('unexpected error'), false, server.output());
      return `PostgreSQL crashed under load and was down for ${seconds} s: ${before.done} responses before, then ${load.counts.unavailable} times 503 ("${[...load.messages].join('", "')}") and nothing else; writes resumed ${back.toFixed(0)} ms after it was back; all ${acknowledged.size} acknowledged changes present; the longest wait for a response ${load.longest().toFixed(0)} ms`;
    } finally {
      await server.stop({ keepData: true });
    }
  });
