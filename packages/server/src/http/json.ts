/** No body of ours is a quarter as deep; whatever walks through one may call itself for each level. */
export const MAX_DEPTH = 64;

const sign = (text: string): number => text.charCodeAt(0);
const [quote, backslash] = [sign('"'), sign('\\')];
const opening = new Set([sign('{'), sign('[')]);
const closing = new Set([sign('}'), sign(']')]);

/**
 * Whether JSON from outside is nested too deep to be worked on; to be asked before it is parsed. Looks at brackets outside
 * of strings, in one pass; whether it is JSON at all is for the parser to say.
 */
export function isTooDeep(text: string): boolean {
  if (text.length < 2 * MAX_DEPTH) return false;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === backslash) at += 1;
      else if (code === quote) isString = false;
    } else if (code === quote) isString = true;
    else if (opening.has(code)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (closing.has(code)) depth -= 1;
  }
  return false;
}

function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key.includes('\0') || containsNul(item));
}

/** In what was parsed from a text: PostgreSQL cannot store it, and nothing of ours needs it. */
export const hasNul = (text: string, value: unknown): boolean => text.includes('\\u0000') && containsNul(value);
