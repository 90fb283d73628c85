import { describe, expect, test } from 'vitest';
import type { Actor } from '../../context.ts';
import { createResponseCache } from './response-cache.ts';

const createActor = (): Actor => ({ kind: 'anonymous' });
const createCacheRequest = () => ({ actor: createActor(), url: '/v0.1/apps', versions: { grants: 1, responses: 1 } });

/** A cache after a first miss, as in production. */
function cacheFor(request: ReturnType<typeof createCacheRequest>, maxTotal?: number) {
  const cache = createResponseCache(maxTotal);
  expect(cache.find(request)).toBeUndefined();
  return cache;
}

describe('the cache of responses', () => {
  test('caches a response for the same actor and address only', () => {
    const request = createCacheRequest();
    const cache = cacheFor(request);
    const first = { ...request, url: '/v0.1/apps?$top=1' };
    cache.set(request, '[]');
    cache.set(first, '[1]');
    expect(cache.find(request)).toBe('[]');
    expect(cache.find(first)).toBe('[1]');
    expect(cache.find({ ...request, url: '/v0.1/apps?$top=2' })).toBeUndefined();
    expect(cache.find({ ...request, actor: createActor() })).toBeUndefined();
    expect(cache.find({ ...request, base: 'http://localhost:8080' })).toBeUndefined();
    cache.set({ ...request, base: 'http://localhost:8080' }, '[local]');
    expect(cache.find({ ...request, base: 'http://localhost:8080' })).toBe('[local]');
    expect(cache.find(request)).toBe('[]');
  });

  test.each(['grants', 'responses'])(
    'drops all responses when the version of %s changes, and does not cache late ones',
    (name) => {
      const before = createCacheRequest();
      const cache = cacheFor(before);
      const after = { ...before, versions: { ...before.versions, [name]: 2 } };
      cache.set(before, 'old');
      expect(cache.find(after)).toBeUndefined();
      // Created before the change by a slow request.
      cache.set(before, 'old');
      expect(cache.find(after)).toBeUndefined();
      cache.set(after, 'new');
      cache.set(before, 'old');
      expect(cache.find(after)).toBe('new');
      expect(cache.find(before)).toBeUndefined();
    },
  );

  test('caches nothing for a request without versions', () => {
    const request = createCacheRequest();
    const cache = cacheFor(request);
    cache.set({ ...request, versions: undefined }, 'text');
    expect([cache.find({ ...request, versions: undefined }), cache.find(request)]).toEqual([undefined, undefined]);
  });

  test('clears itself instead of exceeding its limit', () => {
    const a = createCacheRequest();
    const cache = cacheFor(a, 10);
    const b = { ...a, url: 'b' };
    cache.set(a, '123456');
    cache.set(b, '123456');
    expect([cache.find(a), cache.find(b)]).toEqual([undefined, '123456']);
  });

  test('does not keep very long responses', () => {
    const request = createCacheRequest();
    const cache = cacheFor(request);
    cache.set(request, 'x'.repeat(300 * 1024));
    expect(cache.find(request)).toBeUndefined();
  });
});
