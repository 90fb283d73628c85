import type { JunitCase } from './junit-xml.ts';
import { escapeXml, xmlAttribute } from './xml.ts';

type Case = Omit<JunitCase, 'attachments'>;

const results: Record<Case['status'], string> = { passed: 'Passed', failed: 'Failed', skipped: 'Skipped' };
const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** NOTE: clients that merge reports need all of these attributes. */
function counts(cases: readonly Case[]): string {
  const count = (status: Case['status']) => cases.filter((one) => one.status === status).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const result = failed > 0 ? 'Failed' : passed > 0 ? 'Passed' : 'Skipped';
  const duration = seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  return ` testcasecount="${cases.length}" result="${result}" total="${cases.length}" passed="${passed}" failed="${failed}" inconclusive="0" skipped="${skipped}" asserts="0" duration="${duration}"`;
}

function writeCase({ suite, test, status, milliseconds, message, stack }: Case): string {
  const named = `${xmlAttribute('name', test)}${xmlAttribute('fullname', `${suite}.${test}`)}${xmlAttribute('classname', suite)}`;
  const attributes = `${named} result="${results[status]}" duration="${seconds(milliseconds)}" asserts="0"`;
  if (status === 'passed') return `    <test-case${attributes}/>\n`;
  const why = `<message>${escapeXml(message ?? '')}</message>`;
  const trace = stack === undefined ? '' : `<stack-trace>${escapeXml(stack)}</stack-trace>`;
  const inner = status === 'skipped' ? `<reason>${why}</reason>` : `<failure>${why}${trace}</failure>`;
  return `    <test-case${attributes}>${inner}</test-case>\n`;
}

/** Writes tests as an NUnit 3 report with one fixture for each suite. */
export function writeNunitXml(cases: readonly Case[]): string {
  const fixtures = [...Map.groupBy(cases, ({ suite }) => suite)].map(
    ([suite, own]) =>
      `  <test-suite type="TestFixture"${xmlAttribute('name', suite)}${xmlAttribute('fullname', suite)}${counts(own)}>\n${own.map(writeCase).join('')}  </test-suite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<test-run id="0"${counts(cases)}>\n${fixtures.join('')}</test-run>\n`;
}
