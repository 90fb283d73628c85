import { expect, test } from 'vitest';
import { archivedLogToRecord, toPastLog, toRecord } from './records.ts';

const installId = '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d11';
const timestamp = '2026-03-01T08:59:59.000Z';
const device = {
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  model: 'Pixel 7',
  osName: 'Android',
  osVersion: '14',
  osApiLevel: '34',
  locale: 'en_US',
  timeZoneOffset: -90,
  appVersion: '1.4.0',
  appBuild: '140',
  carrierCountry: 'de',
  liveUpdateReleaseLabel: 'v4',
};
const batch = { number: 1, receivedAt: 0, installId, logs: [] };

test.each([
  { type: 'event', id: 'e-1', name: 'buy', sid: 's', userId: 'u', properties: { plan: 'pro' } },
  { type: 'event', name: 'buy' },
  { type: 'page', name: 'home', sid: 's' },
  { type: 'startSession', sid: 's' },
  { type: 'managedError', id: 'c-1', fatal: true, exception: { type: 'E', frames: [] } },
  { type: 'handledError', id: 'c-2', properties: { a: 'b' }, exception: { type: 'E' } },
])('the exported $type $id is imported as the same log', (fields) => {
  const log = { ...fields, timestamp, device };
  const record = toRecord('app', batch, { type: log.type, at: Date.parse(timestamp), value: log }, 'at a.b()');
  expect(toPastLog(record)).toEqual({ installId, log });
});

test('restores the types of stored custom properties', () => {
  const log = {
    type: 'customProperties',
    at: Date.parse(timestamp),
    install: installId,
    session: undefined,
    name: undefined,
    user: undefined,
    properties: { level: 'number:3', motto: 'string:a:b', gone: 'clear:', odd: 'plain' },
    device: Object.fromEntries(
      ['version', 'build', 'country', 'model', 'os', 'language', 'carrier', 'oem', 'screen', 'api'].map((name) => [
        name,
        'unknown',
      ]),
    ) as never,
  };
  expect(toPastLog(archivedLogToRecord('app', log))).toEqual({
    installId,
    log: {
      type: 'customProperties',
      timestamp,
      device: {},
      properties: [
        { name: 'level', type: 'number', value: '3' },
        { name: 'motto', type: 'string', value: 'a:b' },
        { name: 'gone', type: 'clear', value: '' },
        { name: 'odd', type: 'string', value: 'plain' },
      ],
    },
  });
});

test('reads records of other servers, with fewer fields and offsets in hours', () => {
  const record = {
    AppId: 'x',
    MessageType: 'EventLog',
    InstallId: installId.toUpperCase(),
    Timestamp: '2026-03-01T08:59:59.1234567Z',
    EventName: 'buy',
    TimeZoneOffset: 'PT5H30M',
    CountryCode: 'DE',
    Properties: '',
    OsApiLevel: 2,
  };
  expect(toPastLog(record)).toEqual({
    installId: record.InstallId,
    log: {
      type: 'event',
      timestamp: record.Timestamp,
      name: 'buy',
      device: { osApiLevel: '2', timeZoneOffset: 330, carrierCountry: 'DE' },
    },
  });
});

test.each([[null], ['text'], [[]], [{ MessageType: 'Odd' }], [{ MessageType: 'ManagedErrorLog', Log: '{' }]])(
  'passes on an invalid record unchanged: %j',
  (log) => expect(toPastLog(log)).toEqual({ installId: '', log: log }),
);
