import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY } from '../../kernel/clock.ts';
import { WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { SourceLocation } from './formats/images.ts';
import type { JavaFrame } from './formats/proguard.ts';
import type { ScriptFrame } from './formats/source-map.ts';
import type { WantedSymbols } from './missing-symbols.ts';
import { CUT_NAMES, createNameBudget, type NameBudget } from './name-budget.ts';
import { demangle, findPlaces, isSwift } from './native-symbols.ts';
import { read, type WalkedDump } from './reading.ts';
import { copyBlob, localFile, withWorkFolder } from './symbol-files.ts';
import {
  findAppPath,
  findSymbolsByIds,
  findSymbolsByName,
  listIgnored,
  listSymbolsOfVersion,
  touchSymbols,
} from './symbols.store.ts';
import type { SymbolsTable, SymbolType } from './symbols.tables.ts';
import { versionId } from './version-id.ts';

/** What of a frame matters here; whatever else it has, it keeps. */
export interface RawFrame {
  raw?: string;
  language?: string;
  /** Code of the app; symbols of others are looked for, but nobody is asked for them. */
  isApp?: boolean;
  className?: string;
  method?: string;
  isClassMethod?: boolean;
  file?: string;
  line?: number;
  column?: number;
  image?: string;
  imageId?: string;
  /** How far into the image the address is. */
  offset?: number;
  /** The offset is that of the call, not where it returns to. */
  isExact?: boolean;
  isUnsymbolicated?: boolean;
  /** The compiler put it into the frame after it. */
  isInlined?: boolean;
  /** What else it could be, where the report tells too little. */
  alternatives?: string[];
}

export interface RawStack<F extends RawFrame> {
  /** The type of the exception, if it is one. */
  type?: string;
  frames: readonly F[];
}

export interface Symbolication<F extends RawFrame> {
  appId: string;
  version: string;
  build: string;
  stacks: readonly RawStack<F>[];
  /** Of the build, or of an update of its scripts, where the report has one. */
  buildIds?: readonly string[];
}

/** Why frames of an image have no names, and what to do about it. */
export interface Unresolved extends WantedSymbols {
  reason: 'missing' | 'other-build' | 'ignored';
  message: string;
  /** What to run, if that would help. */
  command?: string;
}

export interface Symbolicated<F extends RawFrame> {
  stacks: { type?: string; frames: F[] }[];
  unresolved: Unresolved[];
  /** What a reader should know of those that were found. */
  notes: string[];
}

const MOST_IMAGES = 500;
/** Characters of the line in the report that a function inlined into a frame repeats. */
export const MAX_INLINED_RAW = 500;

/** The names of files and methods that R8 and ProGuard leave. */
const looksObfuscated = ({ className = '', file }: RawFrame): boolean =>
  file === 'SourceFile' || file === 'Unknown Source' || file === 'PG' || /(^|\.)[a-zA-Z]{1,2}\d?$/.test(className);

const isNative = (frame: RawFrame): frame is RawFrame & { imageId: string; offset: number } =>
  frame.imageId !== undefined && frame.imageId !== '' && frame.offset !== undefined;
const isJava = ({ language, className, method }: RawFrame): boolean =>
  language === 'Java' && className !== undefined && method !== undefined;
const isScript = ({ language, line, column, isUnsymbolicated }: RawFrame): boolean =>
  language === 'JavaScript' && line !== undefined && column !== undefined && isUnsymbolicated === true;

/** `-[Cart pay]` is the method pay of Cart; everything else is a name as it is. */
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

const typeOfImage = (id: string): SymbolType =>
  /^[0-9a-f]{32}$/.test(id) ? 'Apple' : /^[0-9a-f]{32}-/.test(id) ? 'UWP' : 'Breakpad';

const fileOf: Readonly<Record<SymbolType, (name: string) => string>> = {
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
  return `mooring symbols upload ${quoted(fileOf[type](name))} --app ${path}${ofVersion}`;
}

const whatOf: Readonly<Record<SymbolType, string>> = {
  Apple: 'the dSYM',
  Breakpad: 'the .sym file or the .so that is not stripped',
  AndroidProguard: 'the mapping.txt',
  JavaScript: 'the source map',
  UWP: 'the .appxsym',
};

async function explainImage(
  ctx: Ctx,
  appId: string,
  explaining: Explaining,
  wanted: WantedSymbols,
): Promise<Unresolved> {
  const { id, name, type } = wanted;
  if (explaining.ignored.has(id)) {
    return { ...wanted, reason: 'ignored', message: `Symbols of ${name} (${dashed(id)}) are ignored.` };
  }
  const command = commandFor(explaining, type, name);
  const [other] = (await findSymbolsByName.all(ctx.db, { appId, name })).filter(({ symbol_id }) => symbol_id !== id);
  if (other) {
    const message = `There are symbols of ${name}, but of another build: theirs is ${dashed(other.symbol_id)}, the report has ${dashed(id)}. Upload ${whatOf[type]} that was made together with version ${explaining.version} (${explaining.build}).`;
    return { ...wanted, reason: 'other-build', message, command };
  }
  const message = `Symbols of ${name} (${dashed(id)}) are missing: upload ${whatOf[type]}.`;
  return { ...wanted, reason: 'missing', message, command };
}

/** Characters of a frame that each function inlined into it repeats. */
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
  const asked = new Map<string, { frame: F; offset: number }[]>();
  for (const { frames } of stacks) {
    for (const [index, frame] of frames.entries()) {
      if (!isNative(frame)) continue;
      // All but the innermost say where they return to, which may be the next line already.
      const offset = index === 0 || frame.isExact ? frame.offset : Math.max(0, frame.offset - 1);
      const list = asked.get(frame.imageId) ?? [];
      list.push({ frame, offset });
      asked.set(frame.imageId, list);
    }
  }
  const ids = [...asked.keys()].slice(0, MOST_IMAGES);
  const rows = ids.length === 0 ? [] : await findSymbolsByIds(ctx.db, appId, ids);
  const byId = new Map(
    rows.flatMap((row) => [[row.symbol_id, row] as const, ...(row.alias ? [[row.alias, row] as const] : [])]),
  );
  const unresolved: Unresolved[] = [];
  const notes = new Set<string>();
  const used: SymbolsTable[] = [];
  for (const id of ids) {
    const locations = asked.get(id) ?? [];
    const row = byId.get(id);
    if (!row) {
      const [first] = locations.filter(({ frame }) => frame.isApp !== false);
      if (!first) continue;
      const wanted = { id, name: first.frame.image ?? id, type: typeOfImage(id), arch: '' };
      unresolved.push(await explainImage(ctx, appId, explaining, wanted));
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

/** Those that a report names itself come before those of its version. */
async function candidates(
  ctx: Ctx,
  { appId, version, build, buildIds = [] }: Symbolication<RawFrame>,
  format: 'mapping' | 'source-map',
): Promise<SymbolsTable[]> {
  const ids = buildIds.filter((id) => id !== '').map((id) => id.replaceAll('-', '').toLowerCase());
  const byId = ids.length === 0 ? [] : await findSymbolsByIds(ctx.db, appId, [...ids, ...buildIds]);
  const byVersion = await listSymbolsOfVersion.all(ctx.db, { appId, version, build });
  return [...byId, ...byVersion].filter((row) => row.format === format);
}

async function retrace<F extends RawFrame>(
  ctx: Ctx,
  input: Symbolication<F>,
  replaced: Map<F, F[]>,
  types: Map<RawStack<F>, string>,
  budget: NameBudget,
): Promise<{ used: SymbolsTable[]; wanted?: WantedSymbols; note?: string }> {
  const stacks = input.stacks.filter(({ frames }) => frames.some(isJava));
  if (stacks.length === 0) return { used: [] };
  const found = await fileFor(ctx, await candidates(ctx, input, 'mapping'));
  if (!found) {
    const isObfuscated = stacks.some(({ frames }) =>
      frames.some((frame) => isJava(frame) && frame.isApp !== false && looksObfuscated(frame)),
    );
    const id = versionId('AndroidProguard', input.version, input.build);
    return isObfuscated
      ? { used: [], wanted: { id, name: 'mapping.txt', type: 'AndroidProguard', arch: '' } }
      : { used: [] };
  }
  const javaStacks = stacks.map(({ frames, type }) => {
    const java = frames.filter(isJava);
    const toJava = ({ className = '', method = '', file, line }: F): JavaFrame => ({ className, method, file, line });
    return { java, asked: { frames: java.map(toJava), thrown: type } };
  });
  const named = stacks.filter(({ type }) => type !== undefined);
  try {
    const answer = await read(ctx, 'retrace', {
      file: found.file,
      stacks: javaStacks.map(({ asked }) => asked),
      types: named.map(({ type }) => type ?? ''),
      maxChars: budget.left,
    });
    for (const [at, { java }] of javaStacks.entries()) {
      for (const [index, frame] of java.entries()) {
        const found = answer.stacks[at]?.[index];
        if (!found) continue;
        const chain = budget.take(found, ownChars(frame));
        // None is right for a frame that the compiler made, and wrong for one whose names take too much.
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
      const type = answer.types[index];
      if (type !== undefined) types.set(stack, type);
    }
    return { used: [found.row], ...(answer.isCut ? { note: CUT_NAMES } : {}) };
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof WorkerLimit)) throw error;
    return {
      used: [],
      note: `The mapping of version ${input.version} (${input.build}) cannot be read: ${error.message}`,
    };
  }
}

/** Names that the device told itself, where no symbols told better ones. */
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
): Promise<{ used: SymbolsTable[]; wanted?: WantedSymbols; note?: string }> {
  const frames = input.stacks.flatMap((stack) => stack.frames.filter(isScript));
  const [first] = frames;
  if (!first) return { used: [] };
  const rows = await candidates(ctx, input, 'source-map');
  const name = baseName(frames.find(({ file }) => file)?.file);
  // A map that names the bundle is better than one that does not.
  const ordered = rows.toSorted(
    (one, other) => Number(baseName(other.name) === name) - Number(baseName(one.name) === name),
  );
  const found = await fileFor(ctx, ordered);
  if (!found) {
    const id = versionId('JavaScript', input.version, input.build);
    return { used: [], wanted: { id, name: name || 'index.bundle', type: 'JavaScript', arch: '' } };
  }
  const asked = frames.map(
    ({ method, file, line = 0, column = 0, raw = '' }): ScriptFrame => ({
      method,
      file,
      line,
      column,
      isOffset: raw.includes('address at '),
    }),
  );
  try {
    const { locations, isCut } = await read(ctx, 'map', { file: found.file, frames: asked, maxChars: budget.left });
    for (const [index, frame] of frames.entries()) {
      const location = locations[index];
      if (!location) continue;
      const { isUnsymbolicated: _, method: __, ...rest } = frame;
      // Whoever called it knows its name, where the map tells no names of functions.
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

/** Says when symbols were needed last, to the day. */
async function noteUse(ctx: Ctx, appId: string, used: readonly SymbolsTable[]): Promise<void> {
  const now = ctx.clock.now();
  const stale = used.filter(({ used_at }) => used_at < now - DAY).map(({ symbol_id }) => symbol_id);
  if (stale.length > 0) await tx(ctx, ({ db }) => touchSymbols(db, appId, stale, now));
}

/**
 * Turns addresses, obfuscated names and places in bundles into names and lines, as far as symbols are here; of the rest it says
 * what is missing and how to bring it. Takes its time: not for the inside of a transaction.
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
  for (const { wanted } of others) {
    if (!wanted) continue;
    const { type } = wanted;
    const command = commandFor(explaining, type, wanted.name);
    const message = `${type === 'AndroidProguard' ? 'Names are obfuscated, and the mapping' : 'The source map'} of version ${version} (${build}) is missing: upload ${whatOf[type]}.`;
    unresolved.push(
      ignored.has(wanted.id)
        ? { ...wanted, reason: 'ignored', message: `${whatOf[type]} of version ${version} (${build}) is ignored.` }
        : { ...wanted, reason: 'missing', message, command },
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
 * Reads a minidump and walks the stacks of its threads, with the rules of Breakpad symbols where those are here. Its frames
 * have addresses only: `symbolicate` names them (they are exact).
 */
export const walkMinidump = (ctx: Ctx, { appId, blobKey }: { appId: string; blobKey: string }): Promise<WalkedDump> =>
  withWorkFolder(ctx, async (folder) => {
    const file = `${folder}/dump`;
    if (!(await copyBlob(ctx, blobKey, file))) throw new Unreadable('The minidump is gone.');
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
