import type { Ctx } from '../../context.ts';
import { WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { JavaFrame } from './formats/proguard.ts';
import type { ScriptFrame } from './formats/source-map.ts';
import type { RequestedSymbols } from './missing-symbols.ts';
import { CUT_NAMES, type NameBudget, ownChars } from './name-budget.ts';
import type { RawFrame, RawStack, Symbolication } from './raw-frames.ts';
import { read } from './reading.ts';
import { localFile } from './symbol-files.ts';
import { findSymbolsByIds, listVersionSymbols } from './symbols.store.ts';
import type { SymbolsTable } from './symbols.tables.ts';
import { versionId } from './version-id.ts';

/** Recognizes names of files and methods after R8 and ProGuard. */
const looksObfuscated = ({ className = '', file }: RawFrame): boolean =>
  file === 'SourceFile' || file === 'Unknown Source' || file === 'PG' || /(^|\.)[a-zA-Z]{1,2}\d?$/.test(className);

const isJava = ({ language, className, method }: RawFrame): boolean =>
  language === 'Java' && className !== undefined && method !== undefined;
const isScript = ({ language, line, column, isUnsymbolicated }: RawFrame): boolean =>
  language === 'JavaScript' && line !== undefined && column !== undefined && isUnsymbolicated === true;

async function fileFor(
  ctx: Ctx,
  rows: readonly SymbolsTable[],
): Promise<{ file: string; row: SymbolsTable } | undefined> {
  for (const row of rows) {
    const file = await localFile(ctx, row.blob_key);
    if (file) return { file, row };
  }
  return undefined;
}

interface Mapped {
  used: SymbolsTable[];
  requested?: RequestedSymbols;
  note?: string;
}

const toPlain = (id: string): string => id.replaceAll('-', '').toLowerCase();

/** Symbols that the report names by ID come before those of its version. */
async function findCandidates(
  ctx: Ctx,
  { appId, version, build }: Symbolication<RawFrame>,
  ids: readonly string[],
  format: 'mapping' | 'source-map',
): Promise<{ byId: SymbolsTable[]; byVersion: SymbolsTable[] }> {
  const all = [...new Set(ids.filter((id) => id !== '').flatMap((id) => [toPlain(id), id]))];
  const byId = all.length === 0 ? [] : await findSymbolsByIds(ctx.db, appId, all);
  const byVersion = await listVersionSymbols.all(ctx.db, { appId, version, build });
  const hasFormat = (row: SymbolsTable): boolean => row.format === format;
  return { byId: byId.filter(hasFormat), byVersion: byVersion.filter(hasFormat) };
}

export async function retrace<F extends RawFrame>(
  ctx: Ctx,
  input: Symbolication<F>,
  replaced: Map<F, F[]>,
  types: Map<RawStack<F>, string>,
  budget: NameBudget,
): Promise<Mapped> {
  const stacks = input.stacks.filter(({ frames }) => frames.some(isJava));
  if (stacks.length === 0) return { used: [] };
  const ids = [...(input.mappingIds ?? []), ...(input.buildIds ?? [])];
  const { byId, byVersion } = await findCandidates(ctx, input, ids, 'mapping');
  const found = await fileFor(ctx, [...byId, ...byVersion]);
  if (!found) {
    const isObfuscated = stacks.some(({ frames }) =>
      frames.some((frame) => isJava(frame) && frame.isApp !== false && looksObfuscated(frame)),
    );
    const [named] = input.mappingIds ?? [];
    const id = named === undefined ? versionId('AndroidProguard', input.version, input.build) : toPlain(named);
    return isObfuscated
      ? { used: [], requested: { id, name: 'mapping.txt', type: 'AndroidProguard', arch: '' } }
      : { used: [] };
  }
  const javaStacks = stacks.map(({ frames, type }) => {
    const java = frames.filter(isJava);
    const toJava = ({ className = '', method = '', file, line }: F): JavaFrame => ({ className, method, file, line });
    return { java, retraceInput: { frames: java.map(toJava), thrown: type } };
  });
  const named = stacks.filter(({ type }) => type !== undefined);
  try {
    const result = await read(ctx, 'retrace', {
      file: found.file,
      stacks: javaStacks.map(({ retraceInput }) => retraceInput),
      types: named.map(({ type }) => type ?? ''),
      maxChars: budget.left,
    });
    for (const [at, { java }] of javaStacks.entries()) {
      for (const [index, frame] of java.entries()) {
        const found = result.stacks[at]?.[index];
        if (!found) continue;
        const chain = budget.take(found, ownChars(frame));
        // An empty chain is valid for a compiler-generated frame, but not if the names exceed the budget.
        if (chain.length < found.length) continue;
        const { isUnsymbolicated: _, file: __, line: ___, ...rest } = frame;
        replaced.set(
          frame,
          chain.map(({ className, method, file, line, isInlined, alternatives }) => ({
            ...(rest as F),
            className,
            method,
            ...(file === undefined ? {} : { file }),
            ...(line === undefined ? {} : { line }),
            ...(isInlined ? { isInlined } : {}),
            ...(alternatives ? { alternatives } : {}),
          })),
        );
      }
    }
    for (const [index, stack] of named.entries()) {
      const type = result.types[index];
      if (type !== undefined) types.set(stack, type);
    }
    return { used: [found.row], ...(result.isCut ? { note: CUT_NAMES } : {}) };
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof WorkerLimit)) throw error;
    return {
      used: [],
      note: `The mapping of version ${input.version} (${input.build}) cannot be read: ${error.message}`,
    };
  }
}

