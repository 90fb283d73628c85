import { expect, test } from 'vitest';
import { isSameSource, toRow, toSourceRow, toUuid, usageTypes } from './rows.ts';

const install = '5B7C1F0E-3A53-4D0C-9A61-0B4E9A0F2D11';
const row = (value: object, at = 1) => {
  const found = toRow(1, { at, value });
  return found && { ...found, ...toSourceRow(install, value) };
};
const event = (fields: object = {}) => row({ type: 'event', id: 'A1', name: 'open', ...fields });

test('skips log types without usage data and values that are not logs', () => {
  for (const type of ['handledError', 'errorAttachment', 'toString', 7, null]) {
    expect(row({ type })).toBeUndefined();
  }
  expect(row([])).toBeUndefined();
  expect(row({ type: 'managedError', fatal: false })).toBeUndefined();
  for (const type of usageTypes) expect(row({ type })?.k).toBe(/Error$|Crash$/.test(type) ? 'crash' : type);
});

test('normalizes device properties: upper-case countries, one spelling of languages, "unknown" for missing ones', () => {
  const device = {
    appVersion: '1.4.0',
    appBuild: 140,
    carrierCountry: 'de',
    model: ' Pixel 7 ',
    osName: 'Android',
    osVersion: '14',
    locale: 'zh-Hans_CN',
  };
  expect(event({ device })).toMatchObject({
    i: install.toLowerCase(),
    v: '1.4.0',
    b: '140',
    c: 'DE',
    m: 'Pixel 7',
    o: 'Android 14',
    l: 'zh-Hans-CN',
  });
  expect(event({ device: 'none' })).toMatchObject({
    v: 'unknown',
    b: 'unknown',
    c: 'unknown',
    m: 'unknown',
    o: 'unknown',
    l: 'unknown',
  });
});

test('logs share a source if session and all device fields are equal', () => {
  const device = { model: 'Pixel 7', osName: 'Android' };
  const isSame = (one: unknown, other: unknown) => isSameSource({ sid: 's', device: one }, { sid: 's', device: other });
  expect(isSame(device, { osName: 'Android', model: 'Pixel 7' })).toBe(true);
  expect(isSameSource({ sid: 's', device }, { sid: 't', device })).toBe(false);
  expect(isSameSource({ device }, { sid: 's', device })).toBe(false);
  const others = [
    { ...device, model: 'Pixel 8' },
    { ...device, locale: 'de' },
    { model: 'Pixel 7' },
    undefined,
    'none',
  ];
  for (const other of others) {
    expect(isSame(device, other)).toBe(false);
    expect(isSame(other, device)).toBe(false);
  }
});

test('typed properties take precedence over plain ones, and become text', () => {
  const typedProperties = [
    { type: 'string', name: 'plan', value: 'pro' },
    { type: 'long', name: 'items', value: 3 },
    { type: 'boolean', name: 'gift', value: false },
    { type: 'string', name: 'nothing', value: null },
    'odd',
  ];
  expect(event({ typedProperties, properties: { old: 'x' } })?.p).toEqual({ plan: 'pro', items: '3', gift: 'false' });
  expect(event({ properties: { old: 'x', deep: { a: 1 } } })?.p).toEqual({ old: 'x' });
  expect(event()?.p).toBeNull();
});

test('truncates names, keys and values, and keeps twenty properties, as the SDKs do', () => {
  const long = 'x'.repeat(1000);
  const properties = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n + 100}${long}`, long]));
  const { n, p } = event({ name: long, properties }) ?? {};
  expect(n).toHaveLength(256);
  expect(Object.keys(p ?? {})).toHaveLength(20);
  expect(Object.entries(p ?? {}).flat()).toSatisfy((texts: string[]) => texts.every((text) => text.length === 125));
});

test("replaces lone surrogates and NUL, which files can't contain", () => {
  expect(event({ name: `${'x'.repeat(255)}😀` })?.n?.at(-1)).toBe('�');
  expect(event({ name: 'a\0b' })?.n).toBe('a�b');
});

test('assigns a repeated log the same key, and different logs different keys', () => {
  expect(event({ id: 'a1', name: 'x' })?.x).toBe(event()?.x);
  expect(event({ id: 'a2' })?.x).not.toBe(event()?.x);
  const crash = (fields: object) => row({ type: 'appleError', id: 'A1', fatal: true, ...fields })?.x;
  expect(crash({ osExceptionType: 'x' })).toBe(crash({ id: 'a1' }));
  expect(crash({})).not.toBe(event()?.x);
  const start = (fields: object) => row({ type: 'startSession', ...fields })?.x;
  expect(start({ sid: 'S', timestamp: '1' })).toBe(start({ sid: 's', timestamp: '2' }));
  expect(start({ timestamp: '1' })).not.toBe(start({ timestamp: '2' }));
  expect(row({ type: 'distributionStartSession', sid: 's' })?.x).not.toBe(start({ sid: 's' }));
  const service = (value: object) => row({ type: 'startService', timestamp: '1', ...value })?.x;
  expect(service({ a: 1, b: [{ c: 1, d: 2 }] })).toBe(service({ b: [{ d: 2, c: 1 }], a: 1 }));
  expect(service({ a: 1 })).not.toBe(service({ a: 2 }));
});

test('keeps long IDs distinct without using more space', () => {
  const long = 'x'.repeat(1_000_000);
  const rows = [event({ id: `${long}1`, sid: `${long}1` }), event({ id: `${long}2`, sid: `${long}2` })];
  expect(new Set(rows.map((row) => row?.x)).size).toBe(2);
  expect(new Set(rows.map((row) => row?.s)).size).toBe(2);
  for (const row of rows) expect(JSON.stringify(row).length).toBeLessThan(1000);
});

test('maps an ID that is not a UUID to a stable UUID', () => {
  expect(toUuid(install)).toBe(install.toLowerCase());
  expect(toUuid('device 7')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(toUuid('device 7')).toBe(toUuid('DEVICE 7'));
  expect(toUuid('device 7')).not.toBe(toUuid('device 8'));
});
