import { expect, test } from 'vitest';
import {
  amd64Context,
  arm64Context,
  armContext,
  type DumpOptions,
  minidump,
  words32,
  words64,
} from '../../../../test/harness/images.ts';
import { indexBreakpad } from './breakpad.ts';
import { readMinidump } from './minidump.ts';
import { walkStack } from './stack-walk.ts';

const buildId = '00112233445566778899aabbccddeeff01234567';
const id = '33221100554477668899AABBCCDDEEFF0';
const base = 0x7000000000n;
const library = { base, size: 0x10000, path: '/data/app/org.example/lib/arm64/libshop.so', buildId };
const other = { base: 0x7100000000n, size: 0x1000, path: '/system/lib64/libc.so', guid: 'aa'.repeat(16), age: 10 };
const stackAt = 0x7fff0000n;

/** Three functions: one saves nothing, one moves the stack by 32, one keeps a frame pointer. */
const symbols = indexBreakpad(
  Buffer.from(`MODULE Linux x86_64 ${id} libshop.so
FUNC 1000 100 0 crash
FUNC 2000 100 0 pay
FUNC 3000 100 0 main
STACK CFI INIT 1000 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^
STACK CFI INIT 2000 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^
STACK CFI 2004 .cfa: $rsp 32 + $rbx: .cfa -16 + ^
`),
);

const createDump = (more: Partial<DumpOptions> & Pick<DumpOptions, 'threads'>) =>
  readMinidump(minidump({ modules: [other, library], ...more }));

function walk(dump: ReturnType<typeof readMinidump>, withSymbols = true) {
  const [thread] = dump.threads;
  const { frames, isCut } = walkStack(dump, thread?.registers ?? new Map(), ({ name }) =>
    withSymbols && name === 'libshop.so' ? symbols : undefined,
  );
  return { isCut, frames: frames.map(({ address, trust }) => [`0x${(address - base).toString(16)}`, trust]) };
}

test('reads the system, the modules with IDs, the threads and the crash reason of a minidump', () => {
  const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt });
  const threads = [
    { id: 7, context: amd64Context({ rip: 1n }), stack: { start: stackAt, content: words64(0n) } },
    { id: 8, context: amd64Context({ rip: 2n }), stack: { start: stackAt + 0x1000n, content: words64(5n) } },
  ];
  const dump = createDump({ threads, crash: { threadId: 7, code: 11, address: 0x10n, context } });
  expect(dump).toMatchObject({
    cpu: 'x86_64',
    os: 'Android',
    osVersion: '14.0.0',
    crash: { threadId: 7, reason: 'SIGSEGV', address: 0x10n },
  });
  expect(dump.modules.map(({ name, id, buildId }) => [name, id, buildId])).toEqual([
    ['libshop.so', id, buildId],
    ['libc.so', `${'AA'.repeat(16)}A`, undefined],
  ]);
  expect(dump.threads.map(({ id, hasCrashed, registers }) => [id, hasCrashed, registers.get('$rip')])).toEqual([
    [7, true, base + 0x1010n],
    [8, false, 2n],
  ]);
  expect([dump.readWord(stackAt + 0x1000n), dump.readWord(stackAt + 0x2000n)]).toEqual([5n, undefined]);
});

test('walks a stack with the unwind rules of the symbols, which also restore registers', () => {
  const stack = words64(base + 0x2010n, 0n, 0n, 0x55n, base + 0x3010n, 0n);
  const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt, rbx: 1n });
  expect(walk(createDump({ threads: [{ id: 1, context, stack: { start: stackAt, content: stack } }] }))).toEqual({
    isCut: false,
    frames: [
      ['0x1010', 'context'],
      ['0x200f', 'cfi'],
      ['0x300f', 'cfi'],
    ],
  });
});

test('without rules follows the frame pointer, and without that scans the stack for return addresses', () => {
  const stack = words64(0n, 9n, stackAt + 0x28n, base + 0x2010n, 0n, 0n, base + 0x3010n);
  const threads = (rbp: bigint) => [
    {
      id: 1,
      context: amd64Context({ rip: base + 0x3020n, rsp: stackAt, rbp }),
      stack: { start: stackAt, content: stack },
    },
  ];
  expect(walk(createDump({ threads: threads(stackAt + 0x10n) }), false).frames).toEqual([
    ['0x3020', 'context'],
    ['0x200f', 'frame-pointer'],
    ['0x300f', 'frame-pointer'],
  ]);
  expect(walk(createDump({ threads: threads(0n) }), false).frames).toEqual([
    ['0x3020', 'context'],
    ['0x200f', 'scan'],
    ['0x300f', 'frame-pointer'],
  ]);
});

test('a word outside of all functions is not a return address if the functions are known', () => {
  const stack = words64(base + 0x5000n, base + 0x3010n);
  const context = amd64Context({ rip: base + 0x3020n, rsp: stackAt });
  const dump = createDump({ threads: [{ id: 1, context, stack: { start: stackAt, content: stack } }] });
  expect(walk(dump).frames).toEqual([
    ['0x3020', 'context'],
    ['0x300f', 'scan'],
  ]);
  expect(walk(dump, false).frames[1]).toEqual(['0x4fff', 'scan']);
});

