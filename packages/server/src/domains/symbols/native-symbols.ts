import { setImmediate } from 'node:timers/promises';
import { type Deps, workOwner } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { createTextCache } from '../../kernel/text-cache.ts';
import { type Program, ProgramEnded, type Share, WorkerLimit } from '../../workers/index.ts';
import { llvmSymbolizer, swiftDemangle } from '../../workers/symbolizers.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { Format } from './formats/collect.ts';
import type { SourceLocation } from './formats/images.ts';
import { CUT_NAMES, createNameBudget, cutNames } from './name-budget.ts';
import { read } from './reading.ts';
import { localFile } from './symbol-files.ts';
import type { SymbolsTable } from './symbols.tables.ts';

/** What was found at some places of one image, innermost first, and what a reader should know of it. */
export interface FoundPlaces {
  locations: SourceLocation[][];
  note?: string | undefined;
}

interface LlvmAnswer {
  Symbol?: { FunctionName?: string; FileName?: string; Line?: number }[];
}

/** A program without dSYM answers with its header, which is no function. */
const noNames = new Set(['', '??', '_mh_execute_header', '_mh_dylib_header']);

/** Frames that one frame can become. */
const MAX_INLINED = 200;

function toLocations(line: string): SourceLocation[] {
  let answer: LlvmAnswer;
  try {
    answer = JSON.parse(line) as LlvmAnswer;
  } catch {
    return [];
  }
  return (answer.Symbol ?? [])
    .slice(0, MAX_INLINED)
    .flatMap(({ FunctionName = '', FileName = '', Line = 0 }) =>
      noNames.has(FunctionName)
        ? []
        : { method: FunctionName, ...(FileName ? { file: FileName } : {}), ...(Line > 0 ? { line: Line } : {}) },
    );
}

/** A file that ended the program twice in a row is not tried again for a while, nor are names that ended the other. */
const REST = 10 * MINUTE;
const MOST_BROKEN = 10_000;
const broken = new Map<string, number>();

function rest(names: readonly string[], now: number): void {
  if (broken.size > MOST_BROKEN) broken.clear();
  for (const name of names) broken.set(name, now + REST);
}

async function askSymbolizer(ctx: Deps, file: string, arch: string, addresses: string[]): Promise<string[]> {
  const { workers, clock } = ctx;
  const refuseResting = () => {
    if ((broken.get(file) ?? 0) > clock.now()) throw new ProgramEnded('llvm-symbolizer ended on this file before.');
  };
  refuseResting();
  // The path is ours, so it has nothing that would have to be escaped.
  const target = arch === '' ? file : `${file}:${arch}`;
  const lines = addresses.map((address) => `CODE "${target}" ${address}`);
  // Held while it is asked: others may throw away what is remembered meanwhile.
  const known = new Map(lines.map((line) => [line, answered.get(line)]));
  const unknown = [...known.keys()].filter((line) => known.get(line) === undefined);
  const share = { owner: workOwner(ctx), beforeStart: refuseResting };
  const answers = await askTwice(workers.program(llvmSymbolizer), unknown, share, () => rest([file], clock.now()));
  const fresh = new Map(unknown.map((line, index) => [line, answers[index] ?? '']));
  const all = lines.map((line) => fresh.get(line) ?? known.get(line) ?? '');
  for (const [line, answer] of fresh) answered.set(line, answer);
  return all;
}

/** Reports of one problem ask the same again and again; a file under one path never changes. */
const answered = createTextCache(8 * 2 ** 20);

async function askTwice(program: Program, lines: string[], share: Share, onBroken: () => void): Promise<string[]> {
  try {
    return await program.ask(lines, share);
  } catch (error) {
    // A file that takes too long takes as long again.
    if (error instanceof WorkerLimit) onBroken();
    if (!(error instanceof ProgramEnded)) throw error;
    try {
      // It may have ended because of what another file did to it before.
      return await program.ask(lines, share);
    } catch (again) {
      onBroken();
      throw again;
    }
  }
}

/** As Swift has marked its names since version 4.2, 4 and, of embedded programs, 6; Mach-O puts one `_` before them. */
const swiftName = /^_?\$[sSe]/;
const readable = createTextCache(4 * 2 ** 20);

export const isSwift = (name: string | undefined): name is string => name !== undefined && swiftName.test(name);

