import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY } from '../../kernel/clock.ts';
import { WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { SourceLocation } from './formats/images.ts';
import type { JavaFrame } from './formats/proguard.ts';
import type { ScriptFrame } from './formats/source-map.ts';
import type { RequestedSymbols } from './missing-symbols.ts';
import { CUT_NAMES, createNameBudget, type NameBudget } from './name-budget.ts';
import { demangle, findPlaces, isSwift } from './native-symbols.ts';
import { read, type WalkedDump } from './reading.ts';
import { copyBlob, localFile, withWorkFolder } from './symbol-files.ts';
import {
  findAppPath,
  findSymbolsByIds,
  findSymbolsByName,
  listIgnored,
  listVersionSymbols,
  touchSymbols,
} from './symbols.store.ts';
import type { SymbolsTable, SymbolType } from './symbols.tables.ts';
import { versionId } from './version-id.ts';

/** The fields of a frame that symbolication uses; others are preserved. */
export interface RawFrame {
  raw?: string;
  language?: string;
  /** Code of the app. Symbols of other code are looked up, but not reported as missing. */
  isApp?: boolean;
  className?: string;
  method?: string;
  isClassMethod?: boolean;
  file?: string;
  line?: number;
  column?: number;
  image?: string;
  imageId?: string;
  /** Offset of the address in the image. */
  offset?: number;
  /** The offset is that of the call, not the return address. */
  isExact?: boolean;
  isUnsymbolicated?: boolean;
  /** Inlined into the following frame. */
  isInlined?: boolean;
  /** Other candidates, if the report is ambiguous. */
  alternatives?: string[];
}

export interface RawStack<F extends RawFrame> {
  /** Type of the exception, for exceptions. */
  type?: string;
  frames: readonly F[];
}

export interface Symbolication<F extends RawFrame> {
  appId: string;
  version: string;
  build: string;
  stacks: readonly RawStack<F>[];
  /** IDs of the build or of its script update, if the report has them. */
  buildIds?: readonly string[];
}

/** The reason why frames of an image have no names, and the remedy. */
export interface Unresolved extends RequestedSymbols {
  reason: 'missing' | 'other-build' | 'ignored';
  message: string;
  /** Command that would fix it. */
  command?: string;
}

export interface Symbolicated<F extends RawFrame> {
  stacks: { type?: string; frames: F[] }[];
  unresolved: Unresolved[];
  /** Notes for readers about symbols that were found. */
  notes: string[];
}

const MAX_IMAGES = 500;
/** Characters of the raw line that each inlined frame repeats. */
export const MAX_INLINED_RAW = 500;

/** Recognizes names of files and methods after R8 and ProGuard. */
const looksObfuscated = ({ className = '', file }: RawFrame): boolean =>
  file === 'SourceFile' || file === 'Unknown Source' || file === 'PG' || /(^|\.)[a-zA-Z]{1,2}\d?$/.test(className);

const isNative = (frame: RawFrame): frame is RawFrame & { imageId: string; offset: number } =>
  frame.imageId !== undefined && frame.imageId !== '' && frame.offset !== undefined;
const isJava = ({ language, className, method }: RawFrame): boolean =>
  language === 'Java' && className !== undefined && method !== undefined;
const isScript = ({ language, line, column, isUnsymbolicated }: RawFrame): boolean =>
  language === 'JavaScript' && line !== undefined && column !== undefined && isUnsymbolicated === true;

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

const dashed = (id: string): string =>
  /^[0-9a-f]{32}$/.test(id) ? id.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : id;

const getImageType = (id: string): SymbolType =>
  /^[0-9a-f]{32}$/.test(id) ? 'Apple' : /^[0-9a-f]{32}-/.test(id) ? 'UWP' : 'Breakpad';

const fileNameByType: Readonly<Record<SymbolType, (name: string) => string>> = {
  Apple: (name) => `${name}.app.dSYM`,
  Breakpad: (name) => name,
  AndroidProguard: () => 'mapping.txt',
  JavaScript: (name) => `${name || 'index.bundle'}.map`,
  UWP: (name) => `${name}.appxsym`,
};

interface Explaining {
  path: string;
  version: string;
  build: string;
  ignored: ReadonlySet<string>;
}

const quoted = (text: string): string => (/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function commandFor({ path, version, build }: Explaining, type: SymbolType, name: string): string {
  const ofVersion =
    type === 'AndroidProguard' || type === 'JavaScript' ? ` --version ${quoted(version)} --build ${quoted(build)}` : '';
  return `mooring symbols upload ${path} ${quoted(fileNameByType[type](name))}${ofVersion}`;
}

const symbolLabels: Readonly<Record<SymbolType, string>> = {
  Apple: 'the dSYM',
  Breakpad: 'the .sym file or the unstripped .so',
  AndroidProguard: 'the mapping.txt',
  JavaScript: 'the source map',
  UWP: 'the .appxsym',
};

async function explainImage(
  ctx: Ctx,
  appId: string,
  explaining: Explaining,
  requested: RequestedSymbols,
): Promise<Unresolved> {
  const { id, name, type } = requested;
  if (explaining.ignored.has(id)) {
    return { ...requested, reason: 'ignored', message: `Symbols of ${name} (${dashed(id)}) are ignored.` };
  }
  const command = commandFor(explaining, type, name);
  const [other] = (await findSymbolsByName.all(ctx.db, { appId, name })).filter(({ symbol_id }) => symbol_id !== id);
  if (other) {
    const message = `The uploaded symbols of ${name} are from another build: they have the ID ${dashed(other.symbol_id)}, the report has ${dashed(id)}. Upload ${symbolLabels[type]} from the build of version ${explaining.version} (${explaining.build}).`;
    return { ...requested, reason: 'other-build', message, command };
  }
  const message = `Symbols of ${name} (${dashed(id)}) are missing. Upload ${symbolLabels[type]}.`;
  return { ...requested, reason: 'missing', message, command };
}

/** Characters of a frame that each inlined function repeats. */
const ownChars = ({ raw = '', image = '', imageId = '', className = '', file = '', method = '' }: RawFrame): number =>
  Math.min(raw.length, MAX_INLINED_RAW) +
  [image, imageId, className, file, method].reduce((sum, { length }) => sum + length, 0);

async function symbolicateImages<F extends RawFrame>(
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

/** Symbols that the report names by ID come before those of its version. */
async function candidates(
  ctx: Ctx,
  { appId, version, build, buildIds = [] }: Symbolication<RawFrame>,
  format: 'mapping' | 'source-map',
): Promise<SymbolsTable[]> {
  const ids = buildIds.filter((id) => id !== '').map((id) => id.replaceAll('-', '').toLowerCase());
  const byId = ids.length === 0 ? [] : await findSymbolsByIds(ctx.db, appId, [...ids, ...buildIds]);
  const byVersion = await listVersionSymbols.all(ctx.db, { appId, version, build });
  return [...byId, ...byVersion].filter((row) => row.format === format);
}

async function retrace<F extends RawFrame>(
  ctx: Ctx,
  input: Symbolication<F>,
  replaced: Map<F, F[]>,
  types: Map<RawStack<F>, string>,
  budget: NameBudget,
): Promise<{ used: SymbolsTable[]; requested?: RequestedSymbols; note?: string }> {
  const stacks = input.stacks.filter(({ frames }) => frames.some(isJava));
  if (stacks.length === 0) return { used: [] };
  const found = await fileFor(ctx, await candidates(ctx, input, 'mapping'));
  if (!found) {
    const isObfuscated = stacks.some(({ frames }) =>
      frames.some((frame) => isJava(frame) && frame.isApp !== false && looksObfuscated(frame)),
    );
    const id = versionId('AndroidProguard', input.version, input.build);
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

const baseName = (file: string | undefined): string => file?.split(/[/\\]/).at(-1) ?? '';

async function mapScripts<F extends RawFrame>(
  ctx: Ctx,
  input: Symbolication<F>,
  replaced: Map<F, F[]>,
  budget: NameBudget,
): Promise<{ used: SymbolsTable[]; requested?: RequestedSymbols; note?: string }> {
  const frames = input.stacks.flatMap((stack) => stack.frames.filter(isScript));
  const [first] = frames;
  if (!first) return { used: [] };
  const rows = await candidates(ctx, input, 'source-map');
  const name = baseName(frames.find(({ file }) => file)?.file);
  // Prefer a source map that names the bundle.
  const ordered = rows.toSorted(
    (one, other) => Number(baseName(other.name) === name) - Number(baseName(one.name) === name),
  );
  const found = await fileFor(ctx, ordered);
  if (!found) {
    const id = versionId('JavaScript', input.version, input.build);
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
  const swiftNote = await readSwift(ctx, input, replaced);
  const others = [await retrace(ctx, input, replaced, types, budget), await mapScripts(ctx, input, replaced, budget)];
  const unresolved = [...native.unresolved];
  for (const { requested } of others) {
    if (!requested) continue;
    const { type } = requested;
    const command = commandFor(explaining, type, requested.name);
    const message = `${type === 'AndroidProguard' ? 'Names are obfuscated, and the mapping' : 'The source map'} of version ${version} (${build}) is missing. Upload ${symbolLabels[type]}.`;
    unresolved.push(
      ignored.has(requested.id)
        ? {
            ...requested,
            reason: 'ignored',
            message: `${symbolLabels[type]} of version ${version} (${build}) is ignored.`,
          }
        : { ...requested, reason: 'missing', message, command },
    );
  }
  await noteUse(ctx, appId, [...native.used, ...others.flatMap(({ used }) => used)]);
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
