import { hash } from 'node:crypto';

/** A form of the name for URLs: its letters and digits, or a hash if it has none. */
export function toSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const slug = plain.replace(/^-/, '').replace(/-$/, '').slice(0, 64);
  return slug === '' ? hash('sha256', name, 'hex').slice(0, 12) : slug;
}
