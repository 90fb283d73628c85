import { type Deps, workOwner } from '../../context.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { defineProcess, WorkerLimit } from '../../workers/index.ts';
import type { ZipLimits } from '../../workers/zip.ts';
import type { Collected, Format, SymbolType } from './formats/collect.ts';
import type { SourceLocation } from './formats/images.ts';
import type { MethodLine } from './formats/portable-pdb.ts';
import type { JavaFrame, RetracedFrame } from './formats/proguard.ts';
import type { MappedFrame, ScriptFrame } from './formats/source-map.ts';
import type { Trust } from './formats/stack-walk.ts';

export interface DumpImage {
  id: string;
  buildId: string | undefined;
  name: string;
  path: string;
  start: string;
  end: string;
}

/** Contents of a minidump, with its stacks walked; addresses are hexadecimal. */
export interface WalkedDump {
  cpu: string;
  os: string;
  osVersion: string;
  /** Such as SIGSEGV, if known. */
  reason: string | undefined;
  address: string | undefined;
  modules: DumpImage[];
  threads: {
    id: number;
    name: string;
    hasCrashed: boolean;
    isCut: boolean;
    /** Registers of the crashed thread. */
    registers: Record<string, string>;
    frames: {
      address: string;
      /** Index in `modules`. */
      module: number | undefined;
      offset: number | undefined;
      trust: Trust;
    }[];
  }[];
}

/** Names of frames, in their order; `isCut` if names of some frames exceed `maxChars`. */
interface Named<L> {
  locations: L[];
  isCut: boolean;
}

/** Work on uploaded files, done in a separate process. */
export interface Readings {
  collect(input: {
    file: string;
    name: string;
    type: SymbolType;
    isMixed?: boolean;
    debugId?: string | undefined;
    folder: string;
    limits: ZipLimits;
  }): Promise<Collected>;
  breakpad(input: { file: string; offsets: number[]; maxChars: number }): Named<SourceLocation[]>;
  functions(input: {
    file: string;
    format: Format;
    id: string;
    addresses: string[];
    maxChars: number;
  }): Named<SourceLocation[]>;
  retrace(input: {
    file: string;
    stacks: { frames: JavaFrame[]; thrown?: string | undefined }[];
    types: string[];
    maxChars: number;
  }): {
    stacks: (RetracedFrame[] | undefined)[][];
    types: (string | undefined)[];
    isCut: boolean;
  };
  map(input: {
    file: string;
    frames: ScriptFrame[];
    maxChars: number;
  }): Named<(MappedFrame & { calls: string | undefined }) | undefined>;
  /** Lines of methods of a .NET assembly, by their number and the offset in their code. */
  methods(input: {
    file: string;
    frames: { method: number; offset: number }[];
    maxChars: number;
  }): Named<MethodLine | undefined>;
  /** Types in an obfuscated Flutter app. */
  restore(input: { file: string; types: string[] }): (string | undefined)[];
  /** Lines of C# for lines of C++ that was generated from it. */
  generated(input: {
    file: string;
    frames: { file: string; line: number }[];
    maxChars: number;
  }): Named<{ file: string; line: number } | undefined>;
  modules(input: { file: string }): Pick<DumpImage, 'id' | 'buildId' | 'name'>[];
  /** `symbols` are Breakpad files by the ID of their module. */
  walk(input: { file: string; symbols: Record<string, string> }): WalkedDump;
}

export interface ReadingRequest {
  name: keyof Readings;
  input: unknown;
}

const file = new URL('./reading.process.ts', import.meta.url);

/** Indexing an upload may take long; no request waits for it. */
const collecting = defineProcess<ReadingRequest, unknown>({
  name: 'the process that indexes uploaded symbols',
  file,
  memoryMb: 1024,
  buffersMb: 768,
  limitMs: 10 * MINUTE,
});

const lookingUp = defineProcess<ReadingRequest, unknown>({
  name: 'the process that reads symbols',
  file,
  memoryMb: 1536,
  // Files in the cache, and the next one.
  buffersMb: 1024,
  limitMs: 60 * SECOND,
});

export const read = async <K extends keyof Readings>(
  ctx: Pick<Deps, 'workers' | 'clock'>,
  name: K,
  input: Parameters<Readings[K]>[0],
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Readings[K]>>> => {
  const { workers, clock } = ctx;
  const { file } = input;
  const refuseResting = () => {
    const before = resting.get(file);
    if (before && before.until > clock.now()) throw before.reason;
  };
  refuseResting();
  try {
    const result = await workers.process(name === 'collect' ? collecting : lookingUp).request(
      { name, input },
      {
        owner: workOwner(ctx),
        signal,
        // Requests for a file may have been queued while another exceeded the time limit for it.
        beforeStart: refuseResting,
        afterEnd: (ms) => {
          if (name === 'collect' || ms < SLOW) return;
          const reason = new WorkerLimit(
            `Reading the file took ${Math.round(ms / SECOND)} s; the next attempt is in ${REST / MINUTE} minutes.`,
          );
          rest(file, reason, clock.now() + REST);
        },
      },
    );
    return result as Awaited<ReturnType<Readings[K]>>;
  } catch (error) {
    const isNew = error !== resting.get(file)?.reason;
    if (error instanceof WorkerLimit && isNew) rest(file, error, clock.now() + REST);
    throw error;
  }
};

/** A file that takes this long, or too much memory, is not read again for a while. */
const SLOW = 20 * SECOND;
const REST = 10 * MINUTE;
const MAX_RESTING = 1_000;
const resting = new Map<string, { reason: WorkerLimit; until: number }>();

function rest(file: string, reason: WorkerLimit, until: number): void {
  resting.delete(file);
  resting.set(file, { reason, until });
  const [oldest] = resting.keys();
  if (resting.size > MAX_RESTING && oldest !== undefined) resting.delete(oldest);
}
