import { SECOND } from '../kernel/clock.ts';
import { defineProgram } from './programs.ts';

const versions = Array.from({ length: 12 }, (_, index) => 25 - index);

/** Reads DWARF: lines and inlined functions of dSYMs and .so files. Debian has it in the package llvm. */
export const llvmSymbolizer = defineProgram({
  name: 'llvm-symbolizer',
  commands: [...versions.map((version) => `llvm-symbolizer-${version}`), 'llvm-symbolizer'],
  args: ['--output-style=JSON', '--inlines', '--demangle'],
  memoryMb: 4096,
  limitMs: 30 * SECOND,
});

/** Makes names of Swift readable. Debian 13 has it in the package swiftlang, beside the compiler and not in the path. */
export const swiftDemangle = defineProgram({
  name: 'swift-demangle',
  commands: ['swift-demangle'],
  besides: ['swiftc', 'swift'],
  answersAtEnd: true,
  // With types: without them two functions of one name are the same one, and would share a group.
  args: ['--compact'],
  memoryMb: 512,
  limitMs: 10 * SECOND,
});