/** Names of Swift as people write them, or why they are as the compiler wrote them. */
export async function demangle(ctx: Deps, locations: SourceLocation[][]): Promise<FoundPlaces> {
  const { workers, clock } = ctx;
  const mangled = new Set(locations.flatMap((chain) => chain.map(({ method }) => method)).filter(isSwift));
  if (mangled.size === 0) return { locations };
  const program = workers.program(swiftDemangle);
  if (!program.path) return { locations, note: MANGLED };
  // Held while it is asked, as answers of the other program are.
  const names = new Map([...mangled].map((name) => [name, readable.get(name)]));
  const unknown = [...mangled].filter((name) => names.get(name) === undefined);
  const isResting = unknown.some((name) => (broken.get(name) ?? 0) > clock.now());
  try {
    if (isResting) throw new ProgramEnded('swift-demangle ended on one of them before.');
    const answers = await program.ask(
      unknown.map((name) => name.replaceAll(/\s/g, '')),
      { owner: workOwner(ctx) },
    );
    for (const [index, name] of unknown.entries()) {
      names.set(name, answers[index] || name);
      readable.set(name, answers[index] || name);
    }
  } catch (error) {
    if (!isResting) rest(unknown, clock.now());
    return { locations, note: `Names of Swift are shown as the compiler wrote them: ${(error as Error).message}` };
  }
  return {
    locations: locations.map((chain) =>
      chain.map((location) => ({ ...location, method: names.get(location.method) ?? location.method })),
    ),
  };
}

export const NO_LINES =
  'This server has no llvm-symbolizer, so functions are named without lines; whoever runs it can install the Debian package llvm.';
export const MANGLED = 'Names of Swift are shown as the compiler wrote them: this server has no swift-demangle.';

const toPlaces = ({ locations, isCut }: { locations: SourceLocation[][]; isCut: boolean }): FoundPlaces =>
  isCut ? { locations, note: CUT_NAMES } : { locations };

/** Addresses of one question: their answers are parsed without a pause. */
const MAX_ASKED = 200;

async function askLocations(ctx: Deps, file: string, arch: string, addresses: string[], maxChars: number) {
  const budget = createNameBudget(maxChars);
  const locations: SourceLocation[][] = [];
  for (let at = 0; at < addresses.length; at += MAX_ASKED) {
    const lines = await askSymbolizer(ctx, file, arch, addresses.slice(at, at + MAX_ASKED));
    for (const line of lines) locations.push(budget.take(toLocations(line).map(cutNames)));
    if (budget.isCut) break;
    await setImmediate();
  }
  return { locations, isCut: budget.isCut };
}

/** Looks up places in one image, by how far they are into it. */
export async function findPlaces(
  ctx: Deps,
  symbols: SymbolsTable,
  offsets: readonly number[],
  maxChars: number,
): Promise<FoundPlaces> {
  const file = await localFile(ctx, symbols.blob_key);
  if (!file)
    return {
      locations: offsets.map(() => []),
      note: `The file with the symbols of ${symbols.name} is gone; upload it again.`,
    };
  const format = symbols.format as Format;
  try {
    if (format === 'breakpad') return toPlaces(await read(ctx, 'breakpad', { file, offsets: [...offsets], maxChars }));
    if (format === 'pdb') {
      return { locations: offsets.map(() => []), note: `Symbols of ${symbols.name} are kept; PDBs are not read yet.` };
    }
    const base = BigInt(symbols.text_address);
    const addresses = offsets.map((offset) => `0x${(base + BigInt(offset)).toString(16)}`);
    const hasProgram = ctx.workers.program(llvmSymbolizer).path !== undefined;
    if (!hasProgram) {
      const found = await read(ctx, 'functions', { file, format, id: symbols.symbol_id, addresses, maxChars });
      const { locations, note } = await demangle(ctx, found.locations);
      const notes = [NO_LINES, note, toPlaces(found).note].filter((one) => one !== undefined);
      return { locations, note: notes.join(' ') };
    }
    const found = await askLocations(ctx, file, format === 'mach-o' ? symbols.arch : '', addresses, maxChars);
    const { locations, note } = await demangle(ctx, found.locations);
    const notes = [note, toPlaces(found).note].filter((one) => one !== undefined);
    return notes.length === 0 ? { locations } : { locations, note: notes.join(' ') };
  } catch (error) {
    if (!(error instanceof ProgramEnded || error instanceof WorkerLimit || error instanceof Unreadable)) throw error;
    return {
      locations: offsets.map(() => []),
      note: `The symbols of ${symbols.name} cannot be read: ${error.message}`,
    };
  }
}

/** Says at the start what was found on this machine, so that nobody wonders why lines are lacking. */
export async function tellSymbolizers({ workers, log }: Deps): Promise<Record<never, never>> {
  for (const kind of [llvmSymbolizer, swiftDemangle]) {
    const { path } = workers.program(kind);
    log.info({ program: path }, path ? `${kind.name} was found` : `${kind.name} is not installed; see mooring doctor`);
  }
  return {};
}
