import { Unreadable } from '../../../workers/unreadable.ts';
import { formatGuid, toBreakpadId } from './images.ts';

const STREAMS = { threads: 3, modules: 4, memory: 5, exception: 6, system: 7, memory64: 9, threadNames: 24 } as const;
const MAX_STREAMS = 1_000;
const MAX_MODULES = 10_000;
const MAX_THREADS = 1_000;
const MAX_REGIONS = 100_000;
const MAX_NAME = 1_024;
/** Maximum characters of all names together: many modules can point to one long name. */
const MAX_NAMES = 1_048_576;
/** Maximum characters of a file name, as in operating systems. */
const MAX_FILE_NAME = 255;
/** Maximum bytes of a build ID; linkers write at most 20. */
const MAX_BUILD_ID = 64;

export type Cpu = 'x86' | 'x86_64' | 'arm' | 'arm64';

/** Register values by Breakpad's names, for walking a stack. */
export type Registers = Map<string, bigint>;

export interface DumpModule {
  base: bigint;
  size: number;
  path: string;
  name: string;
  /** Breakpad ID. */
  id: string;
  buildId: string | undefined;
}

export interface DumpThread {
  id: number;
  name: string | undefined;
  registers: Registers;
  hasCrashed: boolean;
}

export interface Minidump {
  cpu: Cpu;
  os: string;
  osVersion: string;
  modules: DumpModule[];
  threads: DumpThread[];
  crash: { threadId: number; reason: string; address: bigint } | undefined;
  /** Reads a word of memory, if the dump contains it. */
  readWord(address: bigint): bigint | undefined;
}

const cpus: Readonly<Record<number, Cpu>> = { 0: 'x86', 5: 'arm', 9: 'x86_64', 12: 'arm64', 32771: 'arm64' };
const systems: Readonly<Record<number, string>> = {
  2: 'Windows',
  33025: 'macOS',
  33026: 'iOS',
  33281: 'Linux',
  33283: 'Android',
};

const signals: Readonly<Record<number, string>> = {
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  11: 'SIGSEGV',
  16: 'SIGSTKFLT',
  31: 'SIGSYS',
  4294967295: 'DUMP_REQUESTED',
};
const machExceptions: Readonly<Record<number, string>> = {
  1: 'EXC_BAD_ACCESS',
  2: 'EXC_BAD_INSTRUCTION',
  3: 'EXC_ARITHMETIC',
  5: 'EXC_SOFTWARE',
  6: 'EXC_BREAKPOINT',
  10: 'EXC_CRASH',
  12: 'EXC_GUARD',
};
const windowsExceptions: Readonly<Record<number, string>> = {
  2147483651: 'EXCEPTION_BREAKPOINT',
  3221225477: 'EXCEPTION_ACCESS_VIOLATION',
  3221225501: 'EXCEPTION_ILLEGAL_INSTRUCTION',
  3221225620: 'EXCEPTION_INT_DIVIDE_BY_ZERO',
  3221225725: 'EXCEPTION_STACK_OVERFLOW',
  3765269347: 'C++ exception',
};

function formatReason(os: string, code: number): string {
  const names = os === 'Windows' ? windowsExceptions : os === 'macOS' || os === 'iOS' ? machExceptions : signals;
  return names[code] ?? `0x${code.toString(16).padStart(8, '0')}`;
}

/** Offsets of registers in a thread context; only those needed for walking a stack. */
const registerPlaces: Readonly<Record<Cpu, readonly (readonly [name: string, offset: number])[]>> = {
  x86: [
    ['$edi', 0x9c],
    ['$esi', 0xa0],
    ['$ebx', 0xa4],
    ['$edx', 0xa8],
    ['$ecx', 0xac],
    ['$eax', 0xb0],
    ['$ebp', 0xb4],
    ['$eip', 0xb8],
    ['$esp', 0xc4],
  ],
  x86_64: [
    ...['$rax', '$rcx', '$rdx', '$rbx', '$rsp', '$rbp', '$rsi', '$rdi'],
    ...['$r8', '$r9', '$r10', '$r11', '$r12', '$r13', '$r14', '$r15', '$rip'],
  ].map((name, index) => [name, 0x78 + index * 8] as const),
  arm: [...Array.from({ length: 13 }, (_, index) => `r${index}`), 'sp', 'lr', 'pc'].map(
    (name, index) => [name, 4 + index * 4] as const,
  ),
  arm64: [...Array.from({ length: 29 }, (_, index) => `x${index}`), 'x29', 'x30', 'sp', 'pc'].map(
    (name, index) => [name, 8 + index * 8] as const,
  ),
};

