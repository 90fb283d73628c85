import { isDotnetApp } from '../../stacks/dotnet.ts';
import { isJavaApp } from '../../stacks/java.ts';
import { isJavascriptApp, plainScript } from '../../stacks/javascript.ts';
import {
  type ExceptionStack,
  emptyStack,
  type Frame,
  type Image,
  type Platform,
  type Stack,
} from '../../stacks/stack.ts';
import { type Fields, isObject, toInteger, toList, toObject, toText } from '../values.ts';
import {
  baseName,
  type DebugReferences,
  listImages,
  readDebugReferences,
  toAddress,
  toImageId,
} from './debug-references.ts';
import {
  findRange,
  type ImageRange,
  isInBundle,
  parseAddress,
  readSymbol,
  takeEnds,
  toImageRanges,
} from './log-stack.ts';

const MAX_FRAMES = 256;
const MAX_EXCEPTIONS = 32;
const MAX_THREADS = 512;
const MAX_IMAGES = 2000;
const MAX_NAME_LENGTH = 1024;
const MAX_MESSAGE_LENGTH = 8192;
const MAX_FINGERPRINT = 32;

/** The event of a Sentry SDK in a log, if it has one. */
export const getSentryEvent = (log: Fields): Fields | undefined => (isObject(log.sentry) ? log.sentry : undefined);

const MAX_SOURCE_MAPS = 20;

/** IDs of the source maps of an event's scripts. */
export const listSourceMapIds = (log: Fields): unknown[] =>
  listImages(getSentryEvent(log) ?? {})
    .filter(({ type }) => type === 'sourcemap')
    .slice(0, MAX_SOURCE_MAPS)
    .map(({ debug_id }) => debug_id);

/** Some SDKs send a list, others an object with it. */
const toValues = (value: unknown): Fields[] =>
  toList(Array.isArray(value) ? value : toObject(value).values).filter(isObject);

function detectSentryPlatform(event: Fields, log: Fields): Platform {
  const device = toObject(log.device);
  const sdk = toText(device.sdkName) ?? '';
  const os = toText(device.osName) ?? '';
  const isAndroid = os === 'Android';
  if (event.has_minidump === true) return 'ndk';
  if (sdk.includes('react-native')) return 'react-native';
  if (sdk.includes('unity')) return 'unity';
  if (event.platform === 'csharp') return 'xamarin';
  if (event.platform === 'cocoa') return 'ios';
  if (event.platform === 'native') return isAndroid ? 'ndk' : 'other';
  if (event.platform === 'java') return isAndroid || sdk.includes('android') ? 'android' : 'other';
  return 'other';
}

interface Reading {
  stack: Stack;
  references: DebugReferences;
  ranges: readonly ImageRange[];
  namespace: string;
  platform: string;
}

function toNativeFrame(fields: Fields, { ranges, references }: Reading): Frame {
  const shown = toAddress(fields.instruction_addr);
  const address = parseAddress(shown);
  const relative = references.findImage(fields);
  const range = address === undefined || relative ? undefined : findRange(address, ranges);
  const path = toText(fields.package, MAX_NAME_LENGTH) ?? '';
  const image = range?.image;
  const name = image?.name ?? (relative?.name || baseName(path));
  const symbol = toText(fields.function, MAX_NAME_LENGTH);
  const file = toText(fields.filename, MAX_NAME_LENGTH);
  const line = toInteger(fields.lineno);
  return {
    raw: [name, shown, symbol].filter(Boolean).join(' '),
    language: 'Unknown',
    isApp: typeof fields.in_app === 'boolean' ? fields.in_app : (image?.isApp ?? false),
    ...(symbol ? readSymbol(symbol) : { isUnsymbolicated: true }),
    ...(file && symbol ? { file } : {}),
    ...(symbol && line !== undefined && line > 0 ? { line } : {}),
    ...(shown ? { address: shown } : {}),
    ...(name ? { image: name } : {}),
    ...(image && range && address !== undefined ? { imageId: image.id, offset: Number(address - range.first) } : {}),
    ...(relative && address !== undefined ? { imageId: relative.id, offset: Number(address) } : {}),
  };
}

