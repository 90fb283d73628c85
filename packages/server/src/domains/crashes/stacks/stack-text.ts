import { readDotnetText, readUnityText } from './dotnet.ts';
import { readJavaText } from './java.ts';
import { readJavascriptText } from './javascript.ts';
import type { ExceptionStack, Platform } from './stack.ts';

/** More lines than any stack that a person reads, and longer ones. */
const MOST_LINES = 4000;
const LONGEST_LINE = 2000;

const linesOf = (text: string): string[] =>
  text.split('\n', MOST_LINES).map((line) => line.slice(0, LONGEST_LINE).replace(/\r$/, ''));

export interface TextOrigin {
  platform: Platform;
  /** The name of the package of the app. */
  namespace: string;
}

const framesIn = (exceptions: readonly ExceptionStack[]): number =>
  exceptions.reduce((sum, { frames }) => sum + frames.length, 0);

/** What each platform writes, most likely first. */
const readersOf = {
  'react-native': [readJavascriptText, readJavaText],
  xamarin: [readDotnetText, readJavaText],
  unity: [readUnityText, readDotnetText],
  android: [readJavaText, readJavascriptText, readDotnetText],
  ios: [readJavascriptText, readDotnetText],
  ndk: [readJavaText],
  other: [readDotnetText, readJavascriptText, readJavaText, readUnityText],
} as const satisfies Record<Platform, readonly ((lines: readonly string[], namespace: string) => ExceptionStack[])[]>;

/** Nobody but scripts tells a column. */
const looksScripted = (line: string): boolean => {
  const trimmed = line.trim();
  return (trimmed.startsWith('at ') || trimmed.includes('@')) && /:\d{1,9}:\d{1,9}\)?$/.test(trimmed.slice(-24));
};

/**
 * The frames of a stack that came as text; the first exception is the one that it is of, others are its causes. Reads as the
 * platform writes, or as another if that finds more.
 */
export function readStackText(text: string, { platform, namespace }: TextOrigin): ExceptionStack[] {
  const lines = linesOf(text);
  const isScripted = lines.some(looksScripted);
  const readers = isScripted ? [readJavascriptText, ...readersOf[platform]] : readersOf[platform];
  let best: ExceptionStack[] = [{ type: '', message: '', frames: [] }];
  for (const read of readers) {
    const found = read(lines, namespace);
    if (framesIn(found) > framesIn(best)) best = found;
    if (isScripted && framesIn(best) > 0) break;
  }
  return best;
}
