import { closeSync, openSync, readFileSync } from 'node:fs';
import { serveRequests } from '../../workers/serve-requests.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import { type BreakpadSymbols, indexBreakpad } from './formats/breakpad.ts';
import { collectSymbols } from './formats/collect.ts';
import { readDartSymbols } from './formats/dart-symbols.ts';
import { readElfFunctions } from './formats/elf.ts';
import { readLineMappings } from './formats/il2cpp.ts';
import { readMachOFunctions } from './formats/mach-o.ts';
import { readMinidump } from './formats/minidump.ts';
import { readPortablePdb } from './formats/portable-pdb.ts';
import { indexMapping, type RetracedFrame } from './formats/proguard.ts';
import { fileSource, windowed } from './formats/source.ts';
import { readSourceMap } from './formats/source-map.ts';
import { walkStack } from './formats/stack-walk.ts';
import { createNameBudget, cutNames, MAX_NAME } from './name-budget.ts';
import type { ReadingRequest, Readings } from './reading.ts';

/** Cache for files in memory; the least recently used are evicted first. */
const MAX_CACHE_BYTES = 512 * 2 ** 20;
const cache = new Map<string, { value: unknown; bytes: number }>();

function remember<T extends { readonly bytes: number }>(file: string, read: (content: Buffer) => T): T {
  const found = cache.get(file) ?? { value: read(readFileSync(file)), bytes: 0 };
  cache.delete(file);
  const value = found.value as T;
  cache.set(file, { value, bytes: value.bytes });
  let sum = [...cache.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [other, { bytes }] of cache) {
    if (sum <= MAX_CACHE_BYTES || other === file) break;
    cache.delete(other);
    sum -= bytes;
  }
  return value;
}

const MAX_DUMP = 64 * 2 ** 20;
const MAX_WALKED_FRAMES = 8_000;

function readDump(file: string) {
  const content = readFileSync(file);
  if (content.length > MAX_DUMP) throw new Unreadable(`The minidump is larger than ${MAX_DUMP / 2 ** 20} MB.`);
  return readMinidump(content);
}

const work: Readings = {
  collect: (input) => collectSymbols(input),
  breakpad: ({ file, offsets, maxChars }) => {
    const symbols = remember(file, indexBreakpad);
    const budget = createNameBudget(maxChars);
    const locations = offsets.map((offset) => (budget.isCut ? [] : budget.take(symbols.find(offset).map(cutNames))));
    return { locations, isCut: budget.isCut };
  },
  functions({ file, format, id, addresses, maxChars }) {
    const handle = openSync(file, 'r');
    try {
      const source = windowed(fileSource(handle));
      const functions = format === 'elf' ? readElfFunctions(source) : readMachOFunctions(source, id);
      const budget = createNameBudget(maxChars);
      const locations = addresses.map((address) => {
        const location = budget.isCut ? undefined : functions.find(BigInt(address));
        return budget.take(location ? [cutNames(location)] : []);
      });
      return { locations, isCut: budget.isCut };
    } finally {
      closeSync(handle);
    }
  },
  retrace({ file, stacks, types, maxChars }) {
    const mapping = remember(file, indexMapping);
    const budget = createNameBudget(maxChars);
    const bound = (chain: RetracedFrame[] | undefined): RetracedFrame[] | undefined => {
      if (!chain || chain.length === 0) return chain;
      const taken = budget.take(chain.map(cutNames));
      return taken.length > 0 ? taken : undefined;
    };
    return {
      stacks: stacks.map(({ frames, thrown }) => mapping.retrace(frames, thrown).map(bound)),
      types: types.map((type) => mapping.retraceClass(type)?.slice(0, MAX_NAME)),
      isCut: budget.isCut,
    };
  },
  map({ file, frames, maxChars }) {
    const map = remember(file, readSourceMap);
    const budget = createNameBudget(maxChars);
    const locations = frames.map((frame) => {
      const location = budget.isCut ? undefined : map.find(frame);
      return location && budget.take([cutNames(location)])[0];
    });
    return { locations, isCut: budget.isCut };
  },
  methods({ file, frames, maxChars }) {
    const handle = openSync(file, 'r');
    try {
      const pdb = readPortablePdb(windowed(fileSource(handle)));
      const budget = createNameBudget(maxChars);
      const locations = frames.map(({ method, offset }) => {
        const location = budget.isCut ? undefined : pdb.find(method, offset);
        return location && budget.take([cutNames(location)])[0];
      });
      return { locations, isCut: budget.isCut };
    } finally {
      closeSync(handle);
    }
  },
  restore({ file, types }) {
    const symbols = remember(file, readDartSymbols);
    return types.map((type) => symbols.restore(type)?.slice(0, MAX_NAME).toWellFormed());
  },
  generated({ file, frames, maxChars }) {
    const mappings = remember(file, readLineMappings);
    const budget = createNameBudget(maxChars);
    const locations = frames.map((frame) => {
      const location = budget.isCut ? undefined : mappings.find(frame.file, frame.line);
      return location && budget.take([cutNames(location)])[0];
    });
    return { locations, isCut: budget.isCut };
  },
  modules: ({ file }) => readDump(file).modules.map(({ id, buildId, name }) => ({ id, buildId, name })),
  walk({ file, symbols }) {
    const dump = readDump(file);
    const read = new Map<string, BreakpadSymbols | undefined>();
    const getSymbols = ({ id }: { id: string }): BreakpadSymbols | undefined => {
      if (!read.has(id)) read.set(id, symbols[id] === undefined ? undefined : remember(symbols[id], indexBreakpad));
      return read.get(id);
    };
    let left = MAX_WALKED_FRAMES;
    // The crashed thread first, independent of the limit for others.
    const order = [...dump.threads].sort((one, other) => Number(other.hasCrashed) - Number(one.hasCrashed));
    const walked = new Map(
      order.map((thread) => {
        const stack = walkStack(dump, thread.registers, getSymbols, Math.max(1, Math.min(1_024, left)));
        left -= stack.frames.length;
        return [thread, stack];
      }),
    );
    const hex = (value: bigint): string => `0x${value.toString(16)}`;
    const places = new Map(dump.modules.map((module, index) => [module, index]));
    return {
      cpu: dump.cpu,
      os: dump.os,
      osVersion: dump.osVersion,
      reason: dump.crash?.reason,
      address: dump.crash && hex(dump.crash.address),
      modules: dump.modules.map(({ id, buildId, name, path, base, size }) => ({
        id,
        buildId,
        name,
        path,
        start: hex(base),
        end: hex(base + BigInt(size) - 1n),
      })),
      threads: dump.threads.map((thread) => {
        const { frames = [], isCut = false } = walked.get(thread) ?? {};
        return {
          id: thread.id,
          name: thread.name ?? '',
          hasCrashed: thread.hasCrashed,
          isCut,
          registers: thread.hasCrashed
            ? Object.fromEntries([...thread.registers].map(([name, value]) => [name.replace('$', ''), hex(value)]))
            : {},
          frames: frames.map(({ address, module, trust }) => ({
            address: hex(address),
            // An index, because repeating module names at every frame could take any amount of memory.
            module: module && places.get(module),
            offset: module && Number(address - module.base),
            trust,
          })),
        };
      }),
    };
  },
};

serveRequests(({ name, input }: ReadingRequest) => (work[name] as (input: unknown) => unknown)(input));