/** The place of a frame of .NET in the code of its method. */
function toMethodPlace(fields: Fields, references: DebugReferences): Partial<Frame> {
  const image = references.findImage(fields);
  const token = parseAddress(toAddress(fields.function_id));
  const offset = parseAddress(toAddress(fields.instruction_addr));
  if (!image || token === undefined || offset === undefined) return {};
  // The first byte of a token is its table.
  const methodNumber = Number(token & 0xffffffn);
  return { image: image.name, imageId: image.id, methodNumber, offset: Number(offset), isExact: true };
}

/** `Cart.pay` of a module, or a function alone. */
function toManagedFrame(fields: Fields, { namespace, platform, references }: Reading): Frame {
  const own = toText(fields.platform, 20) ?? platform;
  const isScript = own === 'javascript' || own === 'node';
  const module = toText(fields.module, MAX_NAME_LENGTH);
  const called = toText(fields.function, MAX_NAME_LENGTH);
  const method = called === undefined || called === '?' || called === '<anonymous>' ? undefined : called;
  const path = toText(fields.filename, MAX_NAME_LENGTH) ?? toText(fields.abs_path, MAX_NAME_LENGTH);
  const file = isScript && path ? plainScript(path).file : path;
  const line = toInteger(fields.lineno);
  const column = toInteger(fields.colno);
  const className = isScript ? undefined : module;
  const debugId = isScript ? references.findScript(fields) : undefined;
  const place = file && (line === undefined ? file : `${file}:${line}`);
  const name = [className, method].filter(Boolean).join('.');
  const guessed = isScript
    ? isJavascriptApp(path ?? '')
    : own === 'csharp'
      ? isDotnetApp(module ?? '')
      : own === 'java'
        ? isJavaApp(module ?? '', namespace)
        : module !== undefined || file !== undefined;
  return {
    raw: `at ${name || '<unknown>'} (${place ?? 'unknown source'})`,
    language: isScript ? 'JavaScript' : own === 'csharp' ? 'CSharp' : own === 'java' ? 'Java' : 'Unknown',
    isApp: typeof fields.in_app === 'boolean' ? fields.in_app : guessed,
    ...(className ? { className } : {}),
    ...(method ? { method } : {}),
    ...(file ? { file } : {}),
    ...(line === undefined || line < 1 ? {} : { line }),
    ...(column === undefined || column < 1 || !isScript ? {} : { column }),
    ...(isScript && (debugId || (path && plainScript(path).isPacked)) ? { isUnsymbolicated: true } : {}),
    ...(debugId ? { imageId: debugId } : {}),
    ...(isScript ? {} : toMethodPlace(fields, references)),
  };
}

const isNative = (fields: Fields, { platform }: Reading): boolean => {
  const own = toText(fields.platform, 20) ?? platform;
  if (own === 'native' || own === 'cocoa') return true;
  return fields.instruction_addr !== undefined && fields.module === undefined && fields.lineno === undefined;
};

/** SDKs send the oldest call first. */
function readFrames(stacktrace: unknown, reading: Reading): Frame[] {
  const all = toList(toObject(stacktrace).frames).filter(isObject).reverse();
  const selected = takeEnds(all, MAX_FRAMES, (left) => {
    reading.stack.notes.push(`Omitted ${left} of ${all.length} frames from the middle of a stack.`);
  });
  return selected.map((fields) => (isNative(fields, reading) ? toNativeFrame : toManagedFrame)(fields, reading));
}

