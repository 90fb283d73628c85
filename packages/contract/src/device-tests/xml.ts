/** The input is not XML, or uses XML features that test reports do not need. */
export class XmlBroken extends Error {
  override name = 'XmlBroken';
}

export type XmlPart =
  | { type: 'open'; name: string; attributes: Record<string, string>; start: number }
  | { type: 'text'; text: string }
  | { type: 'close'; name: string; end: number };

const DEEPEST = 100;
/** The maximum per element. */
const MAX_ATTRIBUTES = 1000;
/** The maximum length of an attribute value: far longer than any message, and short enough to decode quickly. */
const MAX_VALUE = 1024 * 1024;
/** The maximum number of character references such as `&#27;`, because each is decoded separately. */
const MAX_REFERENCES = 250_000;

/**
 * Decodes the predefined entities, each in one pass. `&amp;` comes last, because its result may be followed by the name
 * of another one.
 */
const decodeNames = (text: string): string =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&');

/** Decodes text and calls `count` for each character reference. */
function decode(text: string, count: () => void): string {
  if (!text.includes('&')) return text;
  if (!text.includes('&#')) return decodeNames(text);
  return text
    .split(/(&#x[0-9a-fA-F]{1,6};|&#\d{1,7};)/)
    .map((one, at) => {
      if (at % 2 === 0) return decodeNames(one);
      count();
      const code = one.startsWith('&#x') ? Number.parseInt(one.slice(3, -1), 16) : Number(one.slice(2, -1));
      return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    })
    .join('');
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\t' || character === '\r';
const endsName = (character: string | undefined): boolean =>
  character === undefined || isSpace(character) || '=/><"\''.includes(character);
/** The name without its namespace, because reports use different ones. */
const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** Reads XML in a single pass. Rejects entity declarations, which could expand without limit. */
export function* readXml(xml: string): Generator<XmlPart> {
  const open: string[] = [];
  let at = 0;
  let isBegun = false;
  let references = 0;

  const countReference = () => {
    references += 1;
    if (references > MAX_REFERENCES) fail(`The file has more than ${MAX_REFERENCES} character references`);
  };
  const fail = (why: string): never => {
    throw new XmlBroken(`${why} in line ${xml.slice(0, at).split('\n').length}`);
  };
  const after = (mark: string, from: number): number => {
    const found = xml.indexOf(mark, from);
    return found < 0 ? fail(`A "${mark}" is missing`) : found + mark.length;
  };
  const skipSpace = () => {
    while (isSpace(xml[at])) at += 1;
  };
  const readName = (): string => {
    const start = at;
    while (!endsName(xml[at])) at += 1;
    return at === start ? fail('A name is missing') : xml.slice(start, at);
  };
  const readAttributes = (): Record<string, string> => {
    const attributes: Record<string, string> = Object.create(null);
    let count = 0;
    for (skipSpace(); xml[at] !== '>' && xml[at] !== '/'; skipSpace()) {
      const name = readName();
      count += 1;
      if (count > MAX_ATTRIBUTES) fail(`An element has more than ${MAX_ATTRIBUTES} attributes`);
      skipSpace();
      if (xml[at] !== '=') fail(`The attribute ${name.slice(0, 50)} has no value`);
      at += 1;
      skipSpace();
      const quote = xml[at];
      if (quote !== '"' && quote !== "'") return fail(`The attribute ${name.slice(0, 50)} has no quotes`);
      const end = after(quote, at + 1);
      if (end - at > MAX_VALUE) fail(`The attribute ${name.slice(0, 50)} is longer than ${MAX_VALUE} characters`);
      attributes[localName(name)] = decode(xml.slice(at + 1, end - 1), countReference);
      at = end;
    }
    return attributes;
  };

  while (at < xml.length) {
    if (xml[at] !== '<') {
      const next = xml.indexOf('<', at);
      const end = next < 0 ? xml.length : next;
      if (open.length > 0) yield { type: 'text', text: decode(xml.slice(at, end), countReference) };
      else if (xml.slice(at, end).trim().replace('\ufeff', '') !== '')
        fail('The file has text outside of the root element');
      at = end;
    } else if (xml.startsWith('<!--', at)) at = after('-->', at + 4);
    else if (xml.startsWith('<![CDATA[', at)) {
      const end = after(']]>', at + 9);
      yield { type: 'text', text: xml.slice(at + 9, end - 3) };
      at = end;
    } else if (xml.startsWith('<?', at)) at = after('?>', at + 2);
    else if (xml.startsWith('<!', at)) {
      const end = after('>', at);
      if (xml.slice(at, end).includes('[')) fail('Entity definitions are not supported');
      at = end;
    } else if (xml[at + 1] === '/') {
      at += 2;
      const name = readName();
      skipSpace();
      if (xml[at] !== '>' || open.pop() !== name) fail(`</${name.slice(0, 50)}> does not match the open element`);
      at += 1;
      yield { type: 'close', name: localName(name), end: at };
    } else {
      const start = at;
      at += 1;
      const name = readName();
      if (open.length === 0 && isBegun) fail('The file has a second root element');
      if (open.length >= DEEPEST) fail(`Elements are nested deeper than ${DEEPEST} levels`);
      isBegun = true;
      const attributes = readAttributes();
      yield { type: 'open', name: localName(name), attributes, start };
      if (xml[at] === '/') {
        if (xml[at + 1] !== '>') fail('A ">" is missing');
        at += 2;
        yield { type: 'close', name: localName(name), end: at };
      } else {
        at += 1;
        open.push(name);
      }
    }
  }
  if (open.length > 0) fail(`</${open.at(-1)?.slice(0, 50)}> is missing`);
  if (!isBegun) fail('The file has no element');
}

/** Escapes text for XML, and omits characters that XML can't represent, such as terminal colors. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Parsers turn line breaks in attributes into spaces. */
export const xmlAttribute = (name: string, text: string): string =>
  ` ${name}="${escapeXml(text).replace(/[\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`)}"`;
