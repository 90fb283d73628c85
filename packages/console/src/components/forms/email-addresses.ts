export interface Addresses {
  valid: string[];
  /** Entries that are not email addresses. */
  invalid: string[];
}

const isAddress = (text: string): boolean => /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;.]+$/.test(text);

/** Splits at commas, semicolons and tabs; of `"Hopper, Grace" <grace@example.com>` keeps only the address. */
function splitLine(line: string): string[] {
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
  return isQuoted ? splitLine(line.replaceAll('"', '')) : pieces.filter(Boolean);
}

/**
 * Extracts addresses from pasted text: lines, commas, semicolons, CSV columns, "Name <address>", without duplicates.
 * Each part is validated on its own, except names next to an address in a table row.
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
    const pieces = splitLine(line);
    const isTable = /[,\t]/.test(line) && pieces.some(isAddress);
    for (const piece of pieces) {
      const tokens = piece.split(/\s+/);
      if (tokens.some(isAddress)) for (const token of tokens) judge(token);
      else if (!isTable || piece.includes('@')) judge(piece);
    }
  });
  return { valid: [...valid.values()], invalid: [...invalid] };
}

/** The first line of a CSV file contains column names. */
const isHeader = (line: string): boolean => /\be-?mail\b/i.test(line) && !line.includes('@');
