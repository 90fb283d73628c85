import { readDotnetText, readUnityText } from './dotnet.ts';
import { readJavaText } from './java.ts';
import { readJavascriptText } from './javascript.ts';
import type { ExceptionStack, Platform } from './stack.ts';

/** Realistic stacks are smaller. */
const MAX_LINES = 4000;
const MAX_LINE_LENGTH = 2000;

const splitLines = (text: string): string[] =>
  text.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH).replace(/\r$/, ''));

export interface TextOrigin {
  platform: Platform;
  /** Package name of the app. */
  namespace: string;
}

const framesIn = (exceptions: readonly ExceptionStack[]): number =>
  exceptions.reduce((sum, { frames }) => sum + frames.length, 0);

/** Formats of each platform, most likely first. */
const readersByPlatform = {
  'react-native': [readJavascriptText, readJavaText],
  xamarin: [readDotnetText, readJavaText],
  unity: [readUnityText, readDotnetText],
  android: [readJavaText, readJavascriptText, readDotnetText],
  ios: [readJavascriptText, readDotnetText],
  ndk: [readJavaText],
  other: [readDotnetText, readJavascriptText, readJavaText, readUnityText],
} as const satisfies Record<Platform, readonly ((lines: readonly string[], namespace: string) => ExceptionStack[])[]>;

/** Only scripts have columns. */
const looksScripted = (line: string): boolean => {
  const trimmed = line.trim();
  return (trimmed.startsWith('at ') || trimmed.includes('@')) && /:\d{1,9}:\d{1,9}\)?$/.test(trimmed.slice(-24));
};

/**
 * Parses the text of a stack: the exception, followed by its causes. Tries the formats of the platform, and uses the one
 * that finds most frames.
 */
export function readStackText(text: string, { platform, namespace }: TextOrigin): ExceptionStack[] {
  const lines = splitLines(text);
  const isScripted = lines.some(looksScripted);
  const readers = isScripted ? [readJavascriptText, ...readersByPlatform[platform]] : readersByPlatform[platform];
  let best: ExceptionStack[] = [{ type: '', message: '', frames: [] }];
  for (const read of readers) {
    const found = read(lines, namespace);
    if (framesIn(found) > framesIn(best)) best = found;
    if (isScripted && framesIn(best) > 0) break;
  }
  return best;
}
