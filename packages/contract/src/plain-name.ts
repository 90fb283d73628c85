const MAX_LENGTH = 90;

/** Derives the name in URLs and commands from a display name. */
export function plainName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-zA-Z0-9_.]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
    .slice(0, MAX_LENGTH);
  return plain || 'unnamed';
}