function readException(fields: Fields, reading: Reading): ExceptionStack {
  const module = toText(fields.module, MAX_NAME_LENGTH);
  const type = toText(fields.type, MAX_NAME_LENGTH) ?? '';
  const isQualified = reading.platform === 'java' && module !== undefined && !type.includes('.');
  return {
    type: isQualified ? `${module}.${type}` : type,
    message: toText(fields.value, MAX_MESSAGE_LENGTH) ?? '',
    frames: readFrames(fields.stacktrace, reading),
  };
}

const getMechanism = (exception: Fields | undefined): Fields => toObject(exception?.mechanism);

/** Exceptions in the order of their tree: each is followed by its causes. Undefined if they have no IDs. */
function orderByIds(exceptions: readonly Fields[]): Fields[] | undefined {
  const ids = exceptions.map((exception) => toInteger(getMechanism(exception).exception_id));
  if (ids.some((id) => id === undefined) || new Set(ids).size < ids.length) return undefined;
  const children = Map.groupBy(exceptions, (exception) => toInteger(getMechanism(exception).parent_id));
  const ordered: Fields[] = [];
  const seen = new Set<Fields>();
  const waiting = [...(children.get(undefined) ?? [])];
  while (waiting.length > 0) {
    const next = waiting.shift();
    if (!next || seen.has(next)) continue;
    seen.add(next);
    ordered.push(next);
    const byId = (children.get(toInteger(getMechanism(next).exception_id)) ?? []).toSorted(
      (a, b) => (toInteger(getMechanism(a).exception_id) ?? 0) - (toInteger(getMechanism(b).exception_id) ?? 0),
    );
    waiting.unshift(...byId);
  }
  return ordered.length === exceptions.length ? ordered : undefined;
}

/** Outermost first. SDKs send it last, except React Native, which sends native causes after the JavaScript error. */
function orderExceptions(exceptions: readonly Fields[]): readonly Fields[] {
  const ordered = orderByIds(exceptions);
  if (ordered) return ordered;
  const [first, last] = [exceptions[0], exceptions.at(-1)];
  const isOutermostFirst =
    getMechanism(first).handled !== undefined && getMechanism(last).handled === undefined && exceptions.length > 1;
  return isOutermostFirst ? exceptions : exceptions.toReversed();
}

/** Images without an address count only where frames name them; those of source code have no file. */
const isFile = (type: unknown): boolean => ['elf', 'macho', 'apple', 'pe', 'pe_dotnet'].includes(String(type));

function readImages(event: Fields, notes: string[]): Image[] {
  const all = listImages(event);
  if (all.length > MAX_IMAGES) notes.push(`Omitted ${all.length - MAX_IMAGES} of ${all.length} binaries.`);
  return all.slice(0, MAX_IMAGES).flatMap((fields) => {
    const start = toAddress(fields.image_addr);
    const size = toInteger(fields.image_size);
    if (start === undefined && !isFile(fields.type)) return [];
    const path = toText(fields.code_file, MAX_NAME_LENGTH) ?? toText(fields.name, MAX_NAME_LENGTH) ?? '';
    const first = parseAddress(start);
    const end = first === undefined ? '' : `0x${(first + BigInt(Math.max(1, size ?? 1)) - 1n).toString(16)}`;
    return {
      id: toImageId(fields.type, fields.debug_id ?? fields.uuid ?? fields.id),
      name: baseName(path),
      path,
      start: start ?? '',
      end,
      architecture: toText(fields.arch, 50) ?? '',
      isApp: isInBundle(path, undefined),
    };
  });
}

/** The thread that crashed. In a report about an app that did not respond, only the main thread is marked. */
function findCrashedThread(threads: readonly Fields[], isHang: boolean): number | undefined {
  const crashed = threads.findIndex((thread) => thread.crashed === true);
  const main = isHang ? threads.findIndex((thread) => thread.main === true) : -1;
  return [crashed, main].find((at) => at >= 0);
}

/** The message of an event without an exception. */
function readMessage({ message, logentry }: Fields): string {
  const { formatted, message: template } = toObject(isObject(message) ? message : logentry);
  return (
    toText(message, MAX_MESSAGE_LENGTH) ??
    toText(formatted, MAX_MESSAGE_LENGTH) ??
    toText(template, MAX_MESSAGE_LENGTH) ??
    ''
  );
}

