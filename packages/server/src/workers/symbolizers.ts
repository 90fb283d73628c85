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

export const swiftDemangle = defineProgram({
  name: 'swift-demangle',
  commands: ['swift-demangle', 'llvm-swift-demangle'],
  args: ['--compact'],
  memoryMb: 512,
  limitMs: 10 * SECOND,
});
