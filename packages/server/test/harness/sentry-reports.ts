import { expect } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { unpackJson } from '../../src/domains/crashes/reports/bodies.ts';
import type { Stack } from '../../src/domains/crashes/stacks/stack.ts';
import { EVENT_ID, envelope, INSTALL, type Item, openSentry, session } from './sentry.ts';

type Row = Record<string, unknown>;

export const eventItem = (event: object): Item => [{ type: 'event' }, event];
export const sessionItem = (session: object): Item => [{ type: 'session' }, session];
/** An ID of 32 hexadecimal digits. */
export const hexId = (number: number) => number.toString(16).padStart(32, '0');

/** The update of a session that crashed. */
export const crashed = (more: object = {}) => sessionItem(session({ status: 'crashed', ...more }));
/** An attachment. */
export const file = (name: string, content: Uint8Array | string, more: object = {}): Item => [
  { type: 'attachment', filename: name, ...more },
  Buffer.from(content),
];
/** A frame of the app itself. */
export const appFrame = (method: string, className = 'com.example.shop.Cart') => ({
  module: className,
  function: method,
  filename: 'Cart.kt',
  lineno: 42,
  in_app: true,
});
/** Composed after what sentry-java sends at the start after an ANR. */
export const anr = (more: object = {}) => ({
  event_id: hexId(3),
  platform: 'java',
  level: 'fatal',
  release: 'com.example.shop@1.4.0+140',
  sdk: { name: 'sentry.java.android', version: '8.53.0' },
  contexts: { os: { name: 'Android', version: '14' } },
  user: { id: INSTALL },
  fingerprint: ['{{ default }}', 'foreground-anr'],
  exception: { values: [{ type: 'ApplicationNotResponding', value: 'ANR', mechanism: { type: 'AppExitInfo' } }] },
  threads: {
    values: [
      { id: 7, name: 'Binder:1', stacktrace: { frames: [{ module: 'android.os.Binder', function: 'execTransact' }] } },
      { id: 1, name: 'main', main: true, current: true, stacktrace: { frames: [appFrame('load')] } },
    ],
  },
  ...more,
});
/** Composed after what sentry-cocoa sends. */
export const apple = (type: string, mechanism: object, more: object = {}) => ({
  event_id: hexId(1),
  platform: 'cocoa',
  release: 'com.example.shop@1.4.0+140',
  sdk: { name: 'sentry.cocoa', version: '9.26.0' },
  contexts: { os: { name: 'iOS', version: '18.1' } },
  user: { id: INSTALL },
  exception: { values: [{ type, mechanism, ...more }] },
});

/** An app that Sentry SDKs send to, with the reports, groups and figures that result. */
export async function openSentryReports(dialect: DialectName, settings: Partial<Config> = {}) {
  const sentry = await openSentry(dialect, settings);
  /** Sends items in one envelope. */
  const sendItems = async (header: object, ...items: Item[]) => {
    const answer = await sentry.sendEnvelope(envelope(header, ...items));
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
    return answer;
  };
  /** Sends an event, and other items in the same envelope. */
  const send = (event: object, ...others: Item[]) => {
    const { event_id } = event as { event_id?: string };
    return sendItems({ event_id: event_id ?? EVENT_ID }, eventItem(event), ...others);
  };
  const rows = (): Promise<Row[]> =>
    sentry.app.database.query((q) => q.selectFrom('crash_reports').selectAll().orderBy('id'));
  const groups = async () =>
    (await sentry.app.database.query((q) =>
      q.selectFrom('crash_groups').selectAll().orderBy('number'),
    )) as unknown as Row[];
  const getStack = async (id: string) => {
    const [body] = (await sentry.app.database.query((q) =>
      q.selectFrom('crash_bodies').select('stack').where('report_id', '=', id),
    )) as { stack: Uint8Array }[];
    return unpackJson<Stack>(body?.stack ?? new Uint8Array());
  };
  const overview = () => sentry.get('crash_overview', { start: '2026-11-01', end: '2026-11-01' });
  return { ...sentry, sendItems, send, rows, groups, getStack, overview };
}
