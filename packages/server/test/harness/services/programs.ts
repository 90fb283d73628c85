import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readMachO } from '../../../src/domains/symbols/formats/mach-o.ts';
import { bufferSource } from '../../../src/domains/symbols/formats/source.ts';
import { findProgram } from '../../../src/workers/index.ts';

const clang = findProgram(['clang-19', 'clang-18', 'clang-17', 'clang-16', 'clang-15', 'clang-14', 'clang']);
const [, suffix = ''] = /clang(-\d+)?$/.exec(clang ?? '') ?? [];
const tools = [`ld64.lld${suffix}`, `dsymutil${suffix}`, `llvm-nm${suffix}`, `llvm-symbolizer${suffix}`].map((name) =>
  findProgram([name]),
);
export const hasToolchain = clang !== undefined && tools.every((tool) => tool !== undefined);
if (!hasToolchain) process.stdout.write('Programs are not compiled for symbols: install clang, lld and llvm.\n');

const source = `volatile int *nowhere = 0;
static inline __attribute__((always_inline)) int price_round(int price) {
  return *nowhere + price;
}
__attribute__((noinline)) int cart_pay(int price) {
  int rounded = price_round(price);
  return rounded + 1;
}
int main(int count, char **words) {
  int paid = cart_pay(count);
  return paid + 2;
}
`;
const libSystem = `--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos ]
install-name: /usr/lib/libSystem.B.dylib
exports:
  - targets: [ arm64-macos ]
    symbols: [ dyld_stub_binder ]
...
`;

/** A small shop app for Apple with its dSYM, and a library for Android with a build ID, both built by real tools. */
export function compileShop() {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-programs-'));
  const [ld64 = '', dsymutil = '', nm = ''] = tools;
  const at = (name: string) => path.join(folder, name);
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
  writeFileSync(at('cart.c'), source);
  mkdirSync(at('sdk/usr/lib'), { recursive: true });
  writeFileSync(at('sdk/usr/lib/libSystem.tbd'), libSystem);
  run(clang ?? '', '--target=arm64-apple-macos12', '-g', '-O1', '-c', 'cart.c', '-o', 'cart.o');
  run(
    ld64,
    '-arch',
    'arm64',
    '-platform_version',
    'macos',
    '12.0',
    '12.0',
    '-syslibroot',
    'sdk',
    '-lSystem',
    '-o',
    'Shop',
    'cart.o',
  );
  run(dsymutil, 'Shop', '-o', 'Shop.dSYM');
  const linker = findProgram([`ld.lld${suffix}`]) ?? 'lld';
  run(
    clang ?? '',
    '--target=aarch64-linux-android24',
    '-g',
    '-O1',
    '-fPIC',
    '-shared',
    '-nostdlib',
    `--ld-path=${linker}`,
    '-Wl,--build-id=sha1',
    'cart.c',
    '-o',
    'libcart.so',
  );
  return {
    read: (name: 'Shop' | 'libcart.so') => readFileSync(at(name)),
    readDwarf: () => readFileSync(at('Shop.dSYM/Contents/Resources/DWARF/Shop')),
    getAddress: (file: 'Shop' | 'libcart.so', name: string): number =>
      Number.parseInt(
        run(nm, file)
          .split('\n')
          .find((line) => line.endsWith(` T ${name}`))
          ?.split(' ')[0] ?? '',
        16,
      ),
    /** In hexadecimal, as in dSYMs. */
    machOId: (name: 'Shop'): string => readMachO(bufferSource(readFileSync(at(name))))[0]?.id ?? '',
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
