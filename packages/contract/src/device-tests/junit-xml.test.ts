import { expect, test } from 'vitest';
import { readJunitXml, withoutProperties, writeJunitXml } from './junit-xml.ts';
import { XmlBroken } from './xml.ts';

/** The format of Ant: all properties of the machine, and the output at the end. */
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

/** The format of JavaScript and Python runners: nested suites, no class name, screenshots in the output. */
const nested = `\ufeff<testsuites name="all"><!-- <testcase name="none"/> -->
<testsuite name="outer"><testsuite name="login"><testcase name='says &quot;hello&quot; &#128075;' time="0.25">
<system-out>opened
[[ATTACHMENT|/job/shots/login.png]]
</system-out></testcase></testsuite><testcase name="last"><failure>no</failure><error message="later"/></testcase></testsuite></testsuites>`;

test('reads results, durations and reasons from a report of Ant', () => {
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

test('names tests by nested suites, and collects the files that tests name', () => {
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

test('removes properties of the machine, and nothing else', () => {
  const stripped = withoutProperties(ant);
  expect(stripped).not.toMatch(/user\.home|properties/);
  expect(readJunitXml(stripped)).toEqual(readJunitXml(ant));
  expect(withoutProperties(nested)).toBe(nested);
});

test('finds no tests in XML that is not a report', () => {
  expect(readJunitXml('<project><testcase name="a"/></project>')).toEqual([]);
});

test.each([
  ['<testsuite>', /<\/testsuite> is missing in line 1/],
  ['<testsuite></testcase>', /does not match/],
  ['<testsuite name=x/>', /no quotes/],
  ['<testsuite name/>', /no value/],
  ['\n<testsuite><!-- ', /"-->" is missing in line 2/],
  ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /not supported/],
  ['<a/><b/>', /second root/],
  ['', /no element/],
  ['PASS all', /outside of the root/],
  [`${'<a>'.repeat(101)}`, /deeper than 100/],
])('%s is rejected with a message', (xml, message) => {
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
])('writes and reads a test named %j', (name) => {
  const statuses = ['passed', 'failed', 'skipped'] as const;
  const cases = statuses.map((status, at) => ({ suite: name, test: name, status, milliseconds: at, message: name }));
  const read = readJunitXml(writeJunitXml(name, cases));
  expect(read.map(({ suite, test, status, milliseconds }) => ({ suite, test, status, milliseconds }))).toEqual(
    cases.map(({ suite, test, status, milliseconds }) => ({ suite, test, status, milliseconds })),
  );
  expect(read.map(({ message }) => message)).toEqual([undefined, name, name]);
});

test('omits characters that XML cannot represent', () => {
  const xml = writeJunitXml('a\u0000b', [
    { suite: 'a', test: '\u001b[31mred\ud800', status: 'passed', milliseconds: 1 },
  ]);
  expect(readJunitXml(xml).map(({ test }) => test)).toEqual(['[31mred\ufffd']);
});

test('reads the largest report in linear time', () => {
  const size = 500_000;
  for (const part of ['<', '&', '&amp;', ' ', '<a ', '<a/>', '<!--', '<![CDATA[', '<?', 'a="', '[[ATTACHMENT|', '\n']) {
    const xml = `<testsuite>${part.repeat(size / part.length)}`;
    expect(() => readJunitXml(xml)).toThrow(XmlBroken);
  }
});

test('decodes entities and character references in one pass each, and rejects slow input', () => {
  const text = '&amp;lt; &#38;lt; &lt;&gt;&quot;&apos; &#x1F44B; &unknown; &#99999999; &#1114112;';
  const [read] = readJunitXml(`<testsuite><testcase name="a"><failure>${text}</failure></testcase></testsuite>`);
  expect(read?.stack).toBe('&lt; &lt; <>"\' 👋 &unknown; &#99999999; \ufffd');
  const read16 = (inner: string) => () => readJunitXml(`<testsuite><testcase ${inner}/></testsuite>`);
  expect(read16(`name="${'&amp;'.repeat(220_000)}"`)).toThrow('The attribute name is longer than 1048576 characters');
  expect(read16(Array.from({ length: 1001 }, (_, at) => `a${at}=""`).join(' '))).toThrow('more than 1000 attributes');
  const numbers = `<testsuite><a>${'&#65;'.repeat(250_001)}</a></testsuite>`;
  expect(() => readJunitXml(numbers)).toThrow('more than 250000 character references');
});

test('reads a test with many attachments', () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => `[[ATTACHMENT|${at}]]`).join('\n');
  const xml = `<testsuite><testcase name="a"><system-out>${lines}</system-out></testcase></testsuite>`;
  expect(readJunitXml(xml)[0]?.attachments).toHaveLength(200_000);
});
