import { writeJunitXml } from '@mooring/contract';
import type { EndedTest } from './adapters/adapter.ts';

interface JunitReport {
  name: string;
  xml: string;
}

const MAX_REPORTS = 40;
/** Total of all reports. */
const MAX_TOTAL_LENGTH = 64 * 1_048_576;

/** Collects reports written by the suite, up to limits on number and size. */
export function createReportCollector(write: (text: string) => void) {
  const reports: JunitReport[] = [];
  return {
    reports: reports as readonly JunitReport[],
    add(name: string, xml: string): void {
      const length = reports.reduce((sum, one) => sum + one.xml.length, xml.length);
      if (reports.length < MAX_REPORTS && length <= MAX_TOTAL_LENGTH) reports.push({ name, xml });
      else write(`## Skipped ${name}: the limit is ${MAX_REPORTS} reports with a total of 64 MiB.\n`);
    },
  };
}

/** Creates one report per suite, as other tools expect. Too many suites share one report. */
export function buildReports(results: readonly EndedTest[], framework: string): JunitReport[] {
  const bySuite = Map.groupBy(results, ({ suite }) => suite);
  const groups = bySuite.size > MAX_REPORTS ? [[framework, [...results]] as const] : [...bySuite];
  const names = new Set<string>();
  return groups.map(([suite, tests]) => {
    const stem = `TEST-${suite.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 180)}`;
    let name = `${stem}.xml`;
    for (let at = 2; names.has(name); at += 1) name = `${stem}-${at}.xml`;
    names.add(name);
    return { name, xml: writeJunitXml(suite, tests) };
  });
}
