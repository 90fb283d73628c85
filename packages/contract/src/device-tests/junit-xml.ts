import type { testStatuses } from './test-work.ts';
import { escapeXml, readXml, type XmlPart, xmlAttribute } from './xml.ts';

/** A test in a JUnit XML report. */
export interface JunitCase {
  suite: string;
  test: string;
  status: (typeof testStatuses)[number];
  milliseconds: number;
  message?: string;
  stack?: string;
  /** Files that the report names as `[[ATTACHMENT|path]]`. */
  attachments: string[];
}

const outcomes: Record<string, JunitCase['status']> = { failure: 'failed', error: 'failed', skipped: 'skipped' };
const ATTACHMENT = '[[ATTACHMENT|';

/** Seconds. Some locales write commas between thousands. */
const readTime = (text: string | undefined): number => {
  const seconds = Number((text ?? '0').replaceAll(',', ''));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.round(seconds * 1000), Number.MAX_SAFE_INTEGER) : 0;
};

const attachmentsIn = (output: string): string[] =>
  output.includes(ATTACHMENT)
    ? output.split('\n').flatMap((line) => {
        const text = line.trim();
        return text.startsWith(ATTACHMENT) && text.endsWith(']]') ? [text.slice(ATTACHMENT.length, -2)] : [];
      })
    : [];

const isNotEmpty = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** Reads the tests of a report in order. Supports Surefire, Ant, Gradle, pytest, Jest, Mocha and others. */
export function readJunitXml(xml: string): JunitCase[] {
  const cases: JunitCase[] = [];
  const suites: string[] = [];
  let root: string | undefined;
  let current: JunitCase | undefined;
  let inside: string | undefined;
  let text: string[] = [];

  const begin = ({ name, attributes }: Extract<XmlPart, { type: 'open' }>) => {
    root ??= name;
    if (name === 'testsuite') suites.push(attributes.name ?? '');
    else if (name === 'testcase' && !current) {
      const suite = attributes.classname || suites.findLast((one) => one !== '') || 'tests';
      current = {
        suite,
        test: attributes.name || 'unnamed',
        status: 'passed',
        milliseconds: readTime(attributes.time),
        attachments: [],
      };
      cases.push(current);
    } else if (current && inside === undefined) {
      const status = outcomes[name];
      if (!status && name !== 'system-out') return;
      inside = name;
      text = [];
      // The first error is the cause; later ones come from cleaning up.
      if (status && current.status !== 'failed') {
        current.status = status;
        const message = attributes.message || attributes.type;
        if (isNotEmpty(message)) current.message = message;
      }
    }
  };
  const end = (name: string) => {
    if (name === 'testsuite') suites.pop();
    else if (name === 'testcase') current = undefined;
    else if (current && name === inside) {
      const whole = text.join('');
      if (name === 'system-out') current.attachments = current.attachments.concat(attachmentsIn(whole));
      else if (isNotEmpty(whole) && current.stack === undefined) current.stack = whole.trim();
      inside = undefined;
    }
  };

  for (const part of readXml(xml)) {
    if (part.type === 'open') begin(part);
    else if (part.type === 'close') end(part.name);
    else if (inside !== undefined) text.push(part.text);
  }
  return root === 'testsuites' || root === 'testsuite' ? cases : [];
}

/** Removes properties of the machine, which may be confidential. */
export function withoutProperties(xml: string): string {
  const chunks: string[] = [];
  let depth = 0;
  let from = 0;
  for (const part of readXml(xml)) {
    if (part.type === 'open' && part.name === 'properties') {
      if (depth === 0) chunks.push(xml.slice(from, part.start));
      depth += 1;
    } else if (part.type === 'close' && part.name === 'properties') {
      depth -= 1;
      from = part.end;
    }
  }
  return chunks.join('') + xml.slice(from);
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

function writeCase({ suite, test, status, milliseconds, message, stack }: Omit<JunitCase, 'attachments'>): string {
  const attributes = `${xmlAttribute('name', test)}${xmlAttribute('classname', suite)} time="${seconds(milliseconds)}"`;
  if (status === 'passed') return `  <testcase${attributes}/>\n`;
  const why = message === undefined ? '' : xmlAttribute('message', message);
  const inner = status === 'skipped' ? `<skipped${why}/>` : `<failure${why}>${escapeXml(stack ?? '')}</failure>`;
  return `  <testcase${attributes}>${inner}</testcase>\n`;
}

/** Writes the tests of one suite as a JUnit XML report. */
export function writeJunitXml(suite: string, cases: readonly Omit<JunitCase, 'attachments'>[]): string {
  const count = (status: JunitCase['status']) => cases.filter((one) => one.status === status).length;
  const time = seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  const counts = `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite${xmlAttribute('name', suite)} ${counts} time="${time}">
${cases.map(writeCase).join('')}</testsuite>
`;
}
