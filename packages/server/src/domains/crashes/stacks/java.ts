import type { ExceptionStack, Frame } from './stack.ts';

/** Packages of the platform; all other code belongs to the app or its libraries. */
const platformPrefixes = [
  'android.',
  'androidx.',
  'com.android.',
  'com.google.android.',
  'dalvik.',
  'j$.',
  'java.',
  'javax.',
  'jdk.',
  'kotlin.',
  'kotlinx.',
  'libcore.',
  'sun.',
];

/** A class that shares the first two labels of the app's name is app code, even with a platform prefix. */
const sharesLabels = (className: string, namespace: string): boolean => {
  const [first, second] = namespace.split('.');
  return Boolean(first && second) && `${className}.`.startsWith(`${first}.${second}.`);
};

export const isJavaApp = (className: string, namespace: string): boolean =>
  sharesLabels(className, namespace) || !platformPrefixes.some((prefix) => className.startsWith(prefix));

const number = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** `at org.shop.Cart.pay(Cart.java:88)`, optionally with a module before and a JAR after it. */
function readLine(line: string, namespace: string): Frame | undefined {
  const raw = line.trim();
  const open = raw.indexOf('(');
  const close = raw.indexOf(')', open);
  if (!raw.startsWith('at ') || open < 0 || close < 0) return undefined;
  const called = raw.slice(3, open).trim();
  const name = called.slice(called.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || name.includes(' ')) return undefined;
  const place = raw.slice(open + 1, close);
  const colon = place.lastIndexOf(':');
  const file = colon < 0 ? place : place.slice(0, colon);
  const lineNumber = colon < 0 ? undefined : number(place.slice(colon + 1));
  const isKnown = file !== '' && file !== 'Native Method' && file !== 'Unknown Source';
  const className = name.slice(0, dot);
  return {
    raw,
    language: 'Java',
    isApp: isJavaApp(className, namespace),
    className,
    method: name.slice(dot + 1),
    ...(isKnown ? { file } : {}),
    ...(lineNumber === undefined ? {} : { line: lineNumber }),
  };
}

function readHeader(text: string): Pick<ExceptionStack, 'type' | 'message'> {
  const colon = text.indexOf(': ');
  return colon < 0
    ? { type: text.trim(), message: '' }
    : { type: text.slice(0, colon).trim(), message: text.slice(colon + 2) };
}

/** Parses the output of `printStackTrace`: the exception, and its causes after `Caused by:`. */
export function readJavaText(lines: readonly string[], namespace: string): ExceptionStack[] {
  const exceptions: ExceptionStack[] = [{ type: '', message: '', frames: [] }];
  for (const line of lines) {
    const trimmed = line.trim();
    if (trimmed.startsWith('Caused by: ')) exceptions.push({ ...readHeader(trimmed.slice(11)), frames: [] });
    else if (trimmed.startsWith('Suppressed: ')) break;
    else {
      const frame = readLine(line, namespace);
      if (frame) exceptions.at(-1)?.frames.push(frame);
    }
  }
  return exceptions;
}
