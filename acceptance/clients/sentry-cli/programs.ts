import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Real libraries for Linux, macOS and Windows, made from one source by clang and its linkers. */

const source = `
volatile int total;
__attribute__((noinline)) int cart_pay(int items) {
  total += items;
  return total / items;
}
int start(int items) {
  return cart_pay(items) + 1;
}
`;
const PAY_LINE = 4;

const stub = `--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
exports:
  - targets: [ arm64-macos ]
    symbols: [ dyld_stub_binder ]
...
`;

const tools = ['clang-19', 'ld.lld-19', 'ld64.lld-19', 'lld-link-19', 'dsymutil-19', 'llvm-nm-19', 'llvm-pdbutil-19'];
const folders = (process.env.PATH ?? '').split(path.delimiter);
export const hasToolchain = tools.every((tool) => folders.some((folder) => existsSync(path.join(folder, tool))));
if (!hasToolchain) process.stdout.write('Libraries are not compiled: install clang-19, lld-19 and llvm-19.\n');

export interface Program {
  /** Files to upload. */
  files: string[];
  /** The library as devices load it. */
  library: string;
  type: 'elf' | 'macho' | 'pe';
  platform: 'native' | 'cocoa';
  debugId: string;
  /** Offset of the function `cart_pay` in the loaded library. */
  offset: number;
}

export { PAY_LINE };

/** Builds the libraries in a folder. */
export function buildPrograms(folder: string, describe: (file: string) => string): Program[] {
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const at = (name: string): string => path.join(folder, name);
  writeFileSync(at('cart.c'), source);
  writeFileSync(at('libSystem.tbd'), stub);

  run('clang-19', '--target=x86_64-linux-gnu', '-g', '-O1', '-c', 'cart.c', '-o', 'elf.o', '-fPIC');
  run('ld.lld-19', '-shared', '--build-id=sha1', 'elf.o', '-o', 'libcart.so');

  run('clang-19', '--target=arm64-apple-macos12', '-g', '-O1', '-c', 'cart.c', '-o', 'macho.o');
  const mac = ['-dylib', '-arch', 'arm64', '-platform_version', 'macos', '12.0', '12.0', 'macho.o', 'libSystem.tbd'];
  run('ld64.lld-19', ...mac, '-o', 'libcart.dylib');
  run('dsymutil-19', 'libcart.dylib', '-o', 'libcart.dylib.dSYM');

  run('clang-19', '--target=x86_64-pc-windows-msvc', '-g', '-gcodeview', '-O1', '-c', 'cart.c', '-o', 'cart.obj');
  const windows = ['/nologo', '/dll', '/noentry', '/debug', '/export:start', '/nodefaultlib', 'cart.obj'];
  run('lld-link-19', ...windows, '/out:cart.dll', '/pdb:cart.pdb');

  /** The address of the function, without the address that the library prefers. */
  const findOffset = (file: string, name: string, base: number): number => {
    const line = run('llvm-nm-19', file)
      .split('\n')
      .find((one) => one.trimEnd().endsWith(` ${name}`));
    return Number.parseInt(line?.split(' ')[0] ?? '', 16) - base;
  };
  /** Windows libraries name only exported functions; the PDB has the others. */
  const publics = run('llvm-pdbutil-19', 'dump', '-publics', 'cart.pdb');
  const [, segmentOffset = ''] = /`cart_pay`[\s\S]*?addr = 0001:(\d+)/.exec(publics) ?? [];
  return [
    {
      files: ['libcart.so'],
      library: 'libcart.so',
      type: 'elf',
      platform: 'native',
      debugId: describe(at('libcart.so')),
      offset: findOffset('libcart.so', 'cart_pay', 0),
    },
    {
      files: ['libcart.dylib.dSYM'],
      library: 'libcart.dylib',
      type: 'macho',
      platform: 'cocoa',
      debugId: describe(at('libcart.dylib')),
      offset: findOffset('libcart.dylib', '_cart_pay', 0),
    },
    {
      files: ['cart.dll', 'cart.pdb'],
      library: 'cart.dll',
      type: 'pe',
      platform: 'native',
      debugId: describe(at('cart.pdb')),
      offset: 0x1000 + Number(segmentOffset),
    },
  ].map((program) => ({ ...program, files: program.files.map(at), library: at(program.library) })) as Program[];
}