const baseName = (file: string | undefined): string => file?.split(/[/\\]/).at(-1) ?? '';

/** Maximum number of bundles in a report. */
const MAX_BUNDLES = 100;

/** Maps positions in bundles, each by the source map with the debug ID of the bundle, or by one of the version. */
export async function mapScripts<F extends RawFrame>(
  ctx: Ctx,
  input: Symbolication<F>,
  replaced: Map<F, F[]>,
  budget: NameBudget,
): Promise<Mapped[]> {
  const frames = input.stacks.flatMap((stack) => stack.frames.filter(isScript));
  const bundles = [...Map.groupBy(frames, ({ imageId }) => imageId)].slice(0, MAX_BUNDLES);
  const mapped: Mapped[] = [];
  for (const [debugId, some] of bundles)
    mapped.push(await mapBundle(ctx, input, { debugId, frames: some }, replaced, budget));
  return mapped;
}

async function mapBundle<F extends RawFrame>(
  ctx: Ctx,
  input: Symbolication<F>,
  { debugId, frames }: { debugId: string | undefined; frames: readonly F[] },
  replaced: Map<F, F[]>,
  budget: NameBudget,
): Promise<Mapped> {
  const ids = debugId === undefined ? (input.buildIds ?? []) : [debugId];
  const { byId, byVersion } = await findCandidates(ctx, input, ids, 'source-map');
  const name = baseName(frames.find(({ file }) => file)?.file);
  const isNamed = (row: SymbolsTable): boolean => baseName(row.name) === name;
  // Prefer a source map that names the bundle. For a bundle with a debug ID, a map of another bundle would be wrong.
  const ordered =
    debugId === undefined
      ? [...byId, ...byVersion].toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
      : [...byId, ...byVersion.filter(isNamed)];
  const found = await fileFor(ctx, ordered);
  if (!found) {
    const id = debugId ?? versionId('JavaScript', input.version, input.build);
    return { used: [], requested: { id, name: name || 'index.bundle', type: 'JavaScript', arch: '' } };
  }
  const scriptFrames = frames.map(
    ({ method, file, line = 0, column = 0, raw = '' }): ScriptFrame => ({
      method,
      file,
      line,
      column,
      isOffset: raw.includes('address at '),
    }),
  );
  try {
    const { locations, isCut } = await read(ctx, 'map', {
      file: found.file,
      frames: scriptFrames,
      maxChars: budget.left,
    });
    for (const [index, frame] of frames.entries()) {
      const location = locations[index];
      if (!location) continue;
      const { isUnsymbolicated: _, method: __, ...rest } = frame;
      // If the map has no function names, the caller's position has the name.
      const method =
        location.method !== frame.method ? location.method : (locations[index + 1]?.calls ?? location.method);
      const isApp = frame.isApp !== false && !location.file.includes('node_modules/');
      replaced.set(frame, [
        {
          ...(rest as F),
          isApp,
          file: location.file,
          line: location.line,
          column: location.column,
          ...(method === undefined ? {} : { method }),
        },
      ]);
    }
    return { used: [found.row], ...(isCut ? { note: CUT_NAMES } : {}) };
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof WorkerLimit)) throw error;
    return {
      used: [],
      note: `The source map of version ${input.version} (${input.build}) cannot be read: ${error.message}`,
    };
  }
}
