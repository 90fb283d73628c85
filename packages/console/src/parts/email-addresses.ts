export interface Addresses {
  valid: string[];
  /** What was meant to be an e-mail address and is none. */
  invalid: string[];
}

const isAddress = (text: string): boolean => /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;.]+$/.test(text);

/** What stands between commas, semicolons and tabs; of `"Hopper, Grace" <grace@example.com>` the address alone. */
function piecesOf(line: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let isQuoted = false;
  let isNamed = false;
  const end = () => {
    pieces.push(piece.trim());
    piece = '';
    isNamed = false;
  };
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) piece += sign;
    else if (sign === '<') {
      piece = '';
      isNamed = true;
    } else if (sign === '>' && isNamed) end();
    else if (sign === ',' || sign === ';' || sign === '\t') end();
    else piece += sign;
  }
  end();
  return isQuoted ? piecesOf(line.replaceAll('"', '')) : pieces.filter(Boolean);
}

/**
 * Addresses out of whatever was pasted: lines, commas, semicolons, CSV columns, "Name <address>"; each once. Every piece is
 * judged by itself, except the names beside an address on the line of a table, which nobody meant as one.
 */
export function readAddresses(text: string): Addresses {
  const valid = new Map<string, string>();
  const invalid = new Set<string>();
  const judge = (piece: string) => {
    if (isAddress(piece)) valid.set(piece.toLowerCase(), piece);
    else invalid.add(piece);
  };
  text.split(/\r?\n/).forEach((line, at) => {
    if (at === 0 && isHeader(line)) return;
    const pieces = piecesOf(line);
    const isTable = /[,\t]/.test(line) && pieces.some(isAddress);
    for (const piece of pieces) {
      const words = piece.split(/\s+/);
      if (words.some(isAddress)) for (const word of words) judge(word);
      else if (!isTable || piece.includes('@')) judge(piece);
    }
  });
  return { valid: [...valid.values()], invalid: [...invalid] };
}

/** The first line of a CSV file names its columns. */
const isHeader = (line: string): boolean => /\be-?mail\b/i.test(line) && !line.includes('@');
