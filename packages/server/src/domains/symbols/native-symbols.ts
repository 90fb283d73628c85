import type { Deps } from '../../context.ts';
import { type Program, ProgramEnded, WorkerLimit } from '../../workers/index.ts';
import { llvmSymbolizer, swiftDemangle } from '../../workers/symbolizers.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { Format } from './formats/collect.ts';
import type { SourceLocation } from './formats/images.ts';
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

/** A file that ended the program twice in a row is not tried again for a while. */
const REST = 10 * 60_000;
const broken = new Map<string, number>();

async function askSymbolizer(
  { workers, clock }: Deps,
  file: string,
  arch: string,
  addresses: string[],
): Promise<string[]> {
  if ((broken.get(file) ?? 0) > clock.now()) throw new ProgramEnded('llvm-symbolizer ended on this file before.');
  // The path is ours, so it has nothing that would have to be escaped.
  const target = arch === '' ? file : `${file}:${arch}`;
  const lines = addresses.map((address) => `CODE "${target}" ${address}`);
  // Held while it is asked: others may throw away what is remembered meanwhile.
  const known = new Map(lines.map((line) => [line, answered.get(line)]));
  const unknown = [...known.keys()].filter((line) => known.get(line) === undefined);
  const answers = await askTwice(workers.program(llvmSymbolizer), unknown, () => broken.set(file, clock.now() + REST));
  const fresh = new Map(unknown.map((line, index) => [line, answers[index] ?? '']));
  const all = lines.map((line) => fresh.get(line) ?? known.get(line) ?? '');
  if (answered.size + fresh.size > MOST_ANSWERED) answered.clear();
  for (const [line, answer] of fresh) answered.set(line, answer);
  return all;
}

/** Reports of one problem ask the same again and again; a file under one path never changes. */
const MOST_ANSWERED = 20_000;
const answered = new Map<string, string>();

async function askTwice(program: Program, lines: string[], onBroken: () => void): Promise<string[]> {
  try {
    return await program.ask(lines);
  } catch (error) {
    if (!(error instanceof ProgramEnded)) throw error;
    try {
      // It may have ended because of what another file did to it before.
      return await program.ask(lines);
    } catch (again) {
      onBroken();
      throw again;
    }
  }
}

async function demangle(
  { workers }: Deps,
  locations: SourceLocation[][],
): Promise<{ locations: SourceLocation[][]; isMangled: boolean }> {
  const mangled = [
    ...new Set(
      locations
        .flat()
        .map(({ method }) => method)
        .filter((name) => /^\$[sS]/.test(name)),
    ),
  ];
  if (mangled.length === 0) return { locations, isMangled: false };
  const program = workers.program(swiftDemangle);
  if (!program.path) return { locations, isMangled: true };
  try {
    const names = await program.ask(mangled.map((name) => name.replaceAll(/\s/g, '')));
    const byName = new Map(mangled.map((name, index) => [name, names[index] || name]));
    return {
      locations: locations.map((chain) =>
        chain.map((location) => ({ ...location, method: byName.get(location.method) ?? location.method })),
      ),
      isMangled: false,
    };
  } catch {
    return { locations, isMangled: true };
  }
}

export const NO_LINES =
  'This server has no llvm-symbolizer, so functions are named without lines; whoever runs it can install the Debian package llvm.';
export const MANGLED = 'Names of Swift are shown as the compiler wrote them: this server has no swift-demangle.';

/** Looks up places in one image, by how far they are into it. */
export async function findPlaces(ctx: Deps, symbols: SymbolsTable, offsets: readonly number[]): Promise<FoundPlaces> {
  const file = await localFile(ctx, symbols.blob_key);
  if (!file)
    return {
      locations: offsets.map(() => []),
      note: `The file with the symbols of ${symbols.name} is gone; upload it again.`,
    };
  const format = symbols.format as Format;
  try {
    if (format === 'breakpad') return { locations: await read(ctx, 'breakpad', { file, offsets: [...offsets] }) };
    if (format === 'pdb') {
      return { locations: offsets.map(() => []), note: `Symbols of ${symbols.name} are kept; PDBs are not read yet.` };
    }
    const base = BigInt(symbols.text_address);
    const addresses = offsets.map((offset) => `0x${(base + BigInt(offset)).toString(16)}`);
    const hasProgram = ctx.workers.program(llvmSymbolizer).path !== undefined;
    if (!hasProgram) {
      const found = await read(ctx, 'functions', { file, format, id: symbols.symbol_id, addresses });
      const { locations } = await demangle(
        ctx,
        found.map((location) => (location ? [location] : [])),
      );
      return { locations, note: NO_LINES };
    }
    const lines = await askSymbolizer(ctx, file, format === 'mach-o' ? symbols.arch : '', addresses);
    const { locations, isMangled } = await demangle(ctx, lines.map(toLocations));
    return { locations, note: isMangled ? MANGLED : undefined };
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
    if (path) log.info({ program: path }, `${kind.name} was found`);
    else log.info(`${kind.name} is not installed; see mooring doctor`);
  }
  return {};
}
