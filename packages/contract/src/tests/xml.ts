/** What is no XML, or a kind of it that reports of tests have no use for. */
export class XmlBroken extends Error {
  override name = 'XmlBroken';
}

export type XmlPart =
  | { type: 'open'; name: string; attributes: Record<string, string>; start: number }
  | { type: 'text'; text: string }
  | { type: 'close'; name: string; end: number };

const DEEPEST = 100;
const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const decode = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,4});/g, (whole, name: string) => {
        if (!name.startsWith('#')) return named[name] ?? whole;
        const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
        return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
      })
    : text;

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
    for (skipSpace(); xml[at] !== '>' && xml[at] !== '/'; skipSpace()) {
      const name = readName();
      skipSpace();
      if (xml[at] !== '=') fail(`The attribute ${name.slice(0, 50)} has no value`);
      at += 1;
      skipSpace();
      const quote = xml[at];
      if (quote !== '"' && quote !== "'") return fail(`The attribute ${name.slice(0, 50)} has no quotes`);
      const end = after(quote, at + 1);
      attributes[localName(name)] = decode(xml.slice(at + 1, end - 1));
      at = end;
    }
    return attributes;
  };

  while (at < xml.length) {
    if (xml[at] !== '<') {
      const next = xml.indexOf('<', at);
      const end = next < 0 ? xml.length : next;
      if (open.length > 0) yield { type: 'text', text: decode(xml.slice(at, end)) };
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
