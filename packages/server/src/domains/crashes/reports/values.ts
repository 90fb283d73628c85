import { cutText as cut } from '../../../kernel/text/cut-text.ts';

export { cut };

/** Data from devices may have any shape; these functions extract usable values. */
export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): Fields => (isObject(value) ? value : {});

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function toText(value: unknown, length = 512): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText && value !== '' ? cut(String(value), length) : undefined;
}

/** Some senders write numbers as text. */
export function toInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}