export const wordSize = (cpu: Cpu): 4 | 8 => (cpu === 'x86' || cpu === 'arm' ? 4 : 8);

export const isMinidump = (head: Buffer): boolean => head.toString('latin1', 0, 4) === 'MDMP';

/** Reads the minidump of a crashed process; Breakpad's headers define the offsets. */
export function readMinidump(content: Buffer): Minidump {
  const slice = (at: number, length: number): Buffer => {
    if (at + length > content.length) throw new Unreadable('The minidump is truncated.');
    return content.subarray(at, at + length);
  };
  if (content.length < 32 || !isMinidump(content))
    throw new Unreadable('The file is not a minidump: it does not start with MDMP.');
  const count = content.readUInt32LE(8);
  if (count > MAX_STREAMS) throw new Unreadable(`The minidump has more than ${MAX_STREAMS} streams.`);
  const directory = slice(content.readUInt32LE(12), count * 12);
  const streams = new Map<number, Buffer>();
  for (let at = 0; at < directory.length; at += 12) {
    const type = directory.readUInt32LE(at);
    if (Object.values(STREAMS).some((known) => known === type)) {
      streams.set(type, slice(directory.readUInt32LE(at + 8), directory.readUInt32LE(at + 4)));
    }
  }
  const list = (stream: Buffer | undefined, size: number, most: number): Buffer[] => {
    if (!stream || stream.length < 4) return [];
    const count = stream.readUInt32LE(0);
    if (count > most) throw new Unreadable(`A list in the minidump has ${count} entries; the maximum is ${most}.`);
    // Some writers align the list to 8 bytes.
    const start = stream.length === 8 + count * size ? 8 : 4;
    if (stream.length < start + count * size) throw new Unreadable('The minidump is truncated.');
    return Array.from({ length: count }, (_, index) =>
      stream.subarray(start + index * size, start + (index + 1) * size),
    );
  };
  let nameChars = 0;
  const text = (at: number): string => {
    if (at === 0 || at + 4 > content.length) return '';
    const length = Math.min(content.readUInt32LE(at), MAX_NAME * 2, content.length - at - 4);
    nameChars += length / 2;
    if (nameChars > MAX_NAMES)
      throw new Unreadable(`The names of modules and threads in the minidump have more than ${MAX_NAMES} characters.`);
    return content.toString('utf16le', at + 4, at + 4 + length - (length % 2)).toWellFormed();
  };

  const system = streams.get(STREAMS.system);
  if (!system || system.length < 24) throw new Unreadable('The minidump does not name its operating system.');
  const cpu = cpus[system.readUInt16LE(0)];
  if (!cpu) throw new Unreadable(`The minidump is from an unsupported CPU (${system.readUInt16LE(0)}).`);
  const os = systems[system.readUInt32LE(20)] ?? 'unknown';

  const modules = list(streams.get(STREAMS.modules), 108, MAX_MODULES)
    .map((entry): DumpModule => {
      const path = text(entry.readUInt32LE(20));
      const record = slice(entry.readUInt32LE(80), Math.min(entry.readUInt32LE(76), 4096));
      const { id, buildId } = moduleId(record);
      return {
        base: entry.readBigUInt64LE(0),
        size: entry.readUInt32LE(8),
        path,
        name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).slice(0, MAX_FILE_NAME),
        id,
        buildId,
      };
    })
    .sort((one, other) => (one.base < other.base ? -1 : one.base > other.base ? 1 : 0));

  const regions: { start: bigint; content: Buffer }[] = [];
  const addRegion = (start: bigint, size: number, at: number): void => {
    if (size > 0 && at + size <= content.length) regions.push({ start, content: content.subarray(at, at + size) });
  };
  for (const entry of list(streams.get(STREAMS.memory), 16, MAX_REGIONS)) {
    addRegion(entry.readBigUInt64LE(0), entry.readUInt32LE(8), entry.readUInt32LE(12));
  }
  const memory64 = streams.get(STREAMS.memory64);
  if (memory64 && memory64.length >= 16) {
    let at = Number(memory64.readBigUInt64LE(8));
    const most = Math.min(Number(memory64.readBigUInt64LE(0)), MAX_REGIONS, (memory64.length - 16) / 16);
    for (let index = 0; index < most; index++) {
      const size = Number(memory64.readBigUInt64LE(16 + index * 16 + 8));
      addRegion(memory64.readBigUInt64LE(16 + index * 16), size, at);
      at += size;
    }
  }

  const crash = readCrash(streams.get(STREAMS.exception), os);
  const names = new Map(
    list(streams.get(STREAMS.threadNames), 12, MAX_THREADS).map((entry) => [
      entry.readUInt32LE(0),
      text(Number(entry.readBigUInt64LE(4))),
    ]),
  );
  const threads = list(streams.get(STREAMS.threads), 48, MAX_THREADS).map((entry): DumpThread => {
    const id = entry.readUInt32LE(0);
    const hasCrashed = crash?.threadId === id;
    addRegion(entry.readBigUInt64LE(24), entry.readUInt32LE(32), entry.readUInt32LE(36));
    // The context of the crash, not of the signal handler.
    const context =
      hasCrashed && crash.context ? crash.context : { size: entry.readUInt32LE(40), at: entry.readUInt32LE(44) };
    return { id, name: names.get(id), registers: readRegisters(slice(context.at, context.size), cpu), hasCrashed };
  });
  regions.sort((one, other) => (one.start < other.start ? -1 : one.start > other.start ? 1 : 0));

  const word = wordSize(cpu);
  return {
    cpu,
    os,
    osVersion: [8, 12, 16].map((at) => system.readUInt32LE(at)).join('.'),
    modules,
    threads,
    crash: crash && { threadId: crash.threadId, reason: crash.reason, address: crash.address },
    readWord(address) {
      const region = lastAtOrBefore(regions, address, ({ start }) => start);
      if (!region) return undefined;
      const at = Number(address - region.start);
      if (at + word > region.content.length) return undefined;
      return word === 8 ? region.content.readBigUInt64LE(at) : BigInt(region.content.readUInt32LE(at));
    },
  };
}

