import type { Config } from '../../src/config.ts';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { compactApp } from '../../src/domains/analytics/parts/compaction.ts';
import { processApp } from '../../src/domains/crashes/reports/processing/processing.ts';
import { openIntake } from './intake.ts';

export const NOW = Date.parse('2026-11-01T09:00:00Z');
export const EVENT_ID = '9ec79c33ec9942ab8353589fcb2e04dc';
export const INSTALL = '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d11';

type Payload = object | string | Uint8Array;
export type Item = [header: object, payload: Payload];

const toBytes = (payload: Payload): Uint8Array =>
  payload instanceof Uint8Array
    ? payload
    : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));

/** Writes an envelope as SDKs do: with the length of a payload only if it is not JSON. */
export const envelope = (header: object, ...items: Item[]): Buffer =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    ...items.flatMap(([item, payload]) => {
      const bytes = toBytes(payload);
      const length = payload instanceof Uint8Array ? { length: bytes.length } : {};
      return [Buffer.from(`${JSON.stringify({ ...item, ...length })}\n`), bytes, Buffer.from('\n')];
    }),
  ]);

/** Composed after what sentry-java sends on Android; not recorded on a device. */
export const androidCrash = (more: object = {}) => ({
  event_id: EVENT_ID,
  timestamp: (NOW - 1000) / 1000,
  platform: 'java',
  level: 'fatal',
  release: 'com.example.shop@1.4.0+140',
  dist: '140',
  environment: 'production',
  sdk: { name: 'sentry.java.android', version: '8.53.0' },
  user: { id: INSTALL, ip_address: '203.0.113.7' },
  tags: { plan: 'pro' },
  contexts: {
    device: {
      manufacturer: 'Google',
      brand: 'google',
      model: 'Pixel 7',
      screen_width_pixels: 1080,
      screen_height_pixels: 2400,
    },
    os: { name: 'Android', version: '14', build: 'UQ1A' },
    app: { app_identifier: 'com.example.shop', app_version: '1.4.0', app_build: '140' },
    culture: { locale: 'de-DE' },
  },
  breadcrumbs: { values: [{ timestamp: (NOW - 3000) / 1000, category: 'ui.click', message: 'Pay' }] },
  exception: {
    values: [
      {
        type: 'IOException',
        module: 'java.io',
        value: 'no connection',
        mechanism: { type: 'chained', exception_id: 1, parent_id: 0 },
        stacktrace: { frames: [{ module: 'com.example.shop.Net', function: 'send', filename: 'Net.kt', lineno: 7 }] },
      },
      {
        type: 'IllegalStateException',
        module: 'java.lang',
        value: 'The cart is empty',
        mechanism: { type: 'UncaughtExceptionHandler', handled: false, exception_id: 0 },
        stacktrace: {
          frames: [
            { module: 'android.os.Handler', function: 'dispatchMessage', filename: 'Handler.java', lineno: 106 },
            { module: 'com.example.shop.Cart', function: 'pay', filename: 'Cart.kt', lineno: 42, in_app: true },
          ],
        },
      },
    ],
  },
  threads: { values: [{ id: 2, name: 'main', crashed: true, main: true }] },
  ...more,
});

export const session = (more: object = {}) => ({
  sid: '5b7c1f0e3a534d0c9a610b4e9a0f2d11',
  did: INSTALL,
  init: true,
  started: new Date(NOW - 60_000).toISOString(),
  timestamp: new Date(NOW - 1000).toISOString(),
  status: 'ok',
  attrs: { release: 'com.example.shop@1.4.0+140', environment: 'production' },
  ...more,
});

/** An app that Sentry SDKs send to. */
export async function openSentry(dialect: DialectName, settings: Partial<Config> = {}) {
  const intake = await openIntake(dialect, settings);
  const { app, id, token, home } = intake;
  const get = async (path: string, query: Record<string, string> = {}) =>
    (await app.call('GET', `${home}/${path}`, { token, query })).json();
  const { project_id, public_key, dsn } = await get('sentry');
  const auth = `Sentry sentry_version=7,sentry_client=sentry.java.android/8.53.0,sentry_key=${public_key}`;
  /** Sends a request without a Content-Type, as some SDKs do. */
  const post = (url: string, payload: Uint8Array | string, headers: Record<string, string> = {}) =>
    app.http.inject({ method: 'POST', url, payload: Buffer.from(payload), headers });
  const url = `/api/${project_id}/envelope/`;
  const sendEnvelope = (payload: Uint8Array | string, headers: Record<string, string> = {}) =>
    post(url, payload, { 'x-sentry-auth': auth, ...headers });
  const process = async () => {
    await processApp(systemCtx(app.deps), id);
    await compactApp(systemCtx(app.deps), id);
  };
  const items = async () =>
    Object.fromEntries(
      (await get('ingestion')).items.map(
        ({ item, outcome, reason, count }: { item: string; outcome: string; reason: string; count: number }) => [
          [item, outcome, reason].filter(Boolean).join(' '),
          count,
        ],
      ),
    );
  return {
    ...intake,
    get,
    post,
    url,
    auth,
    dsn,
    projectId: project_id,
    publicKey: public_key,
    sendEnvelope,
    process,
    items,
  };
}
