/** Estimated memory of an entry besides its texts. */
const OVERHEAD = 100;

export interface TextCache {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
}

/**
 * Caches texts by key, with at most `maxChars` characters in total. Evicts the least recently used first, and does not
 * cache texts larger than a quarter of the limit.
 */
export function createTextCache(maxChars: number): TextCache {
  const texts = new Map<string, string>();
  let chars = 0;
  const measure = (key: string, text: string): number => key.length + text.length + OVERHEAD;
  const drop = (key: string): void => {
    const text = texts.get(key);
    if (text === undefined) return;
    texts.delete(key);
    chars -= measure(key, text);
  };
  return {
    get(key) {
      const text = texts.get(key);
      if (text === undefined) return undefined;
      texts.delete(key);
      texts.set(key, text);
      return text;
    },
    set(key, text) {
      drop(key);
      const size = measure(key, text);
      if (size > maxChars / 4) return;
      texts.set(key, text);
      chars += size;
      for (const oldest of texts.keys()) {
        if (chars <= maxChars) break;
        drop(oldest);
      }
    },
  };
}
