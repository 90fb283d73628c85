import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface Figures {
  folder: string;
  date: string;
  commit: string;
  all: number;
  tried: number;
  byTests: number;
  byTypes: number;
  timedOut: number;
}

const START = '<!-- mutants -->';
const END = '<!-- /mutants -->';
const HEAD = [
  '| folder | detected | tested | by tests | by types | by timeout | date, commit |',
  '|---|---|---|---|---|---|---|',
];

export const countDetected = ({ byTests, byTypes, timedOut }: Figures): number => byTests + byTypes + timedOut;

const formatRow = (figures: Figures): string => {
  const { folder, date, commit, all, tried, byTests, byTypes, timedOut } = figures;
  const share = Math.round((100 * countDetected(figures)) / tried);
  return `| \`${folder}\` | ${share}% | ${tried} of ${all} | ${byTests} | ${byTypes} | ${timedOut} | ${date}, ${commit} |`;
};

/** The document with the row of this folder replaced or added, in order. */
export function withFigures(document: string, figures: Figures): string {
  const [before = '', rest = ''] = document.split(START);
  const [table = '', after = ''] = rest.split(END);
  const others = table
    .split('\n')
    .filter((line) => line.startsWith('| `') && !line.startsWith(`| \`${figures.folder}\` |`));
  const rows = [...others, formatRow(figures)].sort();
  return `${before}${START}\n${[...HEAD, ...rows].join('\n')}\n${END}${after}`;
}

export function writeFigures(file: string, figures: Figures): void {
  if (existsSync(file)) writeFileSync(file, withFigures(readFileSync(file, 'utf8'), figures));
}
