const LONGEST = 90;

/** The name that is made from what people call a thing, for addresses and commands. */
export function plainName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-zA-Z0-9_.]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
    .slice(0, LONGEST);
  return plain || 'unnamed';
}
