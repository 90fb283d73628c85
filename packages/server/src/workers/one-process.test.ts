import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runInProcess } from './one-process.ts';
import { Unreadable } from './unreadable.ts';

const toModule = (code: string) => new URL(`data:text/javascript,export default ${encodeURIComponent(code)}`);
const limits = { seconds: 60, memoryMb: 96 };
const isLimited = existsSync('/usr/bin/prlimit');

test('receives its input and returns its result, without the settings of the server', async () => {
  process.env.MOORING_SECRET = 'x';
  const code = 'async ({ bytes }) => ({ twice: Buffer.concat([bytes, bytes]), names: Object.keys(process.env) })';
  const { twice, names } = await runInProcess<{ twice: Uint8Array; names: string[] }>(
    toModule(code),
    { bytes: Buffer.from('ab') },
    limits,
  );
  delete process.env.MOORING_SECRET;
  expect(Buffer.from(twice).toString()).toBe('abab');
  expect(names.filter((name) => !name.startsWith('NODE_'))).toEqual(['TZ']);
});

test('stops work that never ends', async () => {
  const endless = runInProcess(toModule('() => { for (;;); }'), {}, { ...limits, seconds: 2 });
  await expect(endless).rejects.toEqual(new Unreadable('Reading it takes longer than 2 seconds.'));
});

test('ends if objects exceed the memory limit', async () => {
  const code = '() => { const all = []; for (;;) all.push({ n: all.length }); }';
  const hungry = runInProcess(toModule(code), {}, limits);
  await expect(hungry).rejects.toEqual(new Unreadable('Reading it takes more than 96 MiB of memory.'));
});

test.runIf(isLimited)('limits buffers, too, which JavaScript does not count', async () => {
  const code =
    '() => { const all = []; for (let n = 0; n < 100; n += 1) all.push(Buffer.alloc(4194304, 1)); return all.length; }';
  const hungry = runInProcess(toModule(code), {}, limits);
  await expect(hungry).rejects.toEqual(new Unreadable('Reading it takes more than 96 MiB of memory.'));
});

test('reports an internal error, and a process that ends early', async () => {
  await expect(runInProcess(toModule('() => nowhere()'), {}, limits)).rejects.toThrow('nowhere is not defined');
  await expect(runInProcess(toModule('() => process.exit(3)'), {}, limits)).rejects.toThrow('ended early with 3');
});

test('ends when its request is canceled', async () => {
  const request = new AbortController();
  const endless = runInProcess(toModule('() => { for (;;); }'), {}, { ...limits, signal: request.signal });
  request.abort();
  await expect(endless).rejects.toThrow('Canceled');
});
