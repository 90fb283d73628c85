import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { Failure } from '../../kernel/errors.ts';
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
  ['/subscriptions/X/WebHooks/Test/TEST', '/subscriptions/X/webhooks/Test/test'],
  ['/subscriptions/X/WebHooks/Y/Rotate', '/subscriptions/X/webhooks/Y/rotate'],
  ['/subscriptions/X/webhooks/Y/Deliveries/Z/REPLAY', '/subscriptions/X/webhooks/Y/deliveries/Z/replay'],
  ['/subscriptions/X/FEEDS/Feeds', '/subscriptions/X/feeds/Feeds'],
  ['/SUBSCRIPTIONS', '/subscriptions'],
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

const refused = (query: Record<string, unknown>): unknown => {
  try {
    return family.checkQuery?.(query);
  } catch (error) {
    return error instanceof Failure ? [error.code, error.message] : error;
  }
};

test('a request says a version that is supported; its name may be in any case', () => {
  expect(refused({ 'api-version': '2024-02-01' })).toBeUndefined();
  expect(refused({ 'API-Version': '2024-02-01' })).toBeUndefined();
  const supported = readConfig({}).healthApiVersions.join(', ');
  const missing = ['MissingApiVersionParameter', expect.stringContaining(`Supported: ${supported}.`)];
  expect([refused({}), refused({ 'api-version': '' }), refused({ version: '2024-02-01' })]).toEqual([
    missing,
    missing,
    missing,
  ]);
});

test('a version that is not supported is named in the refusal, its first fifty characters', () => {
  const [code, message] = refused({ 'api-version': 'x'.repeat(51) }) as [string, string];
  expect(code).toBe('InvalidApiVersionParameter');
  expect(message).toContain(`'${'x'.repeat(50)}'`);
});

test('whoever is refused for want of a credential is told where to sign in, and nobody else', () => {
  const told = family.errorHeaders?.(new Failure('AuthenticationFailed', 'No "way"\r\nin\\é'));
  const where = 'authorization_uri="https://mooring.example.com/common/oauth2/authorize"';
  const why = `error="invalid_token", error_description="No 'way'''in'?"`;
  expect(told).toEqual({ 'www-authenticate': `Bearer ${where}, ${why}` });
  expect(family.errorHeaders?.(new Failure('Forbidden', 'No.'))).toEqual({});
});

test('a missing credential is told from a wrong one', () => {
  expect(family.unauthenticated(false).code).toBe('AuthenticationFailed');
  expect(family.unauthenticated(true).code).toBe('InvalidAuthenticationToken');
});

test.each([
  ['Unauthorized', 'AuthenticationFailed'],
  ['Forbidden', 'AuthorizationFailed'],
  ['NotFound', 'ResourceNotFound'],
  ['SubscriptionNotFound', 'SubscriptionNotFound'],
] as const)('%s is called %s, with the id of the request', (code, called) => {
  const details = 'The id of the request is r-1.';
  expect(family.error(new Failure(code, 'Why.'), 'r-1')).toEqual({ code: called, message: 'Why.', details });
});

test('how many reads are left stands in the header that its clients look for', () => {
  const left = family.allowanceHeaders?.({ limit: 9, remaining: 7, reset: 60, exceeded: false });
  expect(left).toEqual({ 'x-ms-ratelimit-remaining-subscription-reads': 7 });
});
