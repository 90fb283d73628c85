import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Config } from '../../src/config.ts';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { compactApp } from '../../src/domains/analytics/parts/compaction.ts';
import { addLogs } from '../../src/domains/ingest/index.ts';
import { DAY } from '../../src/kernel/clock.ts';
import { testApp } from './app.ts';

export const NOW = Date.parse('2026-11-01T09:00:00Z');
export const TODAY = Math.floor(NOW / DAY);
export const iso = (day: number) => new Date(day * DAY).toISOString();

/** A server with ada, who creates apps whose devices send logs. */
export async function withApps(dialect: DialectName, settings: Partial<Config> = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  let apps = 0;
  /** A new app, with functions that send logs in batches. */
  const open = async () => {
    apps += 1;
    const { id, name } = await app.addApp(ada, `app${apps}`);
    const url = (path: string) => `/v0.1/apps/ada/${name}/analytics/${path}`;
    const answer = (path: string, query: Record<string, string | number | string[]> = {}) =>
      app.call('GET', url(path), { token, query: query as Record<string, string> });
    return {
      answer,
      get: async (path: string, query?: Record<string, string | number | string[]>) => {
        const { statusCode, body, json } = await answer(path, query);
        expect([statusCode, statusCode === 200 ? '' : body]).toEqual([200, '']);
        return json();
      },
      call: (method: string, path: string, body?: object, as = token) =>
        app.call(method, url(path), { token: as, ...(body ? { body } : {}) }),
      remove: (path: string, as = token) => app.call('DELETE', url(path), { token: as }),
      send: (installId: string, ...logs: object[]) => addLogs(app.deps, { appId: id, installId, logs }),
      compact: () => compactApp(systemCtx(app.deps), id),
      ref: { id, ownerId: ada.id, ownerName: 'ada', name },
    };
  };
  return { app, ada, token, open };
}

/** Default device properties. */
export const phone = {
  appVersion: '1.0',
  appBuild: '7',
  osName: 'iOS',
  osVersion: '18',
  model: 'iPhone',
  locale: 'de_DE',
};

export const wireLog = (type: string, at: number, fields: object = {}) => ({
  type,
  timestamp: new Date(at).toISOString(),
  device: phone,
  ...fields,
});
export const wireEvent = (name: string, fields: object = {}, at = NOW) =>
  wireLog('event', at, { id: randomUUID(), name, ...fields });
