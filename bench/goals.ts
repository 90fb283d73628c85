import { type Goal, number, table } from './harness.ts';

const head = ['what', 'goal', 'measured', 'measured / goal', 'met', 'part'];
const begin = '<!-- goals -->';
const end = '<!-- /goals -->';

/** A row of the table; its last cell names its part. */
function formatRow(part: string, { what, aim, measured, unit = '', digits = 0 }: Goal): string[] {
  const isLeast = 'atLeast' in aim;
  const limit = isLeast ? aim.atLeast : aim.atMost;
  const isMet = isLeast ? measured >= limit : measured <= limit;
  return [
    what,
    `${isLeast ? '≥' : '≤'} ${number(limit, digits)}${unit}`,
    `${number(measured, digits)}${unit}`,
    number(measured / limit, 2),
    isMet ? 'yes' : '**no**',
    `\`${part}\``,
  ];
}

/** The rows of an earlier report, by part. */
export function readGoals(report: string): Map<string, string[][]> {
  const text = report.slice(report.indexOf(begin) + begin.length, report.indexOf(end));
  const rows = report.includes(begin) ? text.trim().split('\n').slice(2) : [];
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const getPart = (row: string[]): string => row.at(-1)?.replaceAll('`', '') ?? '';
  return Map.groupBy(cells, getPart);
}

/** All parts in order; new measurements replace earlier ones. */
export function writeGoals(
  parts: readonly string[],
  known: ReadonlyMap<string, string[][]>,
  found: ReadonlyMap<string, readonly Goal[]>,
): string {
  const rows = parts.flatMap((part) => found.get(part)?.map((goal) => formatRow(part, goal)) ?? known.get(part) ?? []);
  return [begin, table(head, rows), end].join('\n');
}