test('arm64 keeps the return address in a register, and signs it', () => {
  const signed = 0x1234_0000_0000_0000n | (base + 0x2010n);
  const stack = words64(0n, base + 0x3010n);
  const context = arm64Context({ pc: base + 0x100n, sp: stackAt, x29: stackAt, x30: signed });
  const leaf = indexBreakpad(Buffer.from(`FUNC 100 10 0 leaf\nSTACK CFI INIT 100 10 .cfa: sp 0 + .ra: x30\n`));
  const dump = createDump({ cpu: 12, threads: [{ id: 1, context, stack: { start: stackAt, content: stack } }] });
  const [thread] = dump.threads;
  const { frames } = walkStack(dump, thread?.registers ?? new Map(), () => leaf);
  expect(frames.map(({ address, trust }) => [address - base, trust])).toEqual([
    [0x100n, 'context'],
    [0x200fn, 'cfi'],
  ]);
  expect(walk(dump, false).frames).toEqual([
    ['0x100', 'context'],
    ['0x300f', 'frame-pointer'],
  ]);
});

test('follows a call to an invalid address back by the link register', () => {
  const context = arm64Context({ pc: 0n, sp: stackAt, x30: base + 0x2010n });
  const threads = [{ id: 1, context, stack: { start: stackAt, content: words64(0n) } }];
  expect(walk(createDump({ cpu: 0x8003, threads })).frames[1]).toEqual(['0x200f', 'link-register']);
});

test('follows a leaf function back by the link register, and any other by its frame', () => {
  const sym = indexBreakpad(Buffer.from('FUNC 100 10 0 leaf\nFUNC 2000 100 0 pay\nFUNC 3000 100 0 main\n'));
  const found = (pc: bigint, x30: bigint) => {
    const context = arm64Context({ pc: base + pc, sp: stackAt, x29: stackAt, x30: base + x30 });
    const stack = { start: stackAt, content: words64(0n, base + 0x3010n) };
    const dump = createDump({ cpu: 12, threads: [{ id: 1, context, stack }] });
    const { frames } = walkStack(dump, dump.threads[0]?.registers ?? new Map(), () => sym);
    return frames.map(({ address, trust }) => [(address - base).toString(16), trust]);
  };
  expect(found(0x104n, 0x2010n)).toEqual([
    ['104', 'context'],
    ['200f', 'link-register'],
    ['300f', 'frame-pointer'],
  ]);
  // The function has returned from a call, or has saved its return address.
  for (const link of [0x2008n, 0x3010n]) {
    expect(found(0x2010n, link)).toEqual([
      ['2010', 'context'],
      ['300f', 'frame-pointer'],
    ]);
  }
});

test('arm marks Thumb code in the lowest bit, which is not part of the address', () => {
  const low = { base: 0x40000000n, size: 0x10000, path: '/data/app/libshop.so', buildId };
  const context = armContext({ pc: 0x40000101n, sp: stackAt, r11: stackAt });
  const content = words32(0n, 0x40000201n);
  const dump = readMinidump(
    minidump({ cpu: 5, modules: [low], threads: [{ id: 1, context, stack: { start: stackAt, content } }] }),
  );
  const { frames } = walkStack(dump, dump.threads[0]?.registers ?? new Map(), () => undefined);
  expect(frames.map(({ address }) => address - 0x40000000n)).toEqual([0x100n, 0x1ffn]);
});

test('cuts an endless stack, and ends one whose stack pointer does not advance', () => {
  const deep = Buffer.concat(Array.from({ length: 5_000 }, () => words64(base + 0x1010n)));
  const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt });
  const { frames, isCut } = walk(
    createDump({ threads: [{ id: 1, context, stack: { start: stackAt, content: deep } }] }),
  );
  expect([frames.length, isCut]).toEqual([1024, true]);
  const circle = words64(stackAt, base + 0x3010n);
  const round = amd64Context({ rip: base + 0x3020n, rsp: stackAt, rbp: stackAt });
  const dump = createDump({ threads: [{ id: 1, context: round, stack: { start: stackAt, content: circle } }] });
  expect(walk(dump, false).frames).toHaveLength(2);
});

test('ignores invalid rules', () => {
  for (const rule of [
    '',
    '+',
    '$rsp ^ ^ ^ ^',
    '$rsp 0 /',
    '$nothing',
    `${'1 '.repeat(300)}`,
    '$rsp $rsp',
    '99999999999999999999',
  ]) {
    const broken = indexBreakpad(Buffer.from(`FUNC 1000 100 0 f\nSTACK CFI INIT 1000 100 .cfa: ${rule} .ra: .cfa ^\n`));
    const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt });
    const dump = createDump({ threads: [{ id: 1, context, stack: { start: stackAt, content: words64(1n) } }] });
    expect(walkStack(dump, dump.threads[0]?.registers ?? new Map(), () => broken).frames).toHaveLength(1);
  }
});

test('reads or refuses other, truncated and overwritten files with a clear message', () => {
  const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt });
  const file = minidump({
    modules: [library],
    threads: [{ id: 1, context, stack: { start: stackAt, content: words64(1n) } }],
    crash: { threadId: 1, code: 11, address: 0n, context },
  });
  expect(() => readMinidump(Buffer.from('MDMX'))).toThrow('The file is not a minidump');
  const names = new Set<string>();
  for (let at = 0; at < file.length; at += 4) {
    const broken = Buffer.from(file);
    broken.fill(0xff, at, Math.min(at + 4, file.length));
    for (const content of [broken, file.subarray(0, at)]) {
      try {
        const dump = readMinidump(content);
        for (const { registers } of dump.threads) walkStack(dump, registers, () => undefined);
      } catch (error) {
        names.add((error as Error).name);
      }
    }
  }
  expect([...names]).toEqual(['Unreadable']);
});
