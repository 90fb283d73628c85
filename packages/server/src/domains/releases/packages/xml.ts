import { Unreadable } from '../../../workers/unreadable.ts';

export interface XmlElement {
  /** Without the namespace prefix. */
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes only the entities that XML defines. Documents cannot define others, so text cannot expand. */
const plain = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,10}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

const damaged = () => new Unreadable('An XML file in the package is damaged.');

const local = (name: string): string => name.slice(name.indexOf(':') + 1);
const DEEPEST = 100;

const space = /\s*/y;
const namePattern = /[\w:.-]+/y;

/** Returns the match of a sticky expression at a position. */
function taken(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}

/** Finds the end of a construct; scans every character once. */
function findEnd(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw damaged();
  return at;
}

/** Reads from the end of an element's name to the end of its `>`. */
function readAttributes(
  text: string,
  from: number,
): { attributes: Record<string, string>; isClosed: boolean; to: number } {
  const attributes: [string, string][] = [];
  for (let at = from; ; ) {
    at += taken(space, text, at)?.length ?? 0;
    if (text[at] === '>') return { attributes: Object.fromEntries(attributes), isClosed: false, to: at + 1 };
    if (text.startsWith('/>', at)) return { attributes: Object.fromEntries(attributes), isClosed: true, to: at + 2 };
    const name = taken(namePattern, text, at);
    if (name === undefined) throw damaged();
    at += name.length;
    at += taken(space, text, at)?.length ?? 0;
    if (text[at] !== '=') throw damaged();
    at += 1;
    at += taken(space, text, at)?.length ?? 0;
    const quote = text[at];
    if (quote !== '"' && quote !== "'") throw damaged();
    const end = findEnd(text, quote, at + 1);
    attributes.push([local(name), plain(text.slice(at + 1, end))]);
    at = end + 1;
  }
}

/** Finds the end of a document type; internal definitions are in brackets. */
function findDoctypeEnd(text: string, from: number): number {
  const close = findEnd(text, '>', from);
  const bracket = text.slice(from, close).indexOf('[');
  return bracket < 0 ? close + 1 : findEnd(text, '>', findEnd(text, ']', from + bracket)) + 1;
}

/** A small reader for manifests and property lists: elements, attributes and text. */
export function readXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const text = xml.replace(/^\uFEFF/, '');
  for (let at = 0; at < text.length; ) {
    const current = open.at(-1) ?? root;
    if (text[at] !== '<') {
      const next = text.indexOf('<', at);
      const end = next < 0 ? text.length : next;
      current.text += plain(text.slice(at, end));
      at = end;
    } else if (text.startsWith('<!--', at)) at = findEnd(text, '-->', at + 4) + 3;
    else if (text.startsWith('<![CDATA[', at)) {
      const end = findEnd(text, ']]>', at + 9);
      current.text += text.slice(at + 9, end);
      at = end + 3;
    } else if (text.startsWith('<?', at)) at = findEnd(text, '?>', at + 2) + 2;
    else if (text.startsWith('<!DOCTYPE', at)) at = findDoctypeEnd(text, at + 9);
    else if (text.startsWith('</', at)) {
      if (open.length === 1) throw damaged();
      open.pop();
      at = findEnd(text, '>', at + 2) + 1;
    } else {
      const name = taken(namePattern, text, at + 1);
      if (name === undefined) throw damaged();
      const { attributes, isClosed, to } = readAttributes(text, at + 1 + name.length);
      const element: XmlElement = { name: local(name), attributes, children: [], text: '' };
      current.children.push(element);
      if (!isClosed) open.push(element);
      if (open.length > DEEPEST) throw new Unreadable('An XML file in the package is nested too deeply.');
      at = to;
    }
  }
  const [first] = root.children;
  if (!first || open.length > 1) throw damaged();
  return first;
}

export const findChild = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** Finds all descendants with a name. */
export const findDescendants = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findDescendants(child, name)]);
