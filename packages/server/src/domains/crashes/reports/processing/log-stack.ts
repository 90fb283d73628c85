import { isDotnetApp } from '../../stacks/dotnet.ts';
import { isJavaApp } from '../../stacks/java.ts';
import {
  type ExceptionStack,
  emptyStack,
  type Frame,
  type Image,
  type Platform,
  type Stack,
} from '../../stacks/stack.ts';
import { readStackText } from '../../stacks/stack-text.ts';
import { cut, type Fields, isObject, toInteger, toList, toObject, toText } from '../values.ts';

const MAX_FRAMES = 256;
const MAX_CAUSES = 16;
const MAX_THREADS = 512;
const MAX_IMAGES = 2000;
const MAX_REGISTERS = 100;
const MAX_NAME_LENGTH = 1024;
const MAX_MESSAGE_LENGTH = 8192;
const MAX_TEXT_LENGTH = 512 * 1024;

/** Beginning and end of a list that is too long. */
export function takeEnds<T>(list: readonly T[], most: number, note: (left: number) => void): readonly T[] {
  if (list.length <= most) return list;
  note(list.length - most);
  return [...list.slice(0, most / 2), ...list.slice(-most / 2)];
}

export function detectPlatform(log: Fields): Platform {
  const device = toObject(log.device);
  const exception = toObject(log.exception);
  const wrapper = `${toText(exception.wrapperSdkName) ?? toText(device.wrapperSdkName) ?? ''}`;
  const sdk = toText(device.sdkName) ?? '';
  if (wrapper.includes('ndk')) return 'ndk';
  if (wrapper.includes('react-native')) return 'react-native';
  if (wrapper.includes('unity')) return 'unity';
  if (wrapper.includes('xamarin') || wrapper.includes('maui')) return 'xamarin';
  if (log.type === 'appleError' || /\.(ios|macos|tvos|maccatalyst)$/.test(sdk)) return 'ios';
  if (sdk.includes('android')) return 'android';
  return 'other';
}

interface Reading {
  platform: Platform;
  namespace: string;
  ranges: readonly ImageRange[];
  stack: Stack;
}

export interface ImageRange {
  first: bigint;
  last: bigint;
  image: Image;
}

const hex = /^(?:0x)?([0-9a-f]{1,16})$/i;
export const parseAddress = (value: unknown): bigint | undefined => {
  const [, digits] = hex.exec(String(value ?? '')) ?? [];
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
};

/** Sorted by start address. */
export const toImageRanges = (images: readonly Image[]): ImageRange[] =>
  images
    .flatMap((image) => {
      const [first, last] = [parseAddress(image.start), parseAddress(image.end)];
      return first === undefined || last === undefined ? [] : { first, last, image };
    })
    .sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));

/** Binary search for the image that contains an address. */
export function findRange(address: bigint, ranges: readonly ImageRange[]): ImageRange | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.first ?? 0n) <= address) low = middle + 1;
    else high = middle;
  }
  const found = ranges[low - 1];
  return found && address <= found.last ? found : undefined;
}

/** Parses symbols such as `-[Cart pay:]`, `$s4Shop…` and `main`. */
export function readSymbol(symbol: string): Pick<Frame, 'className' | 'method' | 'isClassMethod' | 'language'> {
  const [, sign, className, method] = /^([-+])\[([^\s\]]{1,500}) ([^\]]{1,500})\]$/.exec(symbol) ?? [];
  if (className && method) return { language: 'Objective-C', className, method, isClassMethod: sign === '+' };
  if (/^_?\$[sS]/.test(symbol)) return { language: 'Swift', method: symbol };
  if (/^_Z/.test(symbol) || symbol.includes('::')) return { language: 'Cpp', method: symbol };
  return { language: 'C', method: symbol };
}

