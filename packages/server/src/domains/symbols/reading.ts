import type { Deps } from '../../context.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { defineProcess } from '../../workers/index.ts';
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
  { workers }: Pick<Deps, 'workers'>,
  name: K,
  input: Parameters<Readings[K]>[0],
): Promise<Awaited<ReturnType<Readings[K]>>> => {
  const answer = await workers.process(name === 'collect' ? collecting : lookingUp).ask({ name, input });
  return answer as Awaited<ReturnType<Readings[K]>>;
};
