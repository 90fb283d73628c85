import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type App, createApp } from '../../packages/server/src/app.ts';
import { readConfig } from '../../packages/server/src/settings.ts';

/** The modules of the server in this process, on an existing database, without ports or jobs. */
export async function appOver(location: string): Promise<App> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-bench-'));
  const secretKey = Buffer.alloc(32);
  const settings = readConfig({ MOORING_LOG_LEVEL: 'error', MOORING_PUBLIC_URL: 'https://localhost' });
  const app = await createApp({ ...settings, databaseUrl: location, dataDir, secretKey });
  const stop = async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...app, stop };
}