/** A native frame: address, image, and symbol if the device knew it. */
function nativeFrame(fields: Fields, { ranges, platform }: Reading): Frame {
  const address = parseAddress(fields.address);
  const code = toText(fields.code, MAX_NAME_LENGTH) ?? '';
  const range = address === undefined ? undefined : findRange(address, ranges);
  const image = range?.image;
  const offset = address !== undefined && range ? Number(address - range.first) : undefined;
  const plus = code.lastIndexOf(' + ');
  const symbol = plus < 0 ? code : code.slice(0, plus);
  const isNamed = symbol !== '' && !symbol.startsWith('0x');
  const shown = toText(fields.address, 20) ?? '';
  return {
    raw: cut([image?.name, shown, code].filter(Boolean).join(' '), MAX_NAME_LENGTH),
    language: 'Unknown',
    isApp: image?.isApp ?? false,
    ...(isNamed ? readSymbol(symbol) : { isUnsymbolicated: true }),
    ...(shown ? { address: shown } : {}),
    ...(image ? { image: image.name, imageId: image.id } : {}),
    ...(offset === undefined ? {} : { offset }),
    ...(platform === 'ndk' && isNamed ? { language: 'Cpp' as const } : {}),
  };
}

function managedFrame(fields: Fields, { platform, namespace }: Reading): Frame {
  const className = toText(fields.className, MAX_NAME_LENGTH);
  const method = toText(fields.methodName, MAX_NAME_LENGTH);
  const file = toText(fields.fileName, MAX_NAME_LENGTH);
  const line = toInteger(fields.lineNumber);
  const isDotnet = platform === 'xamarin' || platform === 'unity' || platform === 'other';
  const isScript = platform === 'react-native' && className === undefined;
  const place = file && (line === undefined ? file : `${file}:${line}`);
  const called = [className, method].filter(Boolean).join('.');
  return {
    raw: toText(fields.code, MAX_NAME_LENGTH) ?? `at ${called}(${place ?? 'Unknown Source'})`,
    language: isScript ? 'JavaScript' : isDotnet ? 'CSharp' : 'Java',
    isApp: isDotnet ? isDotnetApp(className ?? '') : isJavaApp(className ?? '', namespace),
    ...(className ? { className } : {}),
    ...(method ? { method } : {}),
    ...(file ? { file } : {}),
    // Java uses −2 for native code and −1 for unknown lines.
    ...(line === undefined || line < 1 ? {} : { line }),
  };
}

function readFrames(value: unknown, reading: Reading): Frame[] {
  const { notes } = reading.stack;
  const all = toList(value).filter(isObject);
  const selected = takeEnds(all, MAX_FRAMES, (left) => {
    notes.push(`Omitted ${left} of ${all.length} frames from the middle of a stack.`);
  });
  return selected.map((fields) =>
    toText(fields.className) || toText(fields.methodName)
      ? managedFrame(fields, reading)
      : nativeFrame(fields, reading),
  );
}

/** An exception with its frames, as received or parsed from its text, followed by the causes that the text contains. */
function readException(fields: Fields, reading: Reading): ExceptionStack[] {
  const frames = readFrames(fields.frames, reading);
  const own = {
    type: toText(fields.type, MAX_NAME_LENGTH) ?? '',
    message: toText(fields.message, MAX_MESSAGE_LENGTH) ?? '',
    frames,
  };
  const text = typeof fields.stackTrace === 'string' ? fields.stackTrace : '';
  if (frames.length > 0 || text === '') return [own];
  if (text.length > MAX_TEXT_LENGTH)
    reading.stack.notes.push(`Cut the text of a stack, which has ${text.length} characters.`);
  const [first, ...causes] = readStackText(cut(text, MAX_TEXT_LENGTH), reading);
  const found = [{ ...own, frames: first?.frames ?? [] }, ...causes];
  return found.map((each) => ({
    ...each,
    frames: [
      ...takeEnds(each.frames, MAX_FRAMES, (left) => {
        reading.stack.notes.push(`Omitted ${left} frames from the middle of a stack.`);
      }),
    ],
  }));
}

/** The exception and its causes, outermost first; each of several causes is followed by its own. */
function readChain(value: unknown, reading: Reading): ExceptionStack[] {
  const chain: Fields[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.shift();
    if (!isObject(next)) continue;
    chain.push(next);
    waiting.unshift(...toList(next.innerExceptions).slice(0, 1000));
  }
  const selected = takeEnds(chain, MAX_CAUSES, (left) => {
    reading.stack.notes.push(`Omitted ${left} of ${chain.length} exceptions from the middle of a chain of causes.`);
  });
  return selected.flatMap((fields) => readException(fields, reading)).slice(0, 2 * MAX_CAUSES);
}

/** Symbols are stored under IDs without dashes. */
const normalizeImageId = (text: string): string =>
  text.toLowerCase().replace(/^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/, '$1$2$3$4$5');

