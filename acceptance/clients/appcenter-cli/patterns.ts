import { stripVTControlCharacters } from 'node:util';

const kinds: Record<string, string> = {
  uuid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  'user-token': 'moor_u_[0-9A-Za-z]{36}',
  'app-token': 'moor_a_[0-9A-Za-z]{36}',
  any: '[^\\n]+',
};
const placeholder = /\{([a-z-]+)(?:=([a-z-]+))?\}/g;

/** Inserts known values. Unknown ones stay, and show up in the client's output. */
export const fill = (text: string, known: ReadonlyMap<string, string>): string =>
  text.replace(placeholder, (match, name: string) => known.get(name) ?? match);

/** `{uuid}` matches any UUID; `{ci=uuid}` also stores it as `ci`; `{ci}` is the stored value. */
export function pattern(text: string, known: ReadonlyMap<string, string>): RegExp {
  const source = text
    .replace(/[\\^$.*+?()[\]|]/g, '\\$&')
    .replace(placeholder, (match, name: string, kind?: string) => {
      if (kind) return `(?<${name.replaceAll('-', '_')}>${kinds[kind]})`;
      return known.has(name) ? RegExp.escape(known.get(name) ?? '') : `(?:${kinds[name] ?? RegExp.escape(match)})`;
    });
  return new RegExp(`^${source}$`);
}

/** The visible output: the last state of redrawn lines, cells without borders, single spaces. */
export function readable(printed: string): string {
  return printed
    .split('\n')
    .map((line) => stripVTControlCharacters(line.split('\u001b[2K').at(-1) ?? ''))
    .filter((line) => !/^[┌├└]/.test(line))
    .map((line) => line.replace(/^│|│$/g, '').replaceAll('│', '|').replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
