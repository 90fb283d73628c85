import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('limits concurrent work, in the order of arrival, also after a failure', async () => {
  const whenFree = createSemaphore(2);
  const events: string[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = ends.map((end, n) =>
    whenFree(async () => {
      events.push(`begins ${n}`);
      await end.promise;
      events.push(`ends ${n}`);
      return n;
    }),
  );
  expect(events).toEqual(['begins 0', 'begins 1']);
  ends[1]?.reject(new Error('no'));
  await expect(all[1]).rejects.toThrow('no');
  expect(events).toEqual(['begins 0', 'begins 1', 'begins 2']);
  for (const { resolve } of ends) resolve();
  expect(await Promise.all([all[0], all[2], all[3]])).toEqual([0, 2, 3]);
  expect(events.slice(3).sort()).toEqual(['begins 3', 'ends 0', 'ends 2', 'ends 3']);
  expect(await whenFree(async () => 'later')).toBe('later');
});

test('rejects new work immediately when the queue is full, and the queue continues', async () => {
  const whenFree = createSemaphore(1, { longest: 2, full: () => new Error('full') });
  const end = Promise.withResolvers<void>();
  const running = whenFree(() => end.promise);
  const waiting = [whenFree(async () => 'first'), whenFree(async () => 'second')];
  await expect(whenFree(async () => 'third')).rejects.toThrow('full');
  end.resolve();
  await running;
  expect(await Promise.all(waiting)).toEqual(['first', 'second']);
  expect(await whenFree(async () => 'later')).toBe('later');
});
