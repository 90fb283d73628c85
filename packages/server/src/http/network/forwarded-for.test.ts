import { expect, test } from 'vitest';
import { createProxyWarning, readForwardedFor } from './forwarded-for.ts';

test.each([
  ['198.51.100.7', ['198.51.100.7']],
  ['198.51.100.7, 10.0.0.1', ['198.51.100.7', '10.0.0.1']],
  [' 198.51.100.7 ,10.0.0.1 ', ['198.51.100.7', '10.0.0.1']],
  ['2001:db8::7', ['2001:db8::7']],
])('reads %s unchanged', (header, addresses) => {
  expect(readForwardedFor(header)).toEqual(addresses);
});

test.each([
  ['198.51.100.7:51234', ['198.51.100.7']],
  ['[2001:db8::7]:51234', ['2001:db8::7']],
  ['[2001:db8::7]', ['2001:db8::7']],
  ['fe80::1%eth0', ['fe80::1']],
  [`fe80::1%${'a'.repeat(3000)}`, ['fe80::1']],
])('reads %s without its port or zone', (header, addresses) => {
  expect(readForwardedFor(header)).toEqual(addresses);
});

test.each([
  '',
  ',',
  'unknown',
  '_hidden',
  '1',
  '0x7f.1',
  '1.2.3.4.5',
  '1.2.3.256',
  '1.2.3.4:',
  '1.2.3.4:999999',
  '2001:db8::7:51234:x',
  'x'.repeat(3000),
  '1'.repeat(3000),
])('finds no address in %s', (header) => {
  expect(readForwardedFor(header)).toEqual([]);
});

test('ignores entries before an invalid one', () => {
  expect(readForwardedFor('203.0.113.9, unknown, 10.0.0.1')).toEqual(['10.0.0.1']);
  expect(readForwardedFor('203.0.113.9, x')).toEqual([]);
});

test('warns about an untrusted proxy once an hour, and about nothing else', () => {
  let now = 0;
  const warned: unknown[] = [];
  const log = { warn: (fields: unknown) => warned.push(fields) };
  const warn = createProxyWarning({ clock: { now: () => now }, log: log as never });
  const request = (ip: string, forwarded?: string) =>
    warn({
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      ip,
      socket: { remoteAddress: '10.0.0.5' } as never,
    });
  request('10.0.0.5');
  // Its peer is trusted: the address is the forwarded one.
  request('198.51.100.7', '198.51.100.7');
  expect(warned).toEqual([]);
  request('10.0.0.5', '198.51.100.7');
  request('10.0.0.5', '198.51.100.8');
  expect(warned).toEqual([{ peer: '10.0.0.5' }]);
  now += 60 * 60 * 1000;
  request('10.0.0.5', '198.51.100.7');
  expect(warned).toHaveLength(2);
});
