import { expect, test } from 'vitest';
import { readJunitXml, withoutProperties, writeJunitXml } from './junit-xml.ts';
import { XmlBroken } from './xml.ts';

/** As Ant writes it: all that the machine has in its properties, and the output at the end. */
const ant = `<?xml version="1.0" encoding="UTF-8" ?>
<testsuite errors="1" failures="1" hostname="harbour" name="NotesTest" skipped="1" tests="4" time="1,009.218">
  <properties>
    <property name="user.home" value="/home/ada" />
    <property name="java.version" value="17.0.13" />
  </properties>
  <testcase classname="com.example.NotesTest" name="keepsNotes" time="4.518" />
  <testcase classname="com.example.NotesTest" name="findsNotes" time="1,002.7">
    <failure message="expected:&lt;2&gt; but was:&lt;1&gt;" type="java.lang.AssertionError">java.lang.AssertionError: expected:&lt;2&gt;
\tat com.example.NotesTest.findsNotes(NotesTest.java:40)
</failure>
  </testcase>
  <testcase classname="com.example.NotesTest" name="sendsNotes" time="2.0"><error type="java.net.ConnectException"><![CDATA[a <b> & c]]></error></testcase>
  <testcase classname="com.example.NotesTest" name="printsNotes" time="0.0"><skipped /></testcase>
  <system-out><![CDATA[[[ATTACHMENT|/not/of/a/test.png]]]]></system-out>
</testsuite>`;

/** As runners of JavaScript and Python write it: suites in suites, no class name, pictures in the output. */
const nested = `\ufeff<testsuites name="all"><!-- <testcase name="none"/> -->
<testsuite name="outer"><testsuite name="login"><testcase name='says &quot;hello&quot; &#128075;' time="0.25">
<system-out>opened
[[ATTACHMENT|/job/shots/login.png]]
</system-out></testcase></testsuite><testcase name="last"><failure>no</failure><error message="later"/></testcase></testsuite></testsuites>`;

test('a report of Ant is read: what passed, failed, broke and was skipped, how long it took and why', () => {
  const suite = 'com.example.NotesTest';
  expect(readJunitXml(ant)).toEqual([
    { suite, test: 'keepsNotes', status: 'passed', milliseconds: 4518, attachments: [] },
    {
      suite,
      test: 'findsNotes',
      status: 'failed',
      milliseconds: 1_002_700,
      message: 'expected:<2> but was:<1>',
      stack: 'java.lang.AssertionError: expected:<2>\n\tat com.example.NotesTest.findsNotes(NotesTest.java:40)',
      attachments: [],
    },
    {
      suite,
      test: 'sendsNotes',
      status: 'failed',
      milliseconds: 2000,
      message: 'java.net.ConnectException',
      stack: 'a <b> & c',
      attachments: [],
    },
    { suite, test: 'printsNotes', status: 'skipped', milliseconds: 0, attachments: [] },
  ]);
});

test('suites in suites name their tests; files that a test names belong to it', () => {
  expect(readJunitXml(nested)).toEqual([
    {
      suite: 'login',
      test: 'says "hello" 👋',
      status: 'passed',
      milliseconds: 250,
      attachments: ['/job/shots/login.png'],
    },
    { suite: 'outer', test: 'last', status: 'failed', milliseconds: 0, stack: 'no', attachments: [] },
  ]);
});

test('properties of the machine are taken out, and nothing else', () => {
  const stripped = withoutProperties(ant);
  expect(stripped).not.toMatch(/user\.home|properties/);
  expect(readJunitXml(stripped)).toEqual(readJunitXml(ant));
  expect(withoutProperties(nested)).toBe(nested);
});

test('XML that is no report has no tests', () => {
  expect(readJunitXml('<project><testcase name="a"/></project>')).toEqual([]);
});

test.each([
  ['<testsuite>', /<\/testsuite> is missing in line 1/],
  ['<testsuite></testcase>', /does not fit/],
  ['<testsuite name=x/>', /no quotes/],
  ['<testsuite name/>', /no value/],
  ['\n<testsuite><!-- ', /"-->" is missing in line 2/],
  ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /Definitions/],
  ['<a/><b/>', /second root/],
  ['', /no element/],
  ['PASS all', /outside of the root/],
  [`${'<a>'.repeat(101)}`, /deeper than 100/],
])('%s is refused with words', (xml, message) => {
  expect(() => readJunitXml(xml)).toThrow(XmlBroken);
  expect(() => readJunitXml(xml)).toThrow(message);
});

test.each([
  ['plain'],
  ['<&>"\''],
  [']]>'],
  ['two\nlines\tand\r\nmore'],
  ['\ud83d\udc4b \u00e4 &amp; &#10;'],
  ['  spaces  '],
])('a test that is called %j is written and read again', (name) => {
  const statuses = ['passed', 'failed', 'skipped'] as const;
  const cases = statuses.map((status, at) => ({ suite: name, test: name, status, milliseconds: at, message: name }));
  const read = readJunitXml(writeJunitXml(name, cases));
  expect(read.map(({ suite, test, status, milliseconds }) => ({ suite, test, status, milliseconds }))).toEqual(
    cases.map(({ suite, test, status, milliseconds }) => ({ suite, test, status, milliseconds })),
  );
  expect(read.map(({ message }) => message)).toEqual([undefined, name, name]);
});

test('what XML cannot hold is left out', () => {
  const xml = writeJunitXml('a\u0000b', [
    { suite: 'a', test: '\u001b[31mred\ud800', status: 'passed', milliseconds: 1 },
  ]);
  expect(readJunitXml(xml).map(({ test }) => test)).toEqual(['[31mred\ufffd']);
});

test('the largest report takes time by its length, however it is made', () => {
  const size = 500_000;
  for (const part of ['<', '&', '&amp;', ' ', '<a ', '<a/>', '<!--', '<![CDATA[', '<?', 'a="', '[[ATTACHMENT|', '\n']) {
    const xml = `<testsuite>${part.repeat(size / part.length)}`;
    expect(() => readJunitXml(xml)).toThrow(XmlBroken);
  }
});

test('decodes names and numbers of characters in one pass each, and refuses what would take long', () => {
  const text = '&amp;lt; &#38;lt; &lt;&gt;&quot;&apos; &#x1F44B; &unknown; &#99999999; &#1114112;';
  const [read] = readJunitXml(`<testsuite><testcase name="a"><failure>${text}</failure></testcase></testsuite>`);
  expect(read?.stack).toBe('&lt; &lt; <>"\' 👋 &unknown; &#99999999; \ufffd');
  const read16 = (inner: string) => () => readJunitXml(`<testsuite><testcase ${inner}/></testsuite>`);
  expect(read16(`name="${'&amp;'.repeat(220_000)}"`)).toThrow('The attribute name is longer than 1048576 characters');
  expect(read16(Array.from({ length: 1001 }, (_, at) => `a${at}=""`).join(' '))).toThrow('more than 1000 attributes');
  const numbers = `<testsuite><a>${'&#65;'.repeat(250_001)}</a></testsuite>`;
  expect(() => readJunitXml(numbers)).toThrow('more than 250000 characters written as numbers');
});

test('reads a test that names many files', () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => `[[ATTACHMENT|${at}]]`).join('\n');
  const xml = `<testsuite><testcase name="a"><system-out>${lines}</system-out></testcase></testsuite>`;
  expect(readJunitXml(xml)[0]?.attachments).toHaveLength(200_000);
});
