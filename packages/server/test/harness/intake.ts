import type { Config } from '../../src/config.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { type Batch, readReceived } from '../../src/domains/ingest/index.ts';
import { testApp } from './app.ts';

export const device = { sdkName: 'appcenter.android', sdkVersion: '5.0.6', appVersion: '1.4.0' };
export const createLog = (more: object = {}) => ({
  type: 'event',
  timestamp: '2026-11-01T08:59:59.000Z',
  device,
  ...more,
});
export const INSTALL_ID = 'A0D28AD4-0000-4000-8000-301BB2B39ECA';

export async function openIntake(dialect: DialectName, settings: Partial<Config> = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const { id } = await app.addApp(ada, 'buoy');
  const home = '/v0.1/apps/ada/buoy';
  const { app_secret: secret } = (await app.call('GET', home, { token })).json();
  const send = (body: unknown, headers: Record<string, string> = {}, url = '/logs?api-version=1.0.0') =>
    app.call('POST', url, {
      body: body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      headers: { 'content-type': 'application/json', 'app-secret': secret, 'install-id': INSTALL_ID, ...headers },
    });
  const storedBatches = async (after = 0): Promise<Batch[]> => {
    const { batches, isMore } = await readReceived(app.deps, id, { after, limit: 1000 });
    return isMore ? [...batches, ...(await storedBatches(batches.at(-1)?.receivedAt))] : batches;
  };
  const storedLogs = async () => (await storedBatches()).flatMap(({ logs }) => logs.map(({ value }) => value));
  const status = async () => (await app.call('GET', `${home}/ingestion`, { token })).json();
  return { app, ada, id, secret, send, storedBatches, storedLogs, status, token, home };
}
