export interface Addresses {
  valid: string[];
  /** What looks like no e-mail address. */
  others: string[];
}

const between = /[\s<>",;]+/;
const isAddress = (text: string): boolean => /^[^@]+@[^@]+$/.test(text);

/** Addresses out of whatever was pasted: lines, commas, semicolons, CSV columns, "Name <address>"; each once. */
export function readAddresses(text: string): Addresses {
  const valid = new Map<string, string>();
  const others: string[] = [];
  for (const line of text.split(/[\n;]+/)) {
    const found = line.split(between).filter(isAddress);
    if (found.length > 0) for (const each of found) valid.set(each.toLowerCase(), each);
    else if (line.trim() && !isHeader(line)) others.push(line.trim());
  }
  return { valid: [...valid.values()], others };
}

/** The first line of a CSV file names its columns. */
const isHeader = (line: string): boolean => /\be-?mail\b/i.test(line);
