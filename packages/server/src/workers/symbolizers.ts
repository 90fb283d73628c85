import { SECOND } from '../kernel/clock.ts';
import { defineProgram } from './programs.ts';

const versions = Array.from({ length: 12 }, (_, index) => 25 - index);

/** Reads DWARF: line numbers and inlined functions of dSYMs and .so files. Debian package llvm. */
export const llvmSymbolizer = defineProgram({
  name: 'llvm-symbolizer',
  commands: [...versions.map((version) => `llvm-symbolizer-${version}`), 'llvm-symbolizer'],
  args: ['--output-style=JSON', '--inlines', '--demangle'],
  memoryMb: 4096,
  limitMs: 30 * SECOND,
});

/**
 * Demangles Swift names. In Debian 13 it is in the package swiftlang, in the folder of the compiler and not in the
 * PATH.
 */
export const swiftDemangle = defineProgram({
  name: 'swift-demangle',
  commands: ['swift-demangle'],
  besides: ['swiftc', 'swift'],
  respondsAtEnd: true,
  // With types: without them, two functions with the same name would be identical, and share a group.
  args: ['--compact'],
  memoryMb: 512,
  limitMs: 10 * SECOND,
});
