import { hash } from 'node:crypto';

/** What stands for a name in addresses: its letters and digits, or, if it has none that an address knows, a sum of it. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const slug = plain.replace(/^-/, '').replace(/-$/, '').slice(0, 64);
  return slug === '' ? hash('sha256', name, 'hex').slice(0, 12) : slug;
}
