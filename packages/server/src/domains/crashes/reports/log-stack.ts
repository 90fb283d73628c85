import { isDotnetApp } from '../stacks/dotnet.ts';
import { isJavaApp } from '../stacks/java.ts';
import { type ExceptionStack, emptyStack, type Frame, type Image, type Platform, type Stack } from '../stacks/stack.ts';
import { readStackText } from '../stacks/stack-text.ts';
import { cut, type Fields, integerOf, isObject, listOf, objectOf, textOf } from './values.ts';

const MOST_FRAMES = 256;
const MOST_CAUSES = 16;
const MOST_THREADS = 512;
const MOST_IMAGES = 2000;
const MOST_REGISTERS = 100;
const LONGEST_NAME = 1024;
const LONGEST_MESSAGE = 8192;
const LONGEST_TEXT = 512 * 1024;

/** Of a list that is too long, its beginning and its end. */
function ends<T>(list: readonly T[], most: number, note: (left: number) => void): readonly T[] {
  if (list.length <= most) return list;
  note(list.length - most);
  return [...list.slice(0, most / 2), ...list.slice(-most / 2)];
}

export function platformOf(log: Fields): Platform {
  const device = objectOf(log.device);
  const exception = objectOf(log.exception);
  const wrapper = `${textOf(exception.wrapperSdkName) ?? textOf(device.wrapperSdkName) ?? ''}`;
  const sdk = textOf(device.sdkName) ?? '';
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

interface ImageRange {
  first: bigint;
  last: bigint;
  image: Image;
}

const hex = /^(?:0x)?([0-9a-f]{1,16})$/i;
const addressOf = (value: unknown): bigint | undefined => {
  const [, digits] = hex.exec(String(value ?? '')) ?? [];
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
};

/** By where they begin. */
const rangesOf = (images: readonly Image[]): ImageRange[] =>
  images
    .flatMap((image) => {
      const [first, last] = [addressOf(image.start), addressOf(image.end)];
      return first === undefined || last === undefined ? [] : { first, last, image };
    })
    .sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));

/** The one that begins last before an address, if it reaches so far. */
function findRange(address: bigint, ranges: readonly ImageRange[]): ImageRange | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.first ?? 0n) <= address) low = middle + 1;
    else high = middle;
  }
  const found = ranges[low - 1];
  return found && address <= found.last ? found : undefined;
}

/** `-[Cart pay:]`, `$s4Shop…`, `main`: what a symbol says of where it is. */
export function readSymbol(symbol: string): Pick<Frame, 'className' | 'method' | 'isClassMethod' | 'language'> {
  const [, sign, className, method] = /^([-+])\[([^\s\]]{1,500}) ([^\]]{1,500})\]$/.exec(symbol) ?? [];
  if (className && method) return { language: 'Objective-C', className, method, isClassMethod: sign === '+' };
  if (/^_?\$[sS]/.test(symbol)) return { language: 'Swift', method: symbol };
  if (/^_Z/.test(symbol) || symbol.includes('::')) return { language: 'Cpp', method: symbol };
  return { language: 'C', method: symbol };
}

