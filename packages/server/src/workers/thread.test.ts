import { expect, test } from 'vitest';
import { runInThread } from './thread.ts';
import { Unreadable } from './unreadable.ts';

const moduleOf = (code: string) => new URL(`data:text/javascript,export default ${encodeURIComponent(code)}`);
const limits = { seconds: 60, memoryMb: 32 };

test('a thread gets its input and gives back what it made of it', async () => {
  expect(await runInThread(moduleOf('async ({ n }) => ({ twice: n * 2 })'), { n: 21 }, limits)).toEqual({ twice: 42 });
});

test('what never ends is ended', async () => {
  const endless = runInThread(moduleOf('() => { for (;;); }'), {}, { ...limits, seconds: 0.5 });
  await expect(endless).rejects.toEqual(new Unreadable('It takes longer than 0.5 seconds to read.'));
});

test('what takes too much memory is ended, and nothing else is', async () => {
  const hungry = runInThread(moduleOf('() => { const all = []; for (;;) all.push({ n: all.length }); }'), {}, limits);
  await expect(hungry).rejects.toEqual(new Unreadable('It takes more than 32 MiB of memory to read.'));
});

test('a fault of ours is told as one, and so is a thread that goes away', async () => {
  await expect(runInThread(moduleOf('() => nowhere()'), {}, limits)).rejects.toThrow('nowhere is not defined');
  await expect(runInThread(moduleOf('() => process.exit(3)'), {}, limits)).rejects.toThrow('ended with 3');
});

test('a thread ends when its request is canceled', async () => {
  const request = new AbortController();
  const endless = runInThread(moduleOf('() => { for (;;); }'), {}, { ...limits, signal: request.signal });
  request.abort();
  await expect(endless).rejects.toThrow('Canceled');
  const late = runInThread(moduleOf('() => 1'), {}, { ...limits, signal: request.signal });
  await expect(late).rejects.toThrow('Canceled');
});
