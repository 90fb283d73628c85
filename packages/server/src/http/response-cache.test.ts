import { describe, expect, test } from 'vitest';
import type { Actor } from '../context.ts';
import { createResponseCache } from './response-cache.ts';

const somebody = (): Actor => ({ kind: 'anonymous' });
const asking = () => ({ actor: somebody(), url: '/v0.1/apps', versions: { grants: 1, responses: 1 } });

/** A cache that was asked in vain before, as it always is. */
function cacheFor(asked: ReturnType<typeof asking>, maxTotal?: number) {
  const cache = createResponseCache(maxTotal);
  expect(cache.find(asked)).toBeUndefined();
  return cache;
}

describe('the cache of responses', () => {
  test('keeps a response for the same actor and the same address only', () => {
    const asked = asking();
    const cache = cacheFor(asked);
    const first = { ...asked, url: '/v0.1/apps?$top=1' };
    cache.keep(asked, '[]');
    cache.keep(first, '[1]');
    expect(cache.find(asked)).toBe('[]');
    expect(cache.find(first)).toBe('[1]');
    expect(cache.find({ ...asked, url: '/v0.1/apps?$top=2' })).toBeUndefined();
    expect(cache.find({ ...asked, actor: somebody() })).toBeUndefined();
    expect(cache.find({ ...asked, base: 'http://localhost:8080' })).toBeUndefined();
    cache.keep({ ...asked, base: 'http://localhost:8080' }, '[local]');
    expect(cache.find({ ...asked, base: 'http://localhost:8080' })).toBe('[local]');
    expect(cache.find(asked)).toBe('[]');
  });

  test.each(['grants', 'responses'])(
    'forgets when the version of %s moves, also what is only told after that',
    (name) => {
      const before = asking();
      const cache = cacheFor(before);
      const after = { ...before, versions: { ...before.versions, [name]: 2 } };
      cache.keep(before, 'old');
      expect(cache.find(after)).toBeUndefined();
      // Made before the change by a request that was slow.
      cache.keep(before, 'old');
      expect(cache.find(after)).toBeUndefined();
      cache.keep(after, 'new');
      cache.keep(before, 'old');
      expect(cache.find(after)).toBe('new');
      expect(cache.find(before)).toBeUndefined();
    },
  );

  test('keeps nothing for a request that has no versions', () => {
    const asked = asking();
    const cache = cacheFor(asked);
    cache.keep({ ...asked, versions: undefined }, 'text');
    expect([cache.find({ ...asked, versions: undefined }), cache.find(asked)]).toEqual([undefined, undefined]);
  });

  test('starts anew rather than grow beyond its limit', () => {
    const a = asking();
    const cache = cacheFor(a, 10);
    const b = { ...a, url: 'b' };
    cache.keep(a, '123456');
    cache.keep(b, '123456');
    expect([cache.find(a), cache.find(b)]).toEqual([undefined, '123456']);
  });

  test('does not keep very long responses', () => {
    const asked = asking();
    const cache = cacheFor(asked);
    cache.keep(asked, 'x'.repeat(300 * 1024));
    expect(cache.find(asked)).toBeUndefined();
  });
});
