/** What is no XML, or a kind of it that reports of tests have no use for. */
export class XmlBroken extends Error {
  override name = 'XmlBroken';
}

export type XmlPart =
  | { type: 'open'; name: string; attributes: Record<string, string>; start: number }
  | { type: 'text'; text: string }
  | { type: 'close'; name: string; end: number };

const DEEPEST = 100;
/** Per element. */
const MAX_ATTRIBUTES = 1000;
/** Characters of an attribute value: far more than a message has, and few enough to decode quickly. */
const MAX_VALUE = 1024 * 1024;
/** Characters written as numbers, such as `&#27;`: each is decoded by itself. */
const MAX_REFERENCES = 250_000;

/** Decodes the names that XML knows, each in one pass; `&amp;` comes last, since it may be followed by the name of another. */
const decodeNames = (text: string): string =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&');

/** Decodes text; `count` is called for each character that is written as a number. */
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
/** Without the namespace, which reports do not agree on. */
const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** Reads XML part by part, each character once. Entities of its own, which could grow without end, are refused. */
export function* readXml(xml: string): Generator<XmlPart> {
  const open: string[] = [];
  let at = 0;
  let isBegun = false;
  let references = 0;

  const countReference = () => {
    references += 1;
    if (references > MAX_REFERENCES) fail(`There are more than ${MAX_REFERENCES} characters written as numbers`);
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
      else if (xml.slice(at, end).trim().replace('\ufeff', '') !== '') fail('There is text outside of the root');
      at = end;
    } else if (xml.startsWith('<!--', at)) at = after('-->', at + 4);
    else if (xml.startsWith('<![CDATA[', at)) {
      const end = after(']]>', at + 9);
      yield { type: 'text', text: xml.slice(at + 9, end - 3) };
      at = end;
    } else if (xml.startsWith('<?', at)) at = after('?>', at + 2);
    else if (xml.startsWith('<!', at)) {
      const end = after('>', at);
      if (xml.slice(at, end).includes('[')) fail('Definitions of its own are not read');
      at = end;
    } else if (xml[at + 1] === '/') {
      at += 2;
      const name = readName();
      skipSpace();
      if (xml[at] !== '>' || open.pop() !== name) fail(`</${name.slice(0, 50)}> does not fit`);
      at += 1;
      yield { type: 'close', name: localName(name), end: at };
    } else {
      const start = at;
      at += 1;
      const name = readName();
      if (open.length === 0 && isBegun) fail('There is a second root');
      if (open.length >= DEEPEST) fail(`It is deeper than ${DEEPEST}`);
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
  if (!isBegun) fail('There is no element');
}

/** As text of XML; what XML cannot hold, such as a colour of a terminal, is left out. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** In an attribute, line breaks would be read as spaces. */
export const xmlAttribute = (name: string, text: string): string =>
  ` ${name}="${escapeXml(text).replace(/[\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`)}"`;