/** Of a binary: the address, the image that it is in, and its symbol if the device knew one. */
function nativeFrame(fields: Fields, { ranges, platform }: Reading): Frame {
  const address = addressOf(fields.address);
  const code = textOf(fields.code, LONGEST_NAME) ?? '';
  const range = address === undefined ? undefined : findRange(address, ranges);
  const image = range?.image;
  const offset = address !== undefined && range ? Number(address - range.first) : undefined;
  const plus = code.lastIndexOf(' + ');
  const symbol = plus < 0 ? code : code.slice(0, plus);
  const isNamed = symbol !== '' && !symbol.startsWith('0x');
  const shown = textOf(fields.address, 20) ?? '';
  return {
    raw: cut([image?.name, shown, code].filter(Boolean).join(' '), LONGEST_NAME),
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
  const className = textOf(fields.className, LONGEST_NAME);
  const method = textOf(fields.methodName, LONGEST_NAME);
  const file = textOf(fields.fileName, LONGEST_NAME);
  const line = integerOf(fields.lineNumber);
  const isDotnet = platform === 'xamarin' || platform === 'unity' || platform === 'other';
  const isScript = platform === 'react-native' && className === undefined;
  const place = file && (line === undefined ? file : `${file}:${line}`);
  const called = [className, method].filter(Boolean).join('.');
  return {
    raw: textOf(fields.code, LONGEST_NAME) ?? `at ${called}(${place ?? 'Unknown Source'})`,
    language: isScript ? 'JavaScript' : isDotnet ? 'CSharp' : 'Java',
    isApp: isDotnet ? isDotnetApp(className ?? '') : isJavaApp(className ?? '', namespace),
    ...(className ? { className } : {}),
    ...(method ? { method } : {}),
    ...(file ? { file } : {}),
    // Java says −2 for native code and −1 for what it does not know.
    ...(line === undefined || line < 1 ? {} : { line }),
  };
}

function readFrames(value: unknown, reading: Reading): Frame[] {
  const { notes } = reading.stack;
  const all = listOf(value).filter(isObject);
  const kept = ends(all, MOST_FRAMES, (left) => {
    notes.push(`${left} of ${all.length} frames in the middle of a stack were left out.`);
  });
  return kept.map((fields) =>
    textOf(fields.className) || textOf(fields.methodName)
      ? managedFrame(fields, reading)
      : nativeFrame(fields, reading),
  );
}

/** An exception by itself: its frames as they came, or read from its text. Causes that the text names follow it. */
function readException(fields: Fields, reading: Reading): ExceptionStack[] {
  const frames = readFrames(fields.frames, reading);
  const own = {
    type: textOf(fields.type, LONGEST_NAME) ?? '',
    message: textOf(fields.message, LONGEST_MESSAGE) ?? '',
    frames,
  };
  const text = typeof fields.stackTrace === 'string' ? fields.stackTrace : '';
  if (frames.length > 0 || text === '') return [own];
  if (text.length > LONGEST_TEXT)
    reading.stack.notes.push(`The text of a stack has ${text.length} characters; its end was left out.`);
  const [first, ...causes] = readStackText(cut(text, LONGEST_TEXT), reading);
  const found = [{ ...own, frames: first?.frames ?? [] }, ...causes];
  return found.map((each) => ({
    ...each,
    frames: [
      ...ends(each.frames, MOST_FRAMES, (left) => {
        reading.stack.notes.push(`${left} frames in the middle of a stack were left out.`);
      }),
    ],
  }));
}

/** The exception and its causes, outermost first; of several causes of one, each follows with its own. */
function readChain(value: unknown, reading: Reading): ExceptionStack[] {
  const chain: Fields[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.shift();
    if (!isObject(next)) continue;
    chain.push(next);
    waiting.unshift(...listOf(next.innerExceptions).slice(0, 1000));
  }
  const kept = ends(chain, MOST_CAUSES, (left) => {
    reading.stack.notes.push(`${left} of ${chain.length} exceptions that caused each other were left out.`);
  });
  return kept.flatMap((fields) => readException(fields, reading)).slice(0, 2 * MOST_CAUSES);
}

/** As symbols are kept under it: tools print the same id with dashes. */
const imageIdOf = (text: string): string =>
  text.toLowerCase().replace(/^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/, '$1$2$3$4$5');

function readImages(value: unknown, applicationPath: string | undefined, notes: string[]): Image[] {
  const all = listOf(value).filter(isObject);
  if (all.length > MOST_IMAGES) notes.push(`${all.length - MOST_IMAGES} of ${all.length} binaries were left out.`);
  const bundle = applicationPath?.slice(0, applicationPath.lastIndexOf('/') + 1);
  return all.slice(0, MOST_IMAGES).map((fields) => {
    const path = textOf(fields.path, LONGEST_NAME) ?? '';
    return {
      id: imageIdOf(textOf(fields.id, 128) ?? ''),
      name: textOf(fields.name, 256) ?? path.slice(path.lastIndexOf('/') + 1),
      path,
      start: textOf(fields.startAddress, 20) ?? '',
      end: textOf(fields.endAddress, 20) ?? '',
      architecture: textOf(fields.architecture, 50) ?? textOf(fields.primaryArchitectureId, 50) ?? '',
      isApp: isInBundle(path, bundle),
    };
  });
}

/** An image of the app is one in its bundle or, on Android, among its libraries; what Swift brings along is not. */
export const isInBundle = (path: string, bundle: string | undefined): boolean =>
  (/^\/data\/(?:app|data|user)\/|^\/mnt\/expand\//.test(path) ||
    (bundle !== undefined && bundle !== '' && path.startsWith(bundle)) ||
    /\.app\//.test(path)) &&
  !/\/libswift[A-Za-z]*\.dylib$/.test(path) &&
  !path.startsWith('/System/') &&
  !path.startsWith('/usr/lib/') &&
  !path.startsWith('/Applications/Xcode');

/** What a log of a crash or an error says of where the program was, within limits; what was left out is noted. */
export function readLogStack(log: Fields): Stack {
  const platform = platformOf(log);
  const stack = emptyStack(platform);
  stack.images = readImages(log.binaries, textOf(log.applicationPath, LONGEST_NAME), stack.notes);
  const device = objectOf(log.device);
  const reading = { platform, namespace: textOf(device.appNamespace) ?? '', ranges: rangesOf(stack.images), stack };
  stack.registers = Object.fromEntries(
    Object.entries(objectOf(log.registers))
      .slice(0, MOST_REGISTERS)
      .map(([name, value]) => [cut(name, 20), textOf(value, 40) ?? '']),
  );
  if (isObject(log.exception)) stack.exceptions = readChain(log.exception, reading);
  const crashedId = integerOf(log.errorThreadId);
  const threads = listOf(log.threads).filter(isObject);
  if (threads.length > MOST_THREADS)
    stack.notes.push(`${threads.length - MOST_THREADS} of ${threads.length} threads were left out.`);
  stack.threads = threads.slice(0, MOST_THREADS).map((fields, at) => {
    const id = integerOf(fields.id) ?? at;
    const [exception] = isObject(fields.exception) ? readException(fields.exception, reading) : [];
    return {
      id,
      name: textOf(fields.name, 256) ?? '',
      isCrashed: crashedId === undefined ? log.type === 'appleError' && at === 0 : id === crashedId,
      frames: readFrames(fields.frames, reading),
      ...(exception ? { exception } : {}),
    };
  });
  if (log.type === 'appleError' && stack.exceptions.length === 0) stack.exceptions = appleExceptions(log, stack);
  return stack;
}

/** What went wrong on an Apple system: the exception that was not caught, or the signal, with the frames of its thread. */
function appleExceptions(log: Fields, stack: Stack): ExceptionStack[] {
  const crashed = stack.threads.find(({ isCrashed }) => isCrashed);
  const signal = [textOf(log.osExceptionType, 50), textOf(log.osExceptionCode, 50)].filter(Boolean).join(' ');
  const type = textOf(log.exceptionType, LONGEST_NAME) ?? crashed?.exception?.type;
  const message = textOf(log.exceptionReason, LONGEST_MESSAGE) ?? crashed?.exception?.message ?? '';
  const ofException = crashed?.exception?.frames ?? [];
  if (!type && !signal && !crashed) return [];
  return [
    {
      type: type || (textOf(log.osExceptionType, 50) ?? ''),
      message: message || [signal, textOf(log.osExceptionAddress, 50)].filter(Boolean).join(' at '),
      frames: ofException.length > 0 ? ofException : (crashed?.frames ?? []),
    },
  ];
}
