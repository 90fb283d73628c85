import { describe, expect, test } from 'vitest';
import type { Actor } from '../context.ts';
import { createResponseCache } from './response-cache.ts';

const somebody = (): Actor => ({ kind: 'anonymous' });

describe('the cache of responses', () => {
  test('keeps a response for the same actor and the same address only', () => {
    const cache = createResponseCache();
    const asked = { actor: somebody(), url: '/v0.1/apps', version: 1 };
    const first = { ...asked, url: '/v0.1/apps?$top=1' };
    cache.keep(asked, '[]');
    cache.keep(first, '[1]');
    expect(cache.find(asked)).toBe('[]');
    expect(cache.find(first)).toBe('[1]');
    expect(cache.find({ ...asked, url: '/v0.1/apps?$top=2' })).toBeUndefined();
    expect(cache.find({ ...asked, actor: somebody() })).toBeUndefined();
  });

  test('forgets when the version moves, also what is only told after that', () => {
    const cache = createResponseCache();
    const before = { actor: somebody(), url: 'a', version: 1 };
    const after = { ...before, version: 2 };
    cache.keep(before, 'old');
    expect(cache.find(after)).toBeUndefined();
    cache.keep(after, 'new');
    expect(cache.find(after)).toBe('new');
    // Made before the change by a request that was slow.
    cache.keep(before, 'old');
    expect(cache.find(after)).toBeUndefined();
  });

  test('keeps nothing for a request that has no version', () => {
    const cache = createResponseCache();
    const asked = { actor: somebody(), url: 'a', version: Number.NaN };
    cache.keep(asked, 'text');
    expect(cache.find(asked)).toBeUndefined();
  });

  test('starts anew rather than grow beyond its limit', () => {
    const cache = createResponseCache(10);
    const a = { actor: somebody(), url: 'a', version: 1 };
    const b = { ...a, url: 'b' };
    cache.keep(a, '123456');
    cache.keep(b, '123456');
    expect([cache.find(a), cache.find(b)]).toEqual([undefined, '123456']);
  });

  test('does not keep very long responses', () => {
    const cache = createResponseCache();
    const asked = { actor: somebody(), url: 'a', version: 1 };
    cache.keep(asked, 'x'.repeat(300 * 1024));
    expect(cache.find(asked)).toBeUndefined();
  });
});