function readImages(value: unknown, applicationPath: string | undefined, notes: string[]): Image[] {
  const all = toList(value).filter(isObject);
  if (all.length > MAX_IMAGES) notes.push(`Omitted ${all.length - MAX_IMAGES} of ${all.length} binaries.`);
  const bundle = applicationPath?.slice(0, applicationPath.lastIndexOf('/') + 1);
  return all.slice(0, MAX_IMAGES).map((fields) => {
    const path = toText(fields.path, MAX_NAME_LENGTH) ?? '';
    return {
      id: normalizeImageId(toText(fields.id, 128) ?? ''),
      name: toText(fields.name, 256) ?? path.slice(path.lastIndexOf('/') + 1),
      path,
      start: toText(fields.startAddress, 20) ?? '',
      end: toText(fields.endAddress, 20) ?? '',
      architecture: toText(fields.architecture, 50) ?? toText(fields.primaryArchitectureId, 50) ?? '',
      isApp: isInBundle(path, bundle),
    };
  });
}

/** An image of the app is in its bundle or, on Android, among its libraries; Swift's runtime libraries do not count. */
export const isInBundle = (path: string, bundle: string | undefined): boolean =>
  (/^\/data\/(?:app|data|user)\/|^\/mnt\/expand\//.test(path) ||
    (bundle !== undefined && bundle !== '' && path.startsWith(bundle)) ||
    /\.app\//.test(path)) &&
  !/\/libswift[A-Za-z]*\.dylib$/.test(path) &&
  !path.startsWith('/System/') &&
  !path.startsWith('/usr/lib/') &&
  !path.startsWith('/Applications/Xcode');

/** Extracts the stack from a log, within limits; notes say what was omitted. */
export function readLogStack(log: Fields): Stack {
  const platform = detectPlatform(log);
  const stack = emptyStack(platform);
  stack.images = readImages(log.binaries, toText(log.applicationPath, MAX_NAME_LENGTH), stack.notes);
  const device = toObject(log.device);
  const reading = {
    platform,
    namespace: toText(device.appNamespace) ?? '',
    ranges: toImageRanges(stack.images),
    stack,
  };
  stack.registers = Object.fromEntries(
    Object.entries(toObject(log.registers))
      .slice(0, MAX_REGISTERS)
      .map(([name, value]) => [cut(name, 20), toText(value, 40) ?? '']),
  );
  if (isObject(log.exception)) stack.exceptions = readChain(log.exception, reading);
  const crashedId = toInteger(log.errorThreadId);
  const threads = toList(log.threads).filter(isObject);
  if (threads.length > MAX_THREADS)
    stack.notes.push(`Omitted ${threads.length - MAX_THREADS} of ${threads.length} threads.`);
  stack.threads = threads.slice(0, MAX_THREADS).map((fields, at) => {
    const id = toInteger(fields.id) ?? at;
    const [exception] = isObject(fields.exception) ? readException(fields.exception, reading) : [];
    return {
      id,
      name: toText(fields.name, 256) ?? '',
      isCrashed: crashedId === undefined ? log.type === 'appleError' && at === 0 : id === crashedId,
      frames: readFrames(fields.frames, reading),
      ...(exception ? { exception } : {}),
    };
  });
  if (log.type === 'appleError' && stack.exceptions.length === 0) stack.exceptions = appleExceptions(log, stack);
  return stack;
}

/** The cause of a crash on an Apple system: the uncaught exception or the signal, with the frames of its thread. */
function appleExceptions(log: Fields, stack: Stack): ExceptionStack[] {
  const crashed = stack.threads.find(({ isCrashed }) => isCrashed);
  const signal = [toText(log.osExceptionType, 50), toText(log.osExceptionCode, 50)].filter(Boolean).join(' ');
  const type = toText(log.exceptionType, MAX_NAME_LENGTH) ?? crashed?.exception?.type;
  const message = toText(log.exceptionReason, MAX_MESSAGE_LENGTH) ?? crashed?.exception?.message ?? '';
  const ofException = crashed?.exception?.frames ?? [];
  if (!type && !signal && !crashed) return [];
  return [
    {
      type: type || (toText(log.osExceptionType, 50) ?? ''),
      message: message || [signal, toText(log.osExceptionAddress, 50)].filter(Boolean).join(' at '),
      frames: ofException.length > 0 ? ofException : (crashed?.frames ?? []),
    },
  ];
}
