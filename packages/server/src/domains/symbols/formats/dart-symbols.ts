import { parseJson } from '../../../kernel/text/json.ts';
import { Unreadable } from '../../../workers/unreadable.ts';

/** Names in an obfuscated Flutter app. */
export interface DartSymbols {
  /** The original of an obfuscated type; undefined if no name in it is obfuscated. */
  restore(type: string): string | undefined;
  bytes: number;
}

const name = /[A-Za-z_$][\w$]*/g;

/** Reads the map of `--save-obfuscation-map`: a list with an original name before each obfuscated one. */
export function readDartSymbols(content: Buffer): DartSymbols {
  let list: unknown;
  try {
    list = parseJson(content.toString('utf8'));
  } catch {
    list = undefined;
  }
  if (!Array.isArray(list) || list.length % 2 > 0 || !list.every((one) => typeof one === 'string'))
    throw new Unreadable('The Dart symbol map is not a JSON list of pairs of names.');
  const originals = new Map<string, string>();
  for (let at = 0; at < list.length; at += 2) originals.set(list[at + 1] ?? '', list[at] ?? '');
  return {
    restore(type) {
      const restored = type.replace(name, (one) => originals.get(one) ?? one);
      return restored === type ? undefined : restored;
    },
    bytes: content.length * 3,
  };
}
