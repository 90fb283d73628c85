import { writeNunitXml } from '@mooring/contract';
import { expect, test } from 'vitest';
import { readCucumber } from './calabash/cucumber.ts';
import { readNunitXml } from './uitest/nunit-xml.ts';

// The samples follow the documented formats of NUnit and Cucumber.

test('reads a report of NUnit 2', () => {
  const xml = `<test-results name="Notes.dll" total="3"><test-suite><results>
    <test-case name="Notes.Tests.Keeps" executed="True" result="Success" time="1.5" />
    <test-case name='Notes.Tests.Finds("a.b")' executed="True" result="Failure" time="0.2"><failure>
      <message><![CDATA[Expected: 2]]></message><stack-trace><![CDATA[at Notes.Tests.Finds()]]></stack-trace></failure></test-case>
    <test-case name="Notes.Tests.Prints" executed="False" result="Ignored"><reason><message>later</message></reason></test-case>
  </results></test-suite></test-results>`;
  expect(readNunitXml(xml)).toEqual([
    { suite: 'Notes.Tests', test: 'Keeps', status: 'passed', milliseconds: 1500 },
    {
      suite: 'Notes.Tests',
      test: 'Finds("a.b")',
      status: 'failed',
      milliseconds: 200,
      message: 'Expected: 2',
      stack: 'at Notes.Tests.Finds()',
    },
    { suite: 'Notes.Tests', test: 'Prints', status: 'skipped', milliseconds: 0, message: 'later' },
  ]);
});

test('preserves any names and messages in NUnit reports', () => {
  const cases = [
    { suite: 'Notes.Tests', test: 'Keeps("<a> & b")', status: 'passed', milliseconds: 1500 },
    { suite: 'Notes.Tests', test: 'Finds', status: 'failed', milliseconds: 20, message: 'a < b\n]]>', stack: 'at "x"' },
    { suite: 'Other', test: 'Prints', status: 'skipped', milliseconds: 0, message: 'later' },
  ] as const;
  const xml = writeNunitXml(cases);
  expect(readNunitXml(xml)).toEqual(cases);
  expect(xml).toMatch(
    /<test-run id="0" testcasecount="3" result="Failed" total="3" passed="1" failed="1" inconclusive="0" skipped="1"/,
  );
});

test('reads a report of NUnit 3', () => {
  const xml = `<test-run testcasecount="1"><test-suite type="TestFixture"><test-case name="Keeps(1)" fullname="Notes.Tests.Keeps(1)" classname="Notes.Tests" result="Passed" duration="0.25"/></test-suite></test-run>`;
  expect(readNunitXml(xml)).toEqual([{ suite: 'Notes.Tests', test: 'Keeps(1)', status: 'passed', milliseconds: 250 }]);
});

test('reads scenarios with steps and screenshots from a Cucumber report', () => {
  const json = JSON.stringify([
    {
      name: 'Notes',
      elements: [
        { type: 'background', name: '', steps: [] },
        {
          type: 'scenario',
          name: 'Keeping',
          steps: [
            {
              keyword: 'Given ',
              name: 'a note',
              result: { status: 'passed', duration: 1_500_000_000 },
              embeddings: [{ mime_type: 'image/png', data: 'iVBO' }],
            },
            {
              keyword: 'Then ',
              name: 'it is kept',
              result: { status: 'failed', duration: 500_000_000, error_message: 'it is not' },
            },
          ],
        },
        {
          type: 'scenario',
          name: 'Later',
          steps: [{ keyword: 'Given ', name: 'time', result: { status: 'undefined' } }],
        },
      ],
    },
  ]);
  expect(readCucumber(json)).toEqual([
    {
      suite: 'Notes',
      test: 'Keeping',
      status: 'failed',
      milliseconds: 2000,
      message: 'it is not',
      steps: [{ label: 'Given a note', screenshot: 'iVBO' }, { label: 'Then it is kept' }],
    },
    { suite: 'Notes', test: 'Later', status: 'skipped', milliseconds: 0, steps: [{ label: 'Given time' }] },
  ]);
});
