import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY } from '../../kernel/clock.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import { mapGeneratedLines, restoreDartTypes } from './debug-id-maps.ts';
import { commandFor, type Explaining, explainText } from './explaining.ts';
import { mapScripts, retrace } from './mapped-frames.ts';
import { CUT_NAMES, createNameBudget } from './name-budget.ts';
import { symbolicateImages } from './native-frames.ts';
import { demangle, isSwift } from './native-symbols.ts';
import type { RawFrame, RawStack, Symbolicated, Symbolication } from './raw-frames.ts';
import { read, type WalkedDump } from './reading.ts';
import { copyBlob, localFile, withWorkFolder } from './symbol-files.ts';
import { findAppPath, findSymbolsByIds, listIgnored, touchSymbols } from './symbols.store.ts';
import type { SymbolsTable } from './symbols.tables.ts';

/** Demangles names from the device, for frames without symbols. */
async function readSwift<F extends RawFrame>(ctx: Ctx, { stacks }: Symbolication<F>, replaced: Map<F, F[]>) {
  const frames = stacks.flatMap((stack) => stack.frames.filter((one) => !replaced.has(one) && isSwift(one.method)));
  const { locations, note } = await demangle(
    ctx,
    frames.map(({ method = '' }) => [{ method }]),
  );
  for (const [index, frame] of frames.entries()) {
    const [location] = locations[index] ?? [];
    if (location) replaced.set(frame, [{ ...frame, method: location.method }]);
  }
  return note;
}

/** Records the day when symbols were last needed. */
async function noteUse(ctx: Ctx, appId: string, used: readonly SymbolsTable[]): Promise<void> {
  const now = ctx.clock.now();
  const stale = used.filter(({ used_at }) => used_at < now - DAY).map(({ symbol_id }) => symbol_id);
  if (stale.length > 0) await tx(ctx, ({ db }) => touchSymbols(db, appId, stale, now));
}

/**
 * Translates addresses, obfuscated names and positions in bundles to names and lines, as far as symbols are available; returns
 * what is missing and how to upload it. Slow: do not call it in a transaction.
 */
export async function symbolicate<F extends RawFrame>(ctx: Ctx, input: Symbolication<F>): Promise<Symbolicated<F>> {
  const { appId, version, build } = input;
  const app = await findAppPath.first(ctx.db, { appId });
  const ignored = new Set((await listIgnored.all(ctx.db, { appId })).map(({ symbol_id }) => symbol_id));
  const explaining: Explaining = { path: `${app?.ownerName}/${app?.appName}`, version, build, ignored };
  const replaced = new Map<F, F[]>();
  const types = new Map<RawStack<F>, string>();
  const budget = createNameBudget();
  const native = await symbolicateImages(ctx, input, replaced, explaining, budget);
  const generated = await mapGeneratedLines(ctx, input, replaced, budget);
  const swiftNote = await readSwift(ctx, input, replaced);
  const others = [
    await retrace(ctx, input, replaced, types, budget),
    ...(await mapScripts(ctx, input, replaced, budget)),
  ];
  const dart = await restoreDartTypes(ctx, input, types);
  const unresolved = [...native.unresolved];
  for (const requested of others.flatMap(({ requested }) => requested ?? [])) {
    const { type, id } = requested;
    const isIgnored = ignored.has(id);
    const message = explainText(explaining, requested, isIgnored);
    const command = commandFor(explaining, type, requested.name, id);
    unresolved.push({
      ...requested,
      reason: isIgnored ? 'ignored' : 'missing',
      message,
      ...(isIgnored ? {} : { command }),
    });
  }
  await noteUse(
    ctx,
    appId,
    [native, generated, dart, ...others].flatMap(({ used }) => used),
  );
  return {
    stacks: input.stacks.map((stack) => {
      const type = types.get(stack) ?? stack.type;
      return {
        ...(type === undefined ? {} : { type }),
        frames: stack.frames.flatMap((frame) => replaced.get(frame) ?? [frame]),
      };
    }),
    unresolved,
    notes: [
      ...new Set([
        ...native.notes,
        ...generated.notes,
        ...dart.notes,
        ...(swiftNote ? [swiftNote] : []),
        ...others.flatMap(({ note }) => note ?? []),
        ...(budget.isCut ? [CUT_NAMES] : []),
      ]),
    ],
  };
}

/**
 * Reads a minidump and walks its stacks, using available Breakpad symbols. The frames only have addresses, which are exact;
 * `symbolicate` adds names.
 */
export const walkMinidump = (ctx: Ctx, { appId, blobKey }: { appId: string; blobKey: string }): Promise<WalkedDump> =>
  withWorkFolder(ctx, async (folder) => {
    const file = `${folder}/dump`;
    if (!(await copyBlob(ctx, blobKey, file))) throw new Unreadable('The minidump no longer exists.');
    const modules = await read(ctx, 'modules', { file });
    const ids = [...new Set(modules.flatMap(({ id, buildId }) => [id, ...(buildId ? [buildId] : [])]))].filter(Boolean);
    const rows = ids.length === 0 ? [] : await findSymbolsByIds(ctx.db, appId, ids.slice(0, 5_000));
    const breakpad = rows.filter(({ format }) => format === 'breakpad').toReversed();
    const byId = new Map(breakpad.flatMap((row) => [[row.symbol_id, row] as const, [row.alias ?? '', row] as const]));
    const symbols: Record<string, string> = {};
    for (const { id, buildId } of modules) {
      const row = (id && byId.get(id)) || (buildId && byId.get(buildId)) || undefined;
      const local = row && (await localFile(ctx, row.blob_key));
      if (local) symbols[id] = local;
    }
    return read(ctx, 'walk', { file, symbols });
  });
