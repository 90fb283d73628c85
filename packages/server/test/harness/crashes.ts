import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Config } from '../../src/config.ts';
import { systemCtx } from '../../src/context.ts';
import { compactApp } from '../../src/domains/analytics/parts/compaction.ts';
import { processApp } from '../../src/domains/crashes/reports/processing/processing.ts';
import { addLogs } from '../../src/domains/ingest/index.ts';
import { type TestApp, testApp } from './app.ts';

export const NOW = Date.parse('2026-11-01T09:00:00Z');

export const device = {
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  model: 'Pixel 7',
  oemName: 'Google',
  osName: 'Android',
  osVersion: '14',
  osBuild: 'UQ1A.240205',
  locale: 'en_US',
  timeZoneOffset: 0,
  screenSize: '1080x2400',
  appVersion: '1.4.0',
  appBuild: '140',
  appNamespace: 'org.example.shop',
  carrierCountry: 'de',
};

const frame = (className: string, methodName: string, lineNumber = 1) => ({
  className,
  methodName,
  fileName: `${className.split('.').at(-1)}.java`,
  lineNumber,
});

interface Sent {
  id?: string;
  at?: number;
  version?: string;
  build?: string;
  method?: string;
  line?: number;
  message?: string;
  userId?: string;
  sid?: string;
  model?: string;
  properties?: Record<string, string>;
}

const common = (
  type: string,
  { id = randomUUID(), at = NOW, version = '1.4.0', build = '140', model = 'Pixel 7', userId, sid }: Sent,
) => ({
  type,
  id,
  timestamp: new Date(at).toISOString(),
  ...(userId === undefined ? {} : { userId }),
  ...(sid === undefined ? {} : { sid }),
  device: { ...device, appVersion: version, appBuild: build, model },
});

const createException = ({ method = 'pay', line = 88, message = 'cart empty' }: Sent) => ({
  type: 'java.lang.IllegalStateException',
  message,
  frames: [frame('org.example.shop.Cart', method, line), frame('android.os.Looper', 'loop', 288)],
});

/** A crash log of an Android SDK. */
export const crash = (sent: Sent = {}) => ({
  ...common('managedError', sent),
  processId: 4711,
  processName: 'org.example.shop',
  errorThreadId: 2,
  errorThreadName: 'main',
  fatal: true,
  appLaunchTimestamp: new Date((sent.at ?? NOW) - 60_000).toISOString(),
  architecture: 'arm64-v8a',
  exception: createException(sent),
  threads: [{ id: 2, name: 'main', frames: [frame('android.os.Looper', 'loop', 288)] }],
});

export const handledError = (sent: Sent = {}) => ({
  ...common('handledError', sent),
  ...(sent.properties ? { properties: sent.properties } : {}),
  exception: createException(sent),
});

export const attachment = (errorId: string, text: string, fields: object = {}) => ({
  ...common('errorAttachment', {}),
  errorId,
  contentType: 'text/plain',
  fileName: 'note.txt',
  data: Buffer.from(text).toString('base64'),
  ...fields,
});

/** A server with an app of ada's, and functions that send and process logs. */
export async function crashApp(dialect: 'sqlite' | 'postgres', settings: Partial<Config> = {}) {
  const app: TestApp = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const ref = await app.addApp(ada, 'shop');
  const url = (path: string) => `/v0.1/apps/ada/shop${path && `/${path}`}`;
  const ctx = { ...app.as(ada), app: ref, permission: 'manager' as const };
  const process = () => processApp(systemCtx(app.deps), ref.id);
  return {
    app,
    ada,
    token,
    ref,
    ctx,
    url,
    process,
    /** Counts received logs for telemetry queries. */
    compact: () => compactApp(systemCtx(app.deps), ref.id),
    /** Sends each log of an installation in a separate batch, and processes them. */
    send: async (installId: string, ...logs: object[]) => {
      for (const log of logs) await addLogs(app.deps, { appId: ref.id, installId, logs: [log] });
      await process();
    },
    call: (method: string, path: string, call: Parameters<TestApp['call']>[2] = {}) =>
      app.call(method, url(path), { token, ...call }),
    get: async (path: string, query: Record<string, string> = {}) => {
      const { statusCode, body, json } = await app.call('GET', url(path), { token, query });
      expect([statusCode, statusCode < 300 ? '' : body]).toEqual([statusCode < 300 ? statusCode : 200, '']);
      return json();
    },
    rows: <R>(read: (database: TestApp['database']) => Promise<R>) => read(app.database),
  };
}
