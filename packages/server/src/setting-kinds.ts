import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';

/** A setting: its variable, description, default in words, and parser. */
export interface Setting<T> {
  variable: string;
  /** Previous name, read if `variable` is unset. */
  formerVariable?: string;
  description: string;
  default: string;
  secret?: true;
  /** Another variable: set both or neither. */
  togetherWith?: string;
  /** Formats the value if it is not a text, number or list. */
  show?(value: T): string;
  /** Throws the rest of the sentence "NAME must be …". `undefined` means unset. */
  read(text: string | undefined): T;
}

/** Settings by the name of their value in `Config`. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type SettingValues<T extends SettingTable> = { [K in keyof T]: ReturnType<T[K]['read']> };

export class Invalid extends Error {}

export const must = (condition: boolean, what: string): void => {
  if (!condition) throw new Invalid(what);
};

export type Description = Pick<
  Setting<unknown>,
  'variable' | 'formerVariable' | 'description' | 'secret' | 'togetherWith'
>;

export function integer(setting: Description, fallback: number, min: number, max: number): Setting<number> {
  const read = (text: string | undefined) => {
    const value = text === undefined ? fallback : Number(text);
    must(Number.isInteger(value) && value >= min && value <= max, `a whole number from ${min} to ${max}`);
    return value;
  };
  return { ...setting, default: String(fallback), read };
}

export function optional<T>(
  setting: Description,
  read: (text: string) => T,
  fallback = 'unset',
): Setting<T | undefined> {
  return { ...setting, default: fallback, read: (text) => (text === undefined ? undefined : read(text)) };
}

export function text<T>(setting: Description, fallback: string, read: (text: string) => T): Setting<T> {
  return { ...setting, default: fallback, read: (value) => read(value ?? fallback) };
}

export const flag = (setting: Description, fallback: boolean): Setting<boolean> =>
  text(setting, String(fallback), (value) => {
    must(value === 'true' || value === 'false', 'true or false');
    return value === 'true';
  });

export const port = (setting: Description, fallback: number) => integer(setting, fallback, 0, 65_535);

export const readableFile = (value: string): string => {
  const isFile = statSync(value, { throwIfNoEntry: false })?.isFile() ?? false;
  must(isFile, 'the path of a file that exists');
  return path.resolve(value);
};

export const list = (value: string): string[] => value.split(',').flatMap((item) => item.trim() || []);

export const networks = (value: string): string[] => {
  const items = list(value);
  for (const item of items) {
    const [address = '', bits, ...rest] = item.split('/');
    const size = isIP(address) === 6 ? 128 : 32;
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= size);
    must(
      isIP(address) !== 0 && isNetwork && rest.length === 0,
      'comma-separated IP addresses or networks, such as 10.0.0.7,10.0.0.0/8',
    );
  }
  return items;
};

export const isLoopback = (url: URL): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);

export const addresses = (value: string): string[] => {
  const items = list(value);
  must(
    items.every((item) => URL.canParse(item)),
    'comma-separated URLs, such as https://management.example.com/',
  );
  return items;
};
