/** No body of ours is a quarter as deep; whatever walks through one may call itself for each level. */
export const MAX_DEPTH = 64;

const [quote, backslash] = ['"', '\\'].map((sign) => sign.charCodeAt(0));
const [brace, bracket, braceEnd, bracketEnd] = ['{', '[', '}', ']'].map((sign) => sign.charCodeAt(0));

/** Where the string ends whose first sign is at `from`: at a quote with an even number of backslashes before it. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (before > from && text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Whether JSON from outside is nested too deep to be worked on; to be asked before it is parsed. Looks at brackets outside
 * of strings, in one pass; whether it is JSON at all is for the parser to say.
 */
export function isTooDeep(text: string, most = MAX_DEPTH): boolean {
  if (text.length < 2 * most) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === brace || code === bracket) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === braceEnd || code === bracketEnd) depth -= 1;
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
