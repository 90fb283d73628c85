import { randomUUID } from 'node:crypto';
import { rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Deps, workOwner } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { parseOwnJson } from '../../kernel/text/json.ts';
import { createTextCache } from '../../kernel/text/text-cache.ts';
import { type Program, ProgramEnded, type Share, WorkerLimit } from '../../workers/index.ts';
import { llvmSymbolizer, swiftDemangle } from '../../workers/symbolizers.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { Format } from './formats/collect.ts';
import type { SourceLocation } from './formats/images.ts';
import { createPeStub, STUB_BASE } from './formats/pe-stub.ts';
import type { MethodLine } from './formats/portable-pdb.ts';
import { CUT_NAMES, createNameBudget, cutNames } from './name-budget.ts';
import { read } from './reading.ts';
import { localFile, stubPath } from './symbol-files.ts';
import type { SymbolsTable } from './symbols.tables.ts';

/** Locations for offsets of one image, innermost first, and a note for the reader. */
export interface FoundPlaces {
  locations: SourceLocation[][];
  note?: string | undefined;
}

interface LlvmOutput {
  Symbol?: { FunctionName?: string; FileName?: string; Line?: number }[];
}

/** Without a dSYM, llvm-symbolizer returns the Mach-O header, which is not a function. */
const noNames = new Set(['', '??', '_mh_execute_header', '_mh_dylib_header']);

/** Maximum number of inlined frames per frame. */
const MAX_INLINED = 200;

function toLocations(line: string): SourceLocation[] {
  let output: LlvmOutput;
  try {
    output = parseOwnJson<LlvmOutput>(line);
  } catch {
    return [];
  }
  return (output.Symbol ?? [])
    .slice(0, MAX_INLINED)
    .flatMap(({ FunctionName = '', FileName = '', Line = 0 }) =>
      noNames.has(FunctionName)
        ? []
        : { method: FunctionName, ...(FileName ? { file: FileName } : {}), ...(Line > 0 ? { line: Line } : {}) },
    );
}

/**
 * A file that crashed the program twice in a row is skipped for this time; the same applies to names for swift-demangle.
 */
const REST = 10 * MINUTE;
const MAX_BROKEN = 10_000;
const broken = new Map<string, number>();

function rest(names: readonly string[], now: number): void {
  if (broken.size > MAX_BROKEN) broken.clear();
  for (const name of names) broken.set(name, now + REST);
}

async function runSymbolizer(ctx: Deps, file: string, arch: string, addresses: string[]): Promise<string[]> {
  const { workers, clock } = ctx;
  const refuseResting = () => {
    if ((broken.get(file) ?? 0) > clock.now()) throw new ProgramEnded('llvm-symbolizer crashed on this file earlier.');
  };
  refuseResting();
  // The path is generated, so nothing needs escaping.
  const target = arch === '' ? file : `${file}:${arch}`;
  const lines = addresses.map((address) => `CODE "${target}" ${address}`);
  // Copied first: concurrent requests may evict cache entries during this request.
  const known = new Map(lines.map((line) => [line, outputCache.get(line)]));
  const unknown = [...known.keys()].filter((line) => known.get(line) === undefined);
  const share = { owner: workOwner(ctx), beforeStart: refuseResting };
  const outputs = await runWithRetry(workers.program(llvmSymbolizer), unknown, share, () => rest([file], clock.now()));
  const fresh = new Map(unknown.map((line, index) => [line, outputs[index] ?? '']));
  const all = lines.map((line) => fresh.get(line) ?? known.get(line) ?? '');
  for (const [line, output] of fresh) outputCache.set(line, output);
  return all;
}

/** Reports of one issue repeat the same lookups; a file under one path never changes. */
const outputCache = createTextCache(8 * 2 ** 20);

async function runWithRetry(program: Program, lines: string[], share: Share, onBroken: () => void): Promise<string[]> {
  try {
    return await program.request(lines, share);
  } catch (error) {
    // A file that exceeds the time limit would exceed it again.
    if (error instanceof WorkerLimit) onBroken();
    if (!(error instanceof ProgramEnded)) throw error;
    try {
      // Retried once: an earlier file may have caused the crash.
      return await program.request(lines, share);
    } catch (again) {
      onBroken();
      throw again;
    }
  }
}

/** Prefixes of mangled names since Swift 4.2, of Swift 4, and of Embedded Swift; Mach-O adds a `_`. */
const swiftName = /^_?\$[sSe]/;
const readable = createTextCache(4 * 2 ** 20);

export const isSwift = (name: string | undefined): name is string => name !== undefined && swiftName.test(name);

