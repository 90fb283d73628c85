import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { hostileDumps, hostileSymbols, hostileZips, repeatingDump } from '../../../../test/harness/hostile-files.ts';
import type { Deps } from '../../../context.ts';
import { createWorkers } from '../../../workers/index.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { read } from '../reading.ts';
import { collectSymbols } from './collect.ts';
import { readElf } from './elf.ts';
import { readMinidump } from './minidump.ts';
import { bufferSource } from './source.ts';

const workers = createWorkers(pino({ enabled: false }));
afterAll(() => workers.close());
const ctx = { workers, clock: { now: () => 0 }, jobOwner: 'ada' } as unknown as Deps;

function toFile(content: Buffer | string): { file: string; folder: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'upload');
  writeFileSync(file, content);
  return { file, folder };
}

test.each(hostileSymbols().map((one) => [one.shape, one] as const))(
  'refuses %s',
  async (_, { type, name, content }) => {
    await expect(collectSymbols({ ...toFile(content), name, type })).rejects.toBeInstanceOf(Unreadable);
  },
);

test.each(hostileZips().map((one) => [one.shape, one.content] as const))(
  'refuses an archive with %s',
  async (_, content) => {
    const upload = { ...toFile(content), name: 'symbols.zip', type: 'Breakpad' } as const;
    await expect(collectSymbols(upload)).rejects.toBeInstanceOf(Unreadable);
  },
);

test.each(hostileDumps().map((one) => [one.shape, one.content] as const))(
  'refuses a minidump with %s',
  (_, content) => {
    expect(() => readMinidump(content)).toThrow(Unreadable);
  },
);

/** Reads only a few times as many bytes as the file has. */
test('does not read overlapping sections repeatedly', () => {
  const [notes] = hostileSymbols().filter(({ shape }) => shape.includes('notes over the same bytes'));
  const source = bufferSource(notes?.content ?? Buffer.alloc(0));
  let sum = 0;
  const counted = {
    size: source.size,
    read: (offset: number, length: number) => {
      sum += length;
      return source.read(offset, length);
    },
  };
  expect(readElf(counted)).toBeUndefined();
  expect(sum).toBeLessThan(source.size * 2);
});

/** Characters of all texts in a result. */
const measure = (value: unknown): number => JSON.stringify(value).length;

test('does not repeat module names at each frame of a minidump', async () => {
  const { file } = toFile(repeatingDump({ modules: 1_000, threads: 1_000, nameChars: 1_000, idBytes: 4_000 }));
  const walked = await read(ctx, 'walk', { file, symbols: {} });
  const count = walked.threads.reduce((sum, { frames }) => sum + frames.length, 0);
  expect(count).toBeGreaterThan(1_000);
  expect(measure(walked.threads) / count).toBeLessThan(250);
  expect(walked.modules[0]?.name).toHaveLength(255);
  expect(walked.modules[0]?.buildId).toHaveLength(128);
});

test('limits the names in a report, even if symbols expand one frame to many', async () => {
  const long = 'n'.repeat(15_000);
  const inlined = Array.from({ length: 200 }, (_, depth) => `INLINE ${depth} 1 0 0 1000 100`).join('\n');
  const text = `MODULE Linux x86_64 33221100554477668899AABBCCDDEEFF0 lib.so\nFILE 0 ${long}\nINLINE_ORIGIN 0 ${long}\nFUNC 1000 100 0 ${long}\n${inlined}\n1000 100 1 0\n`;
  const { file } = toFile(text);
  // More frames than can be named within the time limit of the process.
  const offsets = Array.from({ length: 100_000 }, () => 0x1000);
  const { locations, isCut } = await read(ctx, 'breakpad', { file, offsets, maxChars: 1_000_000 });
  expect([isCut, locations.length, locations[0]?.length, locations.at(-1)]).toEqual([true, 100_000, 201, []]);
  expect(locations[0]?.[0]?.method).toHaveLength(1_000);
  expect(measure(locations.filter(({ length }) => length > 0))).toBeLessThan(1_000_000);
});

test('limits the frame names from a mapping and a source map', async () => {
  const long = 'c'.repeat(7_000);
  const mapping = toFile(`${long} -> a:\n    1:1:void ${long}():1:1 -> b\n`);
  const frames = Array.from({ length: 1_000 }, () => ({ className: 'a', method: 'b', line: 1 }));
  const retraced = await read(ctx, 'retrace', {
    file: mapping.file,
    stacks: [{ frames }],
    types: ['a'],
    maxChars: 10_000,
  });
  expect([retraced.isCut, retraced.stacks[0]?.filter((chain) => chain).length]).toEqual([true, 3]);
  const map = toFile(
    JSON.stringify({
      version: 3,
      sources: ['s'.repeat(100_000)],
      names: [],
      mappings: 'AAAA',
      file: 'f'.repeat(9_999),
    }),
  );
  const positions = Array.from({ length: 1_000 }, () => ({ line: 1, column: 1, isOffset: false }));
  const mapped = await read(ctx, 'map', { file: map.file, frames: positions, maxChars: 10_000 });
  expect([mapped.isCut, mapped.locations.filter((location) => location).length]).toEqual([true, 8]);
  const collected = await collectSymbols({ ...map, name: 'index.map', type: 'JavaScript' });
  expect(collected.symbols[0]?.name).toHaveLength(1_000);
});
