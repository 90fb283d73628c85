import { apps_get } from '../apps/apps.contract.ts';
import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { Devices_BlockLogs } from './blocks.contract.ts';
import { blocksExamples } from './blocks.examples.ts';
import { logs_send } from './logs.contract.ts';
import { installExample, logsExample } from './logs.examples.ts';

/** Logs of a device, some of them invalid. */
export async function addLogs(fixtures: Fixtures): Promise<void> {
  const { ada, server } = fixtures;
  const params = { owner_name: 'ada', app_name: 'compass' };
  const { app_secret } = await ada.call(apps_get, { params });
  putId(fixtures, logs_send, 'app-secret', app_secret);
  const timestamp = new Date(server.now()).toISOString();
  const logs = [...logsExample.logs, { type: 'evnt', name: 'checkout' }].map((log) => ({ ...log, timestamp }));
  await ada.call(logs_send, {
    query: {},
    headers: { 'app-secret': app_secret, 'install-id': installExample },
    body: new TextEncoder().encode(JSON.stringify({ logs })),
  });
  await ada.call(Devices_BlockLogs, { params: blocksExamples.Devices_BlockLogs.params, body: {} });
}