/** Demangles Swift names, or returns the reason why it cannot. */
export async function demangle(ctx: Deps, locations: SourceLocation[][]): Promise<FoundPlaces> {
  const { workers, clock } = ctx;
  const mangled = new Set(locations.flatMap((chain) => chain.map(({ method }) => method)).filter(isSwift));
  if (mangled.size === 0) return { locations };
  const program = workers.program(swiftDemangle);
  if (!program.path) return { locations, note: MANGLED };
  // Copied first, like the output of llvm-symbolizer.
  const names = new Map([...mangled].map((name) => [name, readable.get(name)]));
  const unknown = [...mangled].filter((name) => names.get(name) === undefined);
  const isResting = unknown.some((name) => (broken.get(name) ?? 0) > clock.now());
  try {
    if (isResting) throw new ProgramEnded('swift-demangle crashed on one of them earlier.');
    const demangled = await program.request(
      unknown.map((name) => name.replaceAll(/\s/g, '')),
      { owner: workOwner(ctx) },
    );
    for (const [index, name] of unknown.entries()) {
      names.set(name, demangled[index] || name);
      readable.set(name, demangled[index] || name);
    }
  } catch (error) {
    if (!isResting) rest(unknown, clock.now());
    return { locations, note: `Swift names are not demangled: ${(error as Error).message}` };
  }
  return {
    locations: locations.map((chain) =>
      chain.map((location) => ({ ...location, method: names.get(location.method) ?? location.method })),
    ),
  };
}

export const NO_LINES =
  'This server has no llvm-symbolizer, so functions are shown without line numbers. An administrator can install the Debian package llvm.';
export const MANGLED = 'Swift names are not demangled: this server has no swift-demangle.';

const NO_PDB =
  'This server has no llvm-symbolizer, so PDBs are not used. An administrator can install the Debian package llvm.';

const toPlaces = ({ locations, isCut }: { locations: SourceLocation[][]; isCut: boolean }): FoundPlaces =>
  isCut ? { locations, note: CUT_NAMES } : { locations };

/** Addresses per request: responses are parsed without a pause. */
const BATCH_SIZE = 200;

async function findLocations(ctx: Deps, file: string, arch: string, addresses: string[], maxChars: number) {
  const budget = createNameBudget(maxChars);
  const locations: SourceLocation[][] = [];
  for (let at = 0; at < addresses.length; at += BATCH_SIZE) {
    const lines = await runSymbolizer(ctx, file, arch, addresses.slice(at, at + BATCH_SIZE));
    for (const line of lines) locations.push(budget.take(toLocations(line).map(cutNames)));
    if (budget.isCut) break;
    await setImmediate();
  }
  return { locations, isCut: budget.isCut };
}

/** Writes a library that refers to a PDB beside the copy of the PDB, so that llvm-symbolizer reads it. */
async function placeStub(file: string, id: string): Promise<string> {
  const stub = stubPath(file);
  if (await stat(stub).catch(() => undefined)) return stub;
  const [guid = '', age] = id.split('-');
  const content = createPeStub({ guid, age: Number(age), pdbName: path.basename(file) });
  const part = `${stub}-${randomUUID()}`;
  await writeFile(part, content, { flag: 'wx', mode: 0o600 });
  await rename(part, stub);
  return stub;
}

/** Looks up lines of methods of a .NET assembly. */
export async function findMethodLines(
  ctx: Deps,
  symbols: SymbolsTable,
  methods: { method: number; offset: number }[],
  maxChars: number,
): Promise<{ lines: (MethodLine | undefined)[]; note?: string }> {
  const file = await localFile(ctx, symbols.blob_key);
  if (!file)
    return { lines: [], note: `The file with the symbols of ${symbols.name} no longer exists. Upload it again.` };
  try {
    const { locations, isCut } = await read(ctx, 'methods', { file, frames: methods, maxChars });
    return { lines: locations, ...(isCut ? { note: CUT_NAMES } : {}) };
  } catch (error) {
    if (!(error instanceof WorkerLimit || error instanceof Unreadable)) throw error;
    return { lines: [], note: `The symbols of ${symbols.name} cannot be read: ${error.message}` };
  }
}

/** Looks up offsets in one image. */
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
      note: `The file with the symbols of ${symbols.name} no longer exists. Upload it again.`,
    };
  const format = symbols.format as Format;
  try {
    if (format === 'breakpad') return toPlaces(await read(ctx, 'breakpad', { file, offsets: [...offsets], maxChars }));
    const hasProgram = ctx.workers.program(llvmSymbolizer).path !== undefined;
    if (format === 'pdb') {
      if (!hasProgram) return { locations: offsets.map(() => []), note: NO_PDB };
      const stub = await placeStub(file, symbols.symbol_id);
      const addresses = offsets.map((offset) => `0x${(STUB_BASE + BigInt(offset)).toString(16)}`);
      return toPlaces(await findLocations(ctx, stub, '', addresses, maxChars));
    }
    const base = BigInt(symbols.text_address);
    const addresses = offsets.map((offset) => `0x${(base + BigInt(offset)).toString(16)}`);
    if (!hasProgram) {
      const found = await read(ctx, 'functions', { file, format, id: symbols.symbol_id, addresses, maxChars });
      const { locations, note } = await demangle(ctx, found.locations);
      const notes = [NO_LINES, note, toPlaces(found).note].filter((one) => one !== undefined);
      return { locations, note: notes.join(' ') };
    }
    const found = await findLocations(ctx, file, format === 'mach-o' ? symbols.arch : '', addresses, maxChars);
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

/** Logs at startup which tools were found on this machine, to explain missing lines. */
export async function logSymbolizers({ workers, log }: Deps): Promise<Record<never, never>> {
  for (const kind of [llvmSymbolizer, swiftDemangle]) {
    const { path } = workers.program(kind);
    log.info({ program: path }, path ? `found ${kind.name}` : `${kind.name} is not installed; run mooring doctor`);
  }
  return {};
}
