/** A part of a line with one style. */
export interface Span {
  text: string;
  /** One of the 16 terminal colors; undefined is the page's text color. */
  color?: number;
  isBold?: boolean;
  isDimmed?: boolean;
}

type Look = Omit<Span, 'text'>;

/** Terminal sequences: colors (ending in m), cursor moves, titles and links. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one
const sequence = /\x1b\[([0-9;:]{0,100})([@-~])|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|\x1b[@-Z\\-_]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they can't be displayed
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Maps a 256-color or 24-bit color to the nearest of the 16. */
function nearest(red: number, green: number, blue: number): number {
  const max = Math.max(red, green, blue);
  if (max < 40) return 8;
  const bit = (level: number) => (level > max / 2 ? 1 : 0);
  return bit(red) + 2 * bit(green) + 4 * bit(blue) + (max > 190 ? 8 : 0);
}

function ofPalette(at: number): number {
  if (at < 16) return at;
  if (at >= 232) return at < 244 ? 8 : 7;
  const level = (value: number) => (value % 6) * 51;
  return nearest(level(Math.floor((at - 16) / 36)), level(Math.floor((at - 16) / 6)), level(at - 16));
}

function change(look: Look, codes: number[]): Look {
  let next = look;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 0) next = {};
    else if (code === 1) next = { ...next, isBold: true };
    else if (code === 2) next = { ...next, isDimmed: true };
    else if (code === 22) next = { ...next, isBold: false, isDimmed: false };
    else if (code >= 30 && code <= 37) next = { ...next, color: code - 30 };
    else if (code >= 90 && code <= 97) next = { ...next, color: code - 82 };
    else if (code === 39) {
      const { color: _, ...rest } = next;
      next = rest;
    } else if (code === 38 || code === 48) {
      const isPalette = codes[at + 1] === 5;
      const [first = 0, second = 0, third = 0] = codes.slice(at + 2, at + 5);
      if (code === 38) next = { ...next, color: isPalette ? ofPalette(first) : nearest(first, second, third) };
      at += isPalette ? 2 : 4;
    }
  }
  return next;
}

/** Final state of a line that was overwritten, such as a progress bar. */
const lastWritten = (line: string): string => {
  const ended = line.endsWith('\r') ? line.slice(0, -1) : line;
  return ended.slice(ended.lastIndexOf('\r') + 1);
};

/** Parts of a line with their styles. */
export function toSpans(line: string): Span[] {
  const text = lastWritten(line);
  const spans: Span[] = [];
  let look: Look = {};
  let from = 0;
  const add = (until: number) => {
    const piece = text.slice(from, until).replace(controls, '');
    if (piece) spans.push({ text: piece, ...look });
  };
  for (const match of text.matchAll(sequence)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') look = change(look, (match[1] ?? '').split(/[;:]/).map(Number));
  }
  add(text.length);
  return spans;
}

/** Text for reading and search. */
export const plainText = (line: string): string => lastWritten(line).replace(sequence, '').replace(controls, '');
