import { expect, test } from 'vitest';
import { Failure } from '../../kernel/errors.ts';
import { readConfig } from '../../settings.ts';
import { healthSurface } from './health.surface.ts';

const surface = healthSurface({
  config: readConfig({ MOORING_VENDOR_NAME: 'Microsoft' }),
  publicUrl: () => 'https://mooring.example.com',
});
const canonical = (url: string) => (surface.owns(url) ? surface.toCanonical?.(url) : url);

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
])('the path %s is read as %s', (url, expected) => {
  expect(canonical(url)).toBe(expected);
});

test.each([
  ['/subscriptions', true],
  ['/SUBSCRIPTIONS?x', true],
  ['/providers/x', true],
  ['/provider', false],
  ['/v0.1/subscriptions', false],
])('%s belongs to the health API: %s', (url, expected) => {
  expect(surface.owns(url)).toBe(expected);
});

test('a correlation ID is stored only if it is a GUID, and a client ID only if it is valid', () => {
  const guid = '99999999-9999-4999-8999-999999999999';
  const headers = { 'x-ms-correlation-request-id': guid, 'x-ms-client-request-id': 'a-1' };
  expect(surface.headers?.({ id: 'r', headers })).toEqual({ 'x-ms-request-id': 'r', ...headers });
  const strange = { 'x-ms-correlation-request-id': `${guid}\n`, 'x-ms-client-request-id': 'a b' };
  const sent = surface.headers?.({ id: 'r', headers: strange }) ?? {};
  expect(sent['x-ms-correlation-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(sent).not.toHaveProperty('x-ms-client-request-id');
});

const refused = (query: Record<string, unknown>): unknown => {
  try {
    return surface.checkQuery?.(query);
  } catch (error) {
    return error instanceof Failure ? [error.code, error.message] : error;
  }
};

test('requires a supported version; the parameter name ignores case', () => {
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

test('an error about an unsupported version contains its first fifty characters', () => {
  const [code, message] = refused({ 'api-version': 'x'.repeat(51) }) as [string, string];
  expect(code).toBe('InvalidApiVersionParameter');
  expect(message).toContain(`'${'x'.repeat(50)}'`);
});

test('only a missing credential causes a hint where to sign in', () => {
  const headers = surface.errorHeaders?.(new Failure('AuthenticationFailed', 'No "way"\r\nin\\é'));
  const where = 'authorization_uri="https://mooring.example.com/common/oauth2/authorize"';
  const why = `error="invalid_token", error_description="No 'way'''in'?"`;
  expect(headers).toEqual({ 'www-authenticate': `Bearer ${where}, ${why}` });
  expect(surface.errorHeaders?.(new Failure('Forbidden', 'No.'))).toEqual({});
});

test('distinguishes a missing credential from a wrong one', () => {
  expect(surface.unauthenticated(false).code).toBe('AuthenticationFailed');
  expect(surface.unauthenticated(true).code).toBe('InvalidAuthenticationToken');
});

test.each([
  ['Unauthorized', 'AuthenticationFailed'],
  ['Forbidden', 'AuthorizationFailed'],
  ['NotFound', 'ResourceNotFound'],
  ['SubscriptionNotFound', 'SubscriptionNotFound'],
] as const)('%s is called %s, with the request ID', (code, called) => {
  const details = 'Request ID: r-1.';
  expect(surface.error(new Failure(code, 'Why.'), 'r-1')).toEqual({ code: called, message: 'Why.', details });
});

test('shows the remaining reads in the header that clients expect', () => {
  const left = surface.allowanceHeaders?.({ limit: 9, remaining: 7, reset: 60, exceeded: false });
  expect(left).toEqual({ 'x-ms-ratelimit-remaining-subscription-reads': 7 });
});
