import { describe, expect, test } from 'vitest';
import type { Actor } from '../context.ts';
import { createAnswerMemory } from './response-cache.ts';

const somebody = (): Actor => ({ kind: 'anonymous' });

describe('the memory of answers', () => {
  test('keeps an answer for the same actor and the same address only', () => {
    const memory = createAnswerMemory();
    const actor = somebody();
    memory.keep(actor, '/v0.1/apps', '[]');
    memory.keep(actor, '/v0.1/apps?$top=1', '[1]');
    expect(memory.find(actor, '/v0.1/apps')).toBe('[]');
    expect(memory.find(actor, '/v0.1/apps?$top=1')).toBe('[1]');
    expect(memory.find(actor, '/v0.1/apps?$top=2')).toBeUndefined();
    expect(memory.find(somebody(), '/v0.1/apps')).toBeUndefined();
  });

  test('starts anew rather than grow beyond its limit', () => {
    const memory = createAnswerMemory(10);
    const actor = somebody();
    memory.keep(actor, 'a', '123456');
    memory.keep(actor, 'b', '123456');
    expect([memory.find(actor, 'a'), memory.find(actor, 'b')]).toEqual([undefined, '123456']);
  });

  test('does not keep very long answers', () => {
    const memory = createAnswerMemory();
    const actor = somebody();
    memory.keep(actor, 'a', 'x'.repeat(300 * 1024));
    expect(memory.find(actor, 'a')).toBeUndefined();
  });
});
