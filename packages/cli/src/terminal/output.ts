import { styleText } from 'node:util';
import type { Environment, Stream } from '../environment.ts';
import { createProgress, type Progress } from './progress.ts';

export interface Column<T> {
  header: string;
  value(row: T): string | number | boolean | undefined;
  /** An ISO time. A terminal shows it short and in local time; a pipe gets it unchanged. */
  isTime?: true;
  /** Shown on a terminal only. The columns in a pipe must not change, as scripts rely on them. */
  forPeople?: true;
}

export interface Output {
  /** Prints a response: as JSON with --json, otherwise its rows as a table. */
  table<T>(response: unknown, rows: readonly T[], columns: readonly Column<T>[]): void;
  /** Prints one record: on a terminal one line for each column, in a pipe one line as in a table. */
  record<T>(response: unknown, row: T, columns: readonly Column<T>[]): void;
  /** Prints one row of a stream: as one line of JSON with --json, otherwise as a line of a table. */
  line<T>(response: unknown, row: T, columns: readonly Column<T>[]): void;
  /** Progress bar, on a terminal only. */
  progress: Progress;
  json(response: unknown): void;
  /** Prints a response: as JSON with --json, otherwise as `text`. */
  value(response: unknown, text: string): void;
  text(text: string): void;
  /** Prints a message on stderr, so that stdout holds results only. */
  note(text: string): void;
  failure(message: string, advice?: string): void;
}

/** Characters that can move the cursor or reverse text. Names and messages come from other users, so they are not trusted. */
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
/** Terminal sequences: colors, cursor moves, titles and links. Removing them makes logs readable. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences start with a control character
const sequence = /\x1b\[[0-?]{0,100}[ -/]{0,10}[@-~]|\x1b\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)/g;
export const printable = (text: string): string => text.replace(sequence, '').replace(unsafe, ' ');
/** Like `printable`, but keeps line breaks and tabs. */
const printableLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');

const escapeUnsafe = (json: string): string =>
  json.replace(unsafe, (match) => (match === '\n' ? match : `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`));

const wide =
  /\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;
const letters = new Intl.Segmenter();
const measureWidth = (text: string): number =>
  [...letters.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);

/** `2026-11-01 09:00`, in the time zone of the terminal. */
function shortTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : time.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}

function formatCell<T>(row: T, { value, isTime }: Column<T>, isTerminal: boolean): string {
  const cell = value(row);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  const text = String(cell ?? '');
  return printable(isTime && isTerminal && text ? shortTime(text) : text);
}

function align(lines: readonly string[][]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => measureWidth(line[column] ?? ''))),
  );
  const pad = (text: string, column: number) => text + ' '.repeat((widths[column] ?? 0) - measureWidth(text));
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
  const printJson = (response: unknown): void => text(escapeUnsafe(JSON.stringify(response, null, 2)));

  const isTerminal = stdout.isTTY === true;

  function printRecord<T>(row: T, columns: readonly Column<T>[]): void {
    if (!isTerminal) {
      printTable([row], columns);
      return;
    }
    const width = Math.max(...columns.map(({ header }) => header.length));
    for (const column of columns) {
      const cell = formatCell(row, column, true);
      if (cell) text(`${paint(stdout, 'bold', column.header.padEnd(width))}  ${cell}`);
    }
  }

  function printTable<T>(rows: readonly T[], columns: readonly Column<T>[]): void {
    if (!isTerminal) {
      for (const row of rows) printLine(row, columns);
      return;
    }
    const lines = rows.map((row) => columns.map((column) => formatCell(row, column, true)));
    const [header = '', ...body] = align([columns.map((column) => column.header), ...lines]);
    for (const line of [paint(stdout, 'bold', header), ...body]) text(line);
  }

  function printLine<T>(row: T, columns: readonly Column<T>[]): void {
    const shown = columns.filter(({ forPeople }) => isTerminal || !forPeople);
    text(shown.map((column) => formatCell(row, column, isTerminal)).join(isTerminal ? '  ' : '\t'));
  }

  return {
    table: (response, rows, columns) => (json ? printJson(response) : printTable(rows, columns)),
    record: (response, row, columns) => (json ? printJson(response) : printRecord(row, columns)),
    line: (response, row, columns) => (json ? text(escapeUnsafe(JSON.stringify(response))) : printLine(row, columns)),
    progress: createProgress(stderr, env),
    json: printJson,
    value: (response, line) => (json ? printJson(response) : text(printableLines(line))),
    // A terminal would interpret control characters; a pipe gets the bytes unchanged.
    text: (line) => text(isTerminal ? printableLines(line) : line),
    note: (line) => void stderr.write(`${printable(line)}\n`),
    failure(message, advice) {
      stderr.write(`${paint(stderr, 'red', 'mooring:')} ${printable(message)}\n`);
      if (advice) stderr.write(`${printableLines(advice)}\n`);
    },
  };
}
