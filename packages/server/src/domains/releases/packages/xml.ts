import { Unreadable } from '../../../workers/unreadable.ts';

export interface XmlElement {
  /** Without the prefix of its namespace. */
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Only what XML itself defines: a document cannot define more, so nothing can grow. */
const plain = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,10}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>|<\/\s*[\w:.-]+\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/gy;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);
const DEEPEST = 100;

/** A small reader for manifests and property lists: elements, attributes and text. */
export function readXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const text = xml.replace(/^\uFEFF/, '');
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (!match) throw new Unreadable('An XML file in it is damaged.');
    const [whole, data, name, attributes = '', isClosed, words] = match;
    const current = open.at(-1) ?? root;
    if (data !== undefined) current.text += data;
    else if (words !== undefined) current.text += plain(words);
    else if (name !== undefined) {
      const pairs = [...attributes.matchAll(attribute)].map(
        ([, key = '', double, single]) => [local(key), plain(double ?? single ?? '')] as const,
      );
      const element: XmlElement = { name: local(name), attributes: Object.fromEntries(pairs), children: [], text: '' };
      current.children.push(element);
      if (!isClosed) open.push(element);
      if (open.length > DEEPEST) throw new Unreadable('An XML file in it is nested too deep.');
    } else if (whole.startsWith('</')) {
      if (open.length === 1) throw new Unreadable('An XML file in it is damaged.');
      open.pop();
    }
  }
  const [first] = root.children;
  if (!first || open.length > 1) throw new Unreadable('An XML file in it is damaged.');
  return first;
}

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** Every element of that name, however deep. */
export const allOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...allOf(child, name)]);
