import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../../test-support/hostile-text.ts';
import { type AtomFeed, renderAtom, tagUri } from './atom.ts';

const entry = {
  id: 'tag:mooring.example.com,2024:health/BC_1-FXZ',
  title: 'Mail & <calendar> are "slow"',
  url: 'https://mooring.example.com/health/BC_1-FXZ?a=1&b=2',
  publishedAt: Date.UTC(2024, 9, 2, 8),
  updatedAt: Date.UTC(2024, 9, 2, 9, 30),
  summaryHtml: '<p>We&#39;re <b>looking</b> &amp; mending.</p>',
  categories: ['ServiceIssue', 'Mail & more'],
};
const feed: AtomFeed = {
  id: 'urn:uuid:0190f9f0-7c3e-7000-8000-000000000001',
  title: 'Health of Lighthouse',
  author: 'Mooring',
  selfUrl: 'https://mooring.example.com/feeds/secret.atom',
  updatedAt: Date.UTC(2024, 9, 2, 9, 30),
  entries: [entry],
};

/** Reads the feed with an independent parser. */
function read(xml: string) {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    htmlEntities: true,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    isArray: (name) => name === 'entry' || name === 'category',
  });
  return parser.parse(xml).feed;
}

test('a feed has all fields that Atom requires, and the passed values', () => {
  const { entry: entries, ...head } = read(renderAtom(feed));
  expect(head).toMatchObject({
    '@xmlns': 'http://www.w3.org/2005/Atom',
    id: feed.id,
    title: feed.title,
    updated: '2024-10-02T09:30:00.000Z',
    author: { name: 'Mooring' },
    link: { '@rel': 'self', '@href': feed.selfUrl },
  });
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    id: entry.id,
    title: entry.title,
    published: '2024-10-02T08:00:00.000Z',
    updated: '2024-10-02T09:30:00.000Z',
    link: { '@rel': 'alternate', '@href': entry.url },
    category: [{ '@term': 'ServiceIssue' }, { '@term': 'Mail & more' }],
  });
});

test('HTML is text for XML, so that it cannot change the feed', () => {
  const xml = renderAtom(feed);
  expect(xml).toContain('<summary type="html">&lt;p&gt;We&amp;#39;re &lt;b&gt;looking');
  expect(xml).not.toContain('<p>');
  expect(xml).not.toContain('<calendar>');
});

test('a feed without entries is a feed', () => {
  expect(read(renderAtom({ ...feed, entries: [] }))).toMatchObject({ id: feed.id, updated: expect.any(String) });
});

test('preserves any text except characters that XML does not have', () => {
  const text = fc.string({ unit: anySign, minLength: 1 }).map((value) => `${value.trim()}.`);
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(
        '&lt;&amp;amp;',
        'a\rb',
        'a\n\tb',
        '\0',
        '\ud800',
        '\u001f',
        '\uffff',
        ']]>',
        '<!--',
        '"',
        "'",
        '" href="',
      ),
      (value, strange) => {
        const title = `${value}${strange}`;
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML does not have
        const invalid = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
        const expected = title.toWellFormed().replaceAll(invalid, '\ufffd');
        const { entry: entries } = read(renderAtom({ ...feed, entries: [{ ...entry, title, categories: [title] }] }));
        expect(entries[0].title).toBe(expected);
        expect(entries[0].category).toEqual([{ '@term': expected }]);
      },
    ),
  );
});

test.each([
  ['https://mooring.example.com:8443', ['health', 'BC_1-FXZ'], 'tag:mooring.example.com,2024:health/BC_1-FXZ'],
  ['https://localhost:8443', ['health', 'a b/c'], 'tag:localhost,2024:health/a%20b%2Fc'],
  ['https://[::1]:8443', ['x'], 'tag:---1-,2024:x'],
])('the ID of %s and %j is %s', (publicUrl, path, id) => {
  expect(tagUri(publicUrl, ...path)).toBe(id);
});
