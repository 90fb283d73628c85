import { expect, test } from 'vitest';
import type { Deps } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import type { Share } from '../../workers/index.ts';
import { WorkerLimit } from '../../workers/index.ts';
import { read } from './reading.ts';

/** A process whose requests take as long as the test says. */
function withProcess(respond: () => { ms: number; error?: Error }) {
  let now = 0;
  const owners: string[] = [];
  const request = async (_request: unknown, { owner, beforeStart, afterEnd }: Share) => {
    beforeStart?.();
    owners.push(owner);
    const { ms, error } = respond();
    afterEnd?.(ms);
    if (error) throw error;
    return [];
  };
  const ctx = { clock: { now: () => now }, workers: { process: () => ({ request }) }, jobOwner: 'ada' };
  return {
    owners,
    advance: (ms: number) => {
      now += ms;
    },
    find: (file: string) => read(ctx as unknown as Deps, 'breakpad', { file, offsets: [1], maxChars: 1_000 }),
  };
}

test('skips a file for a while after slow reading, even if it succeeded', async () => {
  const { owners, advance, find } = withProcess(() => ({ ms: 25_000 }));
  expect(await find('slow.sym')).toEqual([]);
  await expect(find('slow.sym')).rejects.toThrow('Reading the file took 25 s; the next attempt is in 10 minutes.');
  await find('other.sym');
  advance(11 * MINUTE);
  await find('slow.sym');
  expect(owners).toEqual(['ada', 'ada', 'ada']);
});

test('skips a file for a while after it exceeded a limit; requests do not extend that time', async () => {
  const { owners, advance, find } = withProcess(() => ({ ms: 5, error: new WorkerLimit('It took more than 1 MB.') }));
  await expect(find('large.sym')).rejects.toThrow('1 MB');
  advance(6 * MINUTE);
  await expect(find('large.sym')).rejects.toThrow('1 MB');
  expect(owners).toHaveLength(1);
  advance(6 * MINUTE);
  await expect(find('large.sym')).rejects.toThrow('1 MB');
  expect(owners).toHaveLength(2);
});
