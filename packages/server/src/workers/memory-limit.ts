import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findProgram } from './find-program.ts';

const MIB = 1_048_576;

/**
 * Part of util-linux, which every Linux has. Elsewhere only the JavaScript heap is limited, not buffers and
 * decompression.
 */
const prlimit = findProgram(['prlimit']);

/** Environment for a process that calls `limitOwnMemory`. */
export const memoryLimit = (memoryMb: number): Record<string, string> =>
  prlimit === undefined ? {} : { MEMORY_LIMIT: `${memoryMb} ${prlimit}` };

/** Limits all memory that this process allocates from now on. Memory that it needed to start does not count. */
export function limitOwnMemory(): void {
  const [, memoryMb, program] = /^(\d+) (.+)$/.exec(process.env.MEMORY_LIMIT ?? '') ?? [];
  delete process.env.MEMORY_LIMIT;
  if (program === undefined) return;
  const [, now] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  if (now === undefined) return;
  const bytes = Number(now) * 1024 + Number(memoryMb) * MIB;
  const limiting = spawnSync(program, ['--pid', String(process.pid), `--data=${bytes}`], { env: {}, encoding: 'utf8' });
  const { status, stderr, error } = limiting;
  if (status !== 0) throw new Error(`failed to limit the memory of this process: ${error?.message ?? stderr}`);
}

/** Matches messages of a process that runs out of memory. */
export const isOutOfMemory = (text: string): boolean =>
  /out of memory|allocation failed|failed to allocate|cannot allocate|bad_alloc/i.test(text);
