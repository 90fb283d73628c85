import type { Deps } from '../../context.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { defineProcess, WorkerLimit } from '../../workers/index.ts';
import type { Collected, Format, SymbolType } from './formats/collect.ts';
import type { SourceLocation } from './formats/images.ts';
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

/** What a minidump tells, its stacks walked; addresses are hexadecimal. */
export interface WalkedDump {
  cpu: string;
  os: string;
  osVersion: string;
  /** Such as SIGSEGV, if it says why it was written. */
  reason: string | undefined;
  address: string | undefined;
  modules: DumpImage[];
  threads: {
    id: number;
    name: string;
    hasCrashed: boolean;
    isCut: boolean;
    registers: Record<string, string>;
    frames: {
      address: string;
      imageId: string | undefined;
      image: string | undefined;
      path: string | undefined;
      offset: number | undefined;
      trust: Trust;
    }[];
  }[];
}

/** What is done in another process, on files that others have made. */
export interface Readings {
  collect(input: { file: string; name: string; type: SymbolType; folder: string }): Promise<Collected>;
  breakpad(input: { file: string; offsets: number[] }): SourceLocation[][];
  functions(input: { file: string; format: Format; id: string; addresses: string[] }): (SourceLocation | undefined)[];
  retrace(input: { file: string; stacks: { frames: JavaFrame[]; thrown?: string | undefined }[]; types: string[] }): {
    stacks: (RetracedFrame[] | undefined)[][];
    types: (string | undefined)[];
  };
  map(input: { file: string; frames: ScriptFrame[] }): ((MappedFrame & { calls: string | undefined }) | undefined)[];
  modules(input: { file: string }): Pick<DumpImage, 'id' | 'buildId' | 'name'>[];
  /** `symbols` are files of Breakpad by the id of their module. */
  walk(input: { file: string; symbols: Record<string, string> }): WalkedDump;
}

export interface ReadingQuestion {
  name: keyof Readings;
  input: unknown;
}

const file = new URL('./reading.process.ts', import.meta.url);

/** Looking through an upload may take long; nobody waits for it. */
const collecting = defineProcess<ReadingQuestion, unknown>({
  name: 'the process that looks through uploaded symbols',
  file,
  memoryMb: 1024,
  limitMs: 10 * MINUTE,
});

const lookingUp = defineProcess<ReadingQuestion, unknown>({
  name: 'the process that reads symbols',
  file,
  memoryMb: 1536,
  limitMs: 60 * SECOND,
});

export const read = async <K extends keyof Readings>(
  { workers, clock }: Pick<Deps, 'workers' | 'clock'>,
  name: K,
  input: Parameters<Readings[K]>[0],
): Promise<Awaited<ReturnType<Readings[K]>>> => {
  const { file } = input;
  const before = tooHard.get(file);
  if (before && before.until > clock.now()) throw before.reason;
  try {
    const answer = await workers.process(name === 'collect' ? collecting : lookingUp).ask({ name, input });
    return answer as Awaited<ReturnType<Readings[K]>>;
  } catch (error) {
    if (error instanceof WorkerLimit) rememberTooHard(file, error, clock.now() + REST);
    throw error;
  }
};

/** A file that took all the time or memory there is is not tried again for a while: all apps share the process. */
const REST = 10 * MINUTE;
const MOST_REMEMBERED = 1_000;
const tooHard = new Map<string, { reason: WorkerLimit; until: number }>();

function rememberTooHard(file: string, reason: WorkerLimit, until: number): void {
  tooHard.set(file, { reason, until });
  const [oldest] = tooHard.keys();
  if (tooHard.size > MOST_REMEMBERED && oldest !== undefined) tooHard.delete(oldest);
}