function describeSignal(event: Fields, stack: Stack): void {
  for (const exception of toValues(event.exception)) {
    const meta = toObject(getMechanism(exception).meta);
    const mach = toObject(meta.mach_exception);
    const machName = toText(mach.name, 50) ?? toText(mach.exception, 20);
    if (machName !== undefined) {
      const codes = [mach.code, mach.subcode].flatMap((code) => toText(code, 20) ?? []);
      stack.notes.push(`Mach exception ${[machName, ...codes].join(' ')}.`);
    }
    const { name, number, code_name, code } = toObject(isObject(meta.signal) ? meta.signal : meta);
    const signal = toText(name, 50);
    if (signal === undefined) continue;
    const reason = toText(code_name, 50) ?? toText(code, 20);
    stack.notes.push(
      `Signal ${[signal, toText(number, 10) && `(${toText(number, 10)})`, reason].filter(Boolean).join(' ')}.`,
    );
    return;
  }
}

/** Extracts the stack from the event of a Sentry SDK, within limits; notes say what was omitted. */
export function readSentryStack(log: Fields, event: Fields): Stack {
  const stack = emptyStack(detectSentryPlatform(event, log));
  stack.images = readImages(event, stack.notes);
  const references = readDebugReferences(event);
  if (references.mappingIds.length > 0) stack.mappingIds = references.mappingIds;
  const reading: Reading = {
    stack,
    references,
    ranges: toImageRanges(stack.images),
    namespace: toText(toObject(log.device).appNamespace) ?? '',
    platform: toText(event.platform, 20) ?? '',
  };
  const exceptions = toValues(event.exception);
  const selected = takeEnds(exceptions, MAX_EXCEPTIONS, (left) => {
    stack.notes.push(`Omitted ${left} of ${exceptions.length} exceptions from the middle of a chain of causes.`);
  });
  stack.exceptions = orderExceptions(selected).map((fields) => readException(fields, reading));
  const threads = toValues(event.threads);
  if (threads.length > MAX_THREADS)
    stack.notes.push(`Omitted ${threads.length - MAX_THREADS} of ${threads.length} threads.`);
  const crashedAt = findCrashedThread(threads, log.isHang === true);
  stack.threads = threads.slice(0, MAX_THREADS).map((fields, at) => ({
    id: toInteger(fields.id) ?? at,
    name: toText(fields.name, 256) ?? '',
    isCrashed: crashedAt === at,
    frames: readFrames(fields.stacktrace, reading),
  }));
  const message = readMessage(event);
  if (stack.exceptions.length === 0) {
    const current = crashedAt ?? threads.findIndex(({ current }) => current === true);
    const frames = stack.threads[current]?.frames ?? readFrames(event.stacktrace, reading);
    const type = event.has_minidump === true ? 'minidump' : '';
    if (type || message || frames.length > 0) stack.exceptions = [{ type, message, frames }];
  } else if (stack.exceptions.every(({ frames }) => frames.length === 0)) {
    const crashed = stack.threads.find(({ isCrashed }) => isCrashed);
    const [outermost] = stack.exceptions;
    if (crashed && outermost) outermost.frames = crashed.frames;
  }
  // Several exceptions may be causes of one, or suppressed by it.
  stack.isTitledByOutermost = true;
  describeSignal(event, stack);
  const fingerprint = toList(event.fingerprint).flatMap((part) => toText(part, 200) ?? []);
  const isDefault = fingerprint.length === 1 && fingerprint[0] === DEFAULT_FINGERPRINT;
  if (fingerprint.length > 0 && !isDefault) stack.fingerprint = fingerprint.slice(0, MAX_FINGERPRINT);
  return stack;
}

const DEFAULT_FINGERPRINT = '{{ default }}';
