import type { ExceptionStack, Frame } from './stack.ts';

const platformPrefixes = [
  'System.',
  'Microsoft.',
  'Mono.',
  'MonoTouch.',
  'Xamarin.',
  'Windows.',
  'Android.',
  'AndroidX.',
  'Java.',
  'Foundation.',
  'UIKit.',
  'ObjCRuntime.',
  'UnityEngine.',
  'UnityEditor.',
  'Unity.',
];

/** Bindings of Xamarin and frames of the runtime are not app code. */
export const isDotnetApp = (className: string): boolean =>
  className !== '' && !className.startsWith('(wrapper') && !platformPrefixes.some((one) => className.startsWith(one));

/** The name without parameters and type arguments. */
function nameIn(called: string): { name: string; params: string | undefined } {
  const open = called.indexOf('(');
  const close = called.lastIndexOf(')');
  const name = (open < 0 ? called : called.slice(0, open)).trim();
  return { name, params: open < 0 || close < open ? undefined : called.slice(open + 1, close) };
}

/** `Shop.Cart.Pay`; a constructor is `Shop.Cart..ctor`. */
function splitName(name: string): { className: string; method: string } {
  const generic = name.indexOf('[');
  const plain = generic < 0 ? name : name.slice(0, generic);
  const dot = plain.endsWith('ctor') ? plain.lastIndexOf('..') : plain.lastIndexOf('.');
  return { className: dot < 0 ? '' : plain.slice(0, dot), method: plain.slice(dot + 1) };
}

/** Parses the last `:12` or `:line 12`. */
function parseLocation(text: string): { file?: string; line?: number } {
  const colon = text.lastIndexOf(':');
  const digits =
    colon < 0
      ? ''
      : text
          .slice(colon + 1)
          .replace('line ', '')
          .trim();
  if (!/^\d{1,9}$/.test(digits)) return text.trim() === '' ? {} : { file: text.trim() };
  const file = text.slice(0, colon).trim();
  const line = Number(digits);
  // Mono writes the hash of the assembly and line 0 for unknown locations.
  if (file === '' || file.startsWith('<')) return {};
  return line === 0 ? { file } : { file, line };
}

function readLine(text: string): Frame | undefined {
  const raw = text.trim();
  if (!raw.startsWith('at ')) return undefined;
  const inAt = raw.lastIndexOf(' in ');
  const head = inAt < 0 ? raw.slice(3) : raw.slice(3, inAt);
  const offset = head.indexOf(' [0x');
  const { name, params } = nameIn(offset < 0 ? head : head.slice(0, offset));
  const { className, method } = splitName(name);
  if (!method) return undefined;
  return {
    raw,
    language: 'CSharp',
    isApp: isDotnetApp(className),
    ...(className ? { className } : {}),
    method,
    ...(params ? { params } : {}),
    ...(inAt < 0 ? {} : parseLocation(raw.slice(inAt + 4))),
  };
}

/** Parses `Exception.StackTrace` of .NET and Mono. Lines between frames mark rethrows. */
export const readDotnetText = (lines: readonly string[]): ExceptionStack[] => [
  { type: '', message: '', frames: lines.flatMap((line) => readLine(line) ?? []) },
];

const UNITY_LOCATION = ' (at ';

/** `Player:Update () (at Assets/Player.cs:12)`, or with dots instead of the colon. */
function readUnityLine(text: string): Frame | undefined {
  const raw = text.trim();
  const at = raw.lastIndexOf(UNITY_LOCATION);
  const head = at < 0 ? raw : raw.slice(0, at);
  if (!head.includes('(') || !head.endsWith(')')) return undefined;
  const { name, params } = nameIn(head);
  const colon = name.lastIndexOf(':');
  const { className, method } =
    colon > 0 ? { className: name.slice(0, colon).replace(/:$/, ''), method: name.slice(colon + 1) } : splitName(name);
  if (!method || !className || className.includes(' ')) return undefined;
  return {
    raw,
    language: 'CSharp',
    isApp: isDotnetApp(className),
    className,
    method,
    ...(params ? { params } : {}),
    ...(at < 0 ? {} : parseLocation(raw.slice(at + UNITY_LOCATION.length).replace(/\)$/, ''))),
  };
}

export const readUnityText = (lines: readonly string[]): ExceptionStack[] => [
  { type: '', message: '', frames: lines.flatMap((line) => readUnityLine(line) ?? []) },
];