export function lastAtOrBefore<T>(sorted: readonly T[], address: bigint, of: (item: T) => bigint): T | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && of(item) <= address) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

/** `RSDS` contains a GUID and an age, `BpEL` the build ID of an ELF file. */
function moduleId(record: Buffer): { id: string; buildId: string | undefined } {
  const kind = record.length >= 4 ? record.readUInt32LE(0) : 0;
  if (kind === 0x53445352 && record.length >= 24) {
    const age = record.readUInt32LE(20);
    return {
      id: formatGuid(record.subarray(4, 20)).toUpperCase() + age.toString(16).toUpperCase(),
      buildId: undefined,
    };
  }
  if (kind === 0x4270454c && record.length > 4) {
    const bytes = record.subarray(4, 4 + MAX_BUILD_ID);
    return { id: toBreakpadId(bytes), buildId: bytes.toString('hex') };
  }
  return { id: '', buildId: undefined };
}

function readCrash(stream: Buffer | undefined, os: string) {
  if (!stream || stream.length < 168) return undefined;
  const size = stream.readUInt32LE(160);
  return {
    threadId: stream.readUInt32LE(0),
    reason: formatReason(os, stream.readUInt32LE(8)),
    address: stream.readBigUInt64LE(24),
    context: size > 0 ? { size, at: stream.readUInt32LE(164) } : undefined,
  };
}

function readRegisters(context: Buffer, cpu: Cpu): Registers {
  const size = wordSize(cpu);
  const registers: Registers = new Map();
  for (const [name, at] of registerPlaces[cpu]) {
    if (at + size > context.length) continue;
    registers.set(name, size === 8 ? context.readBigUInt64LE(at) : BigInt(context.readUInt32LE(at)));
  }
  return registers;
}
