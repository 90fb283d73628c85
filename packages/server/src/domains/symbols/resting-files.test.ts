import { expect, test } from 'vitest';
import type { Deps } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import type { Share } from '../../workers/index.ts';
import { WorkerLimit } from '../../workers/index.ts';
import { read } from './reading.ts';

/** A process whose questions take as long as the test says. */
function withProcess(answer: () => { ms: number; error?: Error }) {
  let now = 0;
  const asked: string[] = [];
  const ask = async (_question: unknown, { owner, beforeStart, afterEnd }: Share) => {
    beforeStart?.();
    asked.push(owner);
    const { ms, error } = answer();
    afterEnd?.(ms);
    if (error) throw error;
    return [];
  };
  const ctx = { clock: { now: () => now }, workers: { process: () => ({ ask }) }, jobOwner: 'ada' };
  return {
    asked,
    advance: (ms: number) => {
      now += ms;
    },
    find: (file: string) => read(ctx as unknown as Deps, 'breakpad', { file, offsets: [1], maxChars: 1_000 }),
  };
}

test('a file that took long is not read for a while, though it was read', async () => {
  const { asked, advance, find } = withProcess(() => ({ ms: 25_000 }));
  expect(await find('slow.sym')).toEqual([]);
  await expect(find('slow.sym')).rejects.toThrow('It took 25 s; it is read again in 10 minutes.');
  await find('other.sym');
  advance(11 * MINUTE);
  await find('slow.sym');
  expect(asked).toEqual(['ada', 'ada', 'ada']);
});

test('a file that passed a limit is not read for a while, and its rest is not prolonged by questions', async () => {
  const { asked, advance, find } = withProcess(() => ({ ms: 5, error: new WorkerLimit('It took more than 1 MB.') }));
  await expect(find('large.sym')).rejects.toThrow('1 MB');
  advance(6 * MINUTE);
  await expect(find('large.sym')).rejects.toThrow('1 MB');
  expect(asked).toHaveLength(1);
  advance(6 * MINUTE);
  await expect(find('large.sym')).rejects.toThrow('1 MB');
  expect(asked).toHaveLength(2);
});
