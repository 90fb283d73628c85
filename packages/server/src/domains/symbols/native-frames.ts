import type { Ctx } from '../../context.ts';
import { type Explaining, explainImage, getImageType } from './explaining.ts';
import type { SourceLocation } from './formats/images.ts';
import { type NameBudget, ownChars } from './name-budget.ts';
import { findMethodLines, findPlaces } from './native-symbols.ts';
import type { RawFrame, Symbolicated, Symbolication, Unresolved } from './raw-frames.ts';
import { findSymbolsByIds } from './symbols.store.ts';
import type { SymbolsTable } from './symbols.tables.ts';

const MAX_IMAGES = 500;
const isNative = (frame: RawFrame): frame is RawFrame & { imageId: string; offset: number } =>
  frame.imageId !== undefined && frame.imageId !== '' && frame.offset !== undefined;

/** Splits `-[Cart pay]` into class and method; keeps any other name. */
function named<F extends RawFrame>(frame: F, { method, file, line }: SourceLocation): F {
  const [, kind, className, selector] = /^([-+])\[(\S+) (\S+)\]$/.exec(method) ?? [];
  const where = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
  const { isUnsymbolicated: _, file: __, line: ___, ...rest } = frame;
  return (
    className === undefined
      ? { ...rest, method, ...where }
      : { ...rest, className, method: selector, isClassMethod: kind === '+', language: 'Objective-C', ...where }
  ) as F;
}

/** Adds lines to methods of .NET, whose names reports have. */
async function findLines<F extends RawFrame>(
  ctx: Ctx,
  row: SymbolsTable,
  places: readonly { frame: F; offset: number }[],
  replaced: Map<F, F[]>,
  budget: NameBudget,
): Promise<string | undefined> {
  const methods = places.map(({ frame, offset }) => ({ method: frame.methodNumber ?? 0, offset }));
  const found = await findMethodLines(ctx, row, methods, budget.left);
  for (const [index, { frame }] of places.entries()) {
    const location = found.lines[index];
    if (!location || budget.take([location], ownChars(frame)).length === 0) continue;
    const { file = frame.file, line } = location;
    const { isUnsymbolicated: _, ...rest } = frame;
    replaced.set(frame, [{ ...(rest as F), ...(file === undefined ? {} : { file }), line }]);
  }
  return found.note;
}

export async function symbolicateImages<F extends RawFrame>(
  ctx: Ctx,
  { appId, stacks }: Symbolication<F>,
  replaced: Map<F, F[]>,
  explaining: Explaining,
  budget: NameBudget,
): Promise<Pick<Symbolicated<F>, 'unresolved' | 'notes'> & { used: SymbolsTable[] }> {
  const framesByImage = new Map<string, { frame: F; offset: number }[]>();
  for (const { frames } of stacks) {
    for (const [index, frame] of frames.entries()) {
      if (!isNative(frame)) continue;
      // All but the innermost frame have return addresses, which may belong to the next line.
      const offset = index === 0 || frame.isExact ? frame.offset : Math.max(0, frame.offset - 1);
      const list = framesByImage.get(frame.imageId) ?? [];
      list.push({ frame, offset });
      framesByImage.set(frame.imageId, list);
    }
  }
  const ids = [...framesByImage.keys()].slice(0, MAX_IMAGES);
  const rows = ids.length === 0 ? [] : await findSymbolsByIds(ctx.db, appId, ids);
  const byId = new Map(
    rows.flatMap((row) => [[row.symbol_id, row] as const, ...(row.alias ? [[row.alias, row] as const] : [])]),
  );
  const unresolved: Unresolved[] = [];
  const notes = new Set<string>();
  const used: SymbolsTable[] = [];
  for (const id of ids) {
    const locations = framesByImage.get(id) ?? [];
    const row = byId.get(id);
    if (!row) {
      const [first] = locations.filter(({ frame }) => frame.isApp !== false);
      if (!first) continue;
      const requested = { id, name: first.frame.image ?? id, type: getImageType(id), arch: '' };
      unresolved.push(await explainImage(ctx, appId, explaining, requested));
      continue;
    }
    used.push(row);
    if (row.format === 'portable-pdb') {
      const note = await findLines(ctx, row, locations, replaced, budget);
      if (note) notes.add(note);
      continue;
    }
    const found = await findPlaces(
      ctx,
      row,
      locations.map(({ offset }) => offset),
      budget.left,
    );
    if (found.note) notes.add(found.note);
    for (const [index, { frame }] of locations.entries()) {
      const chain = budget.take(found.locations[index] ?? [], ownChars(frame));
      if (chain.length === 0) continue;
      replaced.set(
        frame,
        chain.map((location, level) => {
          const made = named(frame, location);
          return level < chain.length - 1 ? { ...made, isInlined: true } : made;
        }),
      );
    }
  }
  return { unresolved, notes: [...notes], used };
}
