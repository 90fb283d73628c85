import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../../../src/workers/index.ts';

const versions = ['-19', '-18', '-17', '-16', ''];
const find = (name: string) => findProgram(versions.map((version) => `${name}${version}`));
const [clang, linker] = [find('clang'), find('lld-link')];
export const hasWindowsToolchain = [clang, linker, find('llvm-symbolizer')].every((program) => program !== undefined);
if (!hasWindowsToolchain) process.stdout.write('Programs for Windows are not compiled: install clang, lld and llvm.\n');

/**
 * The function `cart_pay` is the first in the section of code, so its offset is that of the section. It is on one line,
 * because compilers differ in the line of the first instruction.
 */
const source = `volatile int total;
__attribute__((noinline))
int cart_pay(int items) { return total += items; }
int start(int items) {
  return cart_pay(items) + 1;
}
`;
export const PAY = { offset: 0x1000, line: 3 };
/** The linker aligns functions to 16 bytes. */
export const START_OFFSET = 0x1010;

/** A library for Windows with its PDB, built by real tools. */
export function compileForWindows() {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-windows-'));
  const run = (program = '', ...args: string[]) => execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
  writeFileSync(path.join(folder, 'cart.c'), source);
  run(clang, '--target=x86_64-pc-windows-msvc', '-g', '-gcodeview', '-O1', '-c', 'cart.c', '-o', 'cart.obj');
  const options = ['/nologo', '/dll', '/noentry', '/debug', '/export:start', '/nodefaultlib'];
  run(linker, ...options, '/out:cart.dll', '/pdb:cart.pdb', 'cart.obj');
  const read = (name: string): Buffer => readFileSync(path.join(folder, name));
  const files = { pdb: read('cart.pdb'), dll: read('cart.dll') };
  rmSync(folder, { recursive: true, force: true });
  return files;
}
