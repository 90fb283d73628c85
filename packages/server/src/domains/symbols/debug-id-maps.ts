import type { Ctx } from '../../context.ts';
import { WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { NameBudget } from './name-budget.ts';
import type { RawFrame, RawStack, Symbolication } from './raw-frames.ts';
import { read } from './reading.ts';
import { localFile } from './symbol-files.ts';
import { findSymbolsByIds } from './symbols.store.ts';
import type { SymbolsTable } from './symbols.tables.ts';

interface Mapped {
  used: SymbolsTable[];
  notes: string[];
}

const MAX_IMAGES = 50;

/** The first 32 digits of the ID of an image are those of its debug ID. */
const toDebugDigits = (imageId: string): string => imageId.slice(0, 32).toLowerCase();

/** A binary can have more files with its debug ID. */
async function findMaps(
  ctx: Ctx,
  { appId, stacks }: Symbolication<RawFrame>,
  format: 'dart-symbols' | 'il2cpp',
): Promise<{ row: SymbolsTable; file: string; digits: string }[]> {
  const images = new Set<string>();
  for (const { frames } of stacks) {
    for (const { imageId = '', offset } of frames) {
      const digits = toDebugDigits(imageId);
      if (offset !== undefined && images.size < MAX_IMAGES && /^[0-9a-f]{32}$/.test(digits)) images.add(digits);
    }
  }
  if (images.size === 0) return [];
  const ids = new Map([...images].map((digits) => [`${digits}.${format}`, digits]));
  const found = [];
  for (const { alias: _, ...row } of await findSymbolsByIds(ctx.db, appId, [...ids.keys()])) {
    const file = await localFile(ctx, row.blob_key);
    const digits = ids.get(row.symbol_id);
    if (file && digits !== undefined) found.push({ row, file, digits });
  }
  return found;
}

/** Reads a map; returns a note if it cannot be read. */
async function tryRead(what: string, work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof WorkerLimit)) throw error;
    return [`${what} cannot be read: ${error.message}`];
  }
}

/** Restores the types of exceptions of an obfuscated Flutter app. */
export async function restoreDartTypes<F extends RawFrame>(
  ctx: Ctx,
  input: Symbolication<F>,
  types: Map<RawStack<F>, string>,
): Promise<Mapped> {
  const named = input.stacks.filter((stack) => stack.type !== undefined && !types.has(stack));
  if (named.length === 0) return { used: [], notes: [] };
  const [map] = await findMaps(ctx, input, 'dart-symbols');
  if (!map) return { used: [], notes: [] };
  const notes = await tryRead('The Dart symbol map', async () => {
    const restored = await read(ctx, 'restore', { file: map.file, types: named.map(({ type = '' }) => type) });
    for (const [index, stack] of named.entries()) {
      const type = restored[index];
      if (type !== undefined) types.set(stack, type);
    }
  });
  return { used: [map.row], notes };
}

/** Replaces lines of the C++ that Unity generates with those of the C# it was generated from. */
export async function mapGeneratedLines<F extends RawFrame>(
  ctx: Ctx,
  input: Symbolication<F>,
  replaced: Map<F, F[]>,
  budget: NameBudget,
): Promise<Mapped> {
  const used: SymbolsTable[] = [];
  const notes: string[] = [];
  for (const { row, file, digits } of await findMaps(ctx, input, 'il2cpp')) {
    const places = input.stacks
      .flatMap(({ frames }) => frames)
      .filter(({ imageId = '' }) => toDebugDigits(imageId) === digits)
      .flatMap((frame) => (replaced.get(frame) ?? []).map((location, level) => ({ frame, location, level })))
      .filter(({ location }) => location.file !== undefined && location.line !== undefined);
    if (places.length === 0) continue;
    const frames = places.map(({ location: { file = '', line = 0 } }) => ({ file, line }));
    const found = await tryRead('The line mappings of IL2CPP', async () => {
      const { locations } = await read(ctx, 'generated', { file, frames, maxChars: budget.left });
      for (const [index, { frame, location, level }] of places.entries()) {
        const [mapped] = budget.take(locations[index] ? [locations[index]] : []);
        if (mapped) replaced.set(frame, replaced.get(frame)?.with(level, { ...location, ...mapped }) ?? []);
      }
    });
    used.push(row);
    notes.push(...found);
  }
  return { used, notes };
}
