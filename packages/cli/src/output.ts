import { styleText } from 'node:util';
import type { Environment, Stream } from './environment.ts';
import { createProgress, type Progress } from './progress.ts';

export interface Column<T> {
  header: string;
  value(row: T): string | number | boolean | undefined;
  /** An ISO time: in a pipe as it is, on a terminal short and local. */
  isTime?: true;
  /** Left out in a pipe, where other programs count on what is there. */
  forPeople?: true;
}

export interface Output {
  /** Prints an answer of the API: its JSON if that was asked for, else the rows as a table. */
  table<T>(answer: unknown, rows: readonly T[], columns: readonly Column<T>[]): void;
  /** Prints one thing: on a terminal a line for each of its columns, in a pipe one line as in a table. */
  record<T>(answer: unknown, row: T, columns: readonly Column<T>[]): void;
  /** Prints one of many that come one by one: its JSON on a line of its own, else a line as in a table. */
  line<T>(answer: unknown, row: T, columns: readonly Column<T>[]): void;
  /** How far something is, on a terminal only. */
  progress: Progress;
  json(answer: unknown): void;
  /** Prints an answer whose one interesting part is a text. */
  value(answer: unknown, text: string): void;
  text(text: string): void;
  /** For people, on stderr: what is printed for programs stays clean. */
  note(text: string): void;
  failure(message: string, advice?: string): void;
}

/** What can move the cursor, colour the screen or reverse the text: names and messages come from others. */
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
/** Sequences of terminals: colors, cursor moves, titles and links. Without them a log is easier to read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with it
const sequence = /\x1b\[[0-?]{0,100}[ -/]{0,10}[@-~]|\x1b\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)/g;
export const printable = (text: string): string => text.replace(sequence, '').replace(unsafe, ' ');
/** The same for a text of several lines, which may have tabs. */
const printableLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');

const escapeUnsafe = (json: string): string =>
  json.replace(unsafe, (found) => (found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`));

const wide =
  /\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;
const letters = new Intl.Segmenter();
const widthOf = (text: string): number =>
  [...letters.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);

/** `2026-11-01 09:00`, in the time zone of the terminal. */
function shortTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : time.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}

function cellOf<T>(row: T, { value, isTime }: Column<T>, isTerminal: boolean): string {
  const cell = value(row);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  const text = String(cell ?? '');
  return printable(isTime && isTerminal && text ? shortTime(text) : text);
}

function align(lines: readonly string[][]): string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  const pad = (text: string, column: number) => text + ' '.repeat((widths[column] ?? 0) - widthOf(text));
  return lines.map((line) => line.map(pad).join('  ').trimEnd());
}

export function createOutput({
  stdout,
  stderr,
  env,
  json,
}: {
  stdout: Stream;
  stderr: Stream;
  env: Environment;
  json: boolean;
}): Output {
  const paint = (stream: Stream, style: 'bold' | 'red', text: string): string =>
    stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? styleText(style, text, { validateStream: false }) : text;
  const text = (line: string): void => void stdout.write(`${line}\n`);
  const printJson = (answer: unknown): void => text(escapeUnsafe(JSON.stringify(answer, null, 2)));

  const isTerminal = stdout.isTTY === true;

  function printRecord<T>(row: T, columns: readonly Column<T>[]): void {
    if (!isTerminal) {
      printTable([row], columns);
      return;
    }
    const width = Math.max(...columns.map(({ header }) => header.length));
    for (const column of columns) {
      const cell = cellOf(row, column, true);
      if (cell) text(`${paint(stdout, 'bold', column.header.padEnd(width))}  ${cell}`);
    }
  }

  function printTable<T>(rows: readonly T[], columns: readonly Column<T>[]): void {
    if (!isTerminal) {
      for (const row of rows) printLine(row, columns);
      return;
    }
    const lines = rows.map((row) => columns.map((column) => cellOf(row, column, true)));
    const [header = '', ...body] = align([columns.map((column) => column.header), ...lines]);
    for (const line of [paint(stdout, 'bold', header), ...body]) text(line);
  }

  function printLine<T>(row: T, columns: readonly Column<T>[]): void {
    const shown = columns.filter(({ forPeople }) => isTerminal || !forPeople);
    text(shown.map((column) => cellOf(row, column, isTerminal)).join(isTerminal ? '  ' : '\t'));
  }

  return {
    table: (answer, rows, columns) => (json ? printJson(answer) : printTable(rows, columns)),
    record: (answer, row, columns) => (json ? printJson(answer) : printRecord(row, columns)),
    line: (answer, row, columns) => (json ? text(escapeUnsafe(JSON.stringify(answer))) : printLine(row, columns)),
    progress: createProgress(stderr, env),
    json: printJson,
    value: (answer, line) => (json ? printJson(answer) : text(printableLines(line))),
    // A pipe gets the bytes as they are; a terminal would obey them.
    text: (line) => text(isTerminal ? printableLines(line) : line),
    note: (line) => void stderr.write(`${printable(line)}\n`),
    failure(message, advice) {
      stderr.write(`${paint(stderr, 'red', 'mooring:')} ${printable(message)}\n`);
      if (advice) stderr.write(`${printableLines(advice)}\n`);
    },
  };
}
