import { toIso } from '../../../kernel/clock.ts';
export interface AtomFeed {
  /** Does not change if the URL changes. */
  id: string;
  title: string;
  author: string;
  selfUrl: string;
  updatedAt: number;
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  /** Identifies the entry for readers through all updates. */
  id: string;
  title: string;
  url: string;
  publishedAt: number;
  updatedAt: number;
  summaryHtml: string;
  categories: readonly string[];
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

// XML 1.0 cannot represent these characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the ones to remove
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** An unescaped carriage return would become a line feed in the reader. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(impossible, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
    .replaceAll('\r', '&#13;');

/** An ID after RFC 4151, for resources without a UUID: `tag:mooring.example.com,2024:health/BC_1-FXZ`. */
export function tagUri(publicUrl: string, ...path: string[]): string {
  const authority = new URL(publicUrl).hostname.replaceAll(/[^a-z0-9.-]/gi, '-');
  return `tag:${authority},2024:${path.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
}

/** Atom 1.0 (RFC 4287). */
export function renderAtom({ id, title, author, selfUrl, updatedAt, entries }: AtomFeed): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(id)}</id>
  <title>${escaped(title)}</title>
  <updated>${toIso(updatedAt)}</updated>
  <author><name>${escaped(author)}</name></author>
  <link rel="self" type="application/atom+xml" href="${escaped(selfUrl)}"/>
${entries.map(renderEntry).join('')}</feed>
`;
}

function renderEntry({ id, title, url, publishedAt, updatedAt, summaryHtml, categories }: AtomEntry): string {
  const terms = categories.map((category) => `    <category term="${escaped(category)}"/>\n`).join('');
  return `  <entry>
    <id>${escaped(id)}</id>
    <title>${escaped(title)}</title>
    <published>${toIso(publishedAt)}</published>
    <updated>${toIso(updatedAt)}</updated>
    <link rel="alternate" href="${escaped(url)}"/>
${terms}    <summary type="html">${escaped(summaryHtml)}</summary>
  </entry>
`;
}
