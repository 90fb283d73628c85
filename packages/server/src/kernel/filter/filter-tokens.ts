/** A problem of a $filter, with its position (from 1) and a remedy. */
export class FilterProblem extends Error {
  override name = 'FilterProblem';
  readonly position: number;

  constructor(position: number, message: string) {
    super(`At position ${position}: ${message}`);
    this.position = position;
  }
}

export interface Token {
  kind: 'open' | 'close' | 'string' | 'word' | 'end';
  /** The word as written, or the content of a string without quotes. */
  text: string;
  position: number;
}

export const MAX_FILTER_LENGTH = 4096;

/** Quotes the caller's text, truncated for a message. */
export const shown = (text: string): string => `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;

export const describe = ({ kind, text }: Token): string =>
  kind === 'end' ? 'the end of the filter' : kind === 'open' ? '"("' : kind === 'close' ? '")"' : shown(text);

const isSpace = (character: string): boolean => /\s/.test(character);
const isParenthesis = (character: string): boolean => character === '(' || character === ')';

/** Tokenizes in one pass. The last token is always `end`. */
export function tokenize(text: string): Token[] {
  if (text.length > MAX_FILTER_LENGTH) {
    throw new FilterProblem(
      MAX_FILTER_LENGTH + 1,
      `the filter has ${text.length} characters. Shorten it to at most 4,096.`,
    );
  }
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    const position = at + 1;
    if (isSpace(character)) {
      at += 1;
    } else if (isParenthesis(character)) {
      tokens.push({ kind: character === '(' ? 'open' : 'close', text: character, position });
      at += 1;
    } else if (character === "'") {
      const end = closingQuote(text, at);
      tokens.push({ kind: 'string', text: text.slice(at + 1, end).replaceAll("''", "'"), position });
      at = end + 1;
    } else {
      const start = at;
      while (at < text.length && !isSpace(text.charAt(at)) && !isParenthesis(text.charAt(at))) at += 1;
      tokens.push({ kind: 'word', text: text.slice(start, at), position });
    }
  }
  tokens.push({ kind: 'end', text: '', position: text.length + 1 });
  return tokens;
}

/** Position of the quote that closes the string at `start`. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf("'", start + 1);
  while (end !== -1 && text.charAt(end + 1) === "'") end = text.indexOf("'", end + 2);
  if (end === -1) {
    const rest = shown(text.slice(start));
    throw new FilterProblem(start + 1, `the quoted value ${rest} is not closed. End it with a single quote.`);
  }
  const content = text.slice(start + 1, end);
  // PostgreSQL can't store this character in text.
  if (content.includes('\0')) throw new FilterProblem(start + 1, 'a value must not contain the NUL character.');
  const after = text.charAt(end + 1);
  if (after !== '' && !isSpace(after) && !isParenthesis(after)) {
    throw new FilterProblem(
      end + 2,
      `${shown(after)} follows the closing quote of ${shown(content)}. Put a space between them, and double quotes within a value ('').`,
    );
  }
  return end;
}
