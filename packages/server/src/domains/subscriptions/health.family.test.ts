import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { healthFamily } from './health.family.ts';

const family = healthFamily({
  config: readConfig({ MOORING_VENDOR_NAME: 'Microsoft' }),
  publicUrl: () => 'https://mooring.example.com',
});
const canonical = (url: string) => (family.owns(url) ? family.toCanonical?.(url) : url);

test.each([
  ['/v0.1/SUBSCRIPTIONS', '/v0.1/SUBSCRIPTIONS'],
  ['/subscriptionsX/a', '/subscriptionsX/a'],
  ['/SubScriptions?Api-Version=1', '/subscriptions?Api-Version=1'],
  [
    '/Subscriptions/AbC/PROVIDERS/microsoft.ResourceHealth/Events',
    '/subscriptions/AbC/providers/Vendor.ResourceHealth/events',
  ],
  [
    '/providers/VENDOR.resourcehealth/events/Events/Updates?a=/Events',
    '/providers/Vendor.ResourceHealth/events/Events/Updates?a=/Events',
  ],
  [
    '/providers/Vendor.ResourceHealth/events/UPDATES/UPDATES',
    '/providers/Vendor.ResourceHealth/events/UPDATES/updates',
  ],
  ['/providers/Other.ResourceHealth/events', '/providers/Other.ResourceHealth/events'],
  ['/subscriptions/x/READERS/Readers', '/subscriptions/x/readers/Readers'],
])('the address %s is read as %s', (url, expected) => {
  expect(canonical(url)).toBe(expected);
});

test.each([
  ['/subscriptions', true],
  ['/SUBSCRIPTIONS?x', true],
  ['/providers/x', true],
  ['/provider', false],
  ['/v0.1/subscriptions', false],
])('%s belongs to the health API: %s', (url, expected) => {
  expect(family.owns(url)).toBe(expected);
});

test('a correlation id is kept only if it is a GUID, and a client id only if it is sane', () => {
  const guid = '99999999-9999-4999-8999-999999999999';
  const headers = { 'x-ms-correlation-request-id': guid, 'x-ms-client-request-id': 'a-1' };
  expect(family.headers?.({ id: 'r', headers })).toEqual({ 'x-ms-request-id': 'r', ...headers });
  const strange = { 'x-ms-correlation-request-id': `${guid}\n`, 'x-ms-client-request-id': 'a b' };
  const sent = family.headers?.({ id: 'r', headers: strange }) ?? {};
  expect(sent['x-ms-correlation-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(sent).not.toHaveProperty('x-ms-client-request-id');
});
