import { plainText } from './ansi.ts';

/** A section of the log under one heading of the runner. */
export interface Stage {
  title: string;
  /** Line of the heading; undefined before the first stage. */
  heading: number | undefined;
  /** Its lines, without the end line. */
  from: number;
  until: number;
}

const findHeading = (line: string): string | undefined => /^== (.{1,200})/.exec(line)?.[1]?.trim();

/** Finds the stages; a heading line belongs to the stage below it. */
export function splitStages(lines: readonly string[]): Stage[] {
  const stages: Stage[] = [];
  // After the last line break there is no line yet.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  for (let at = 0; at < count; at += 1) {
    const line = lines[at] ?? '';
    const title = findHeading(line);
    const last = stages.at(-1);
    if (title !== undefined) stages.push({ title, heading: at, from: at + 1, until: at + 1 });
    else if (last) last.until = at + 1;
    else stages.push({ title: 'Before the first stage', heading: undefined, from: at, until: at + 1 });
  }
  return stages;
}

export type Row = { stage: Stage } | { line: number };

/** Visible rows: headings of stages, and the lines of open stages. */
export const toRows = (stages: readonly Stage[], isOpen: (stage: Stage) => boolean): Row[] =>
  stages.flatMap((stage): Row[] => {
    const lines = isOpen(stage)
      ? Array.from({ length: stage.until - stage.from }, (_, at) => ({ line: stage.from + at }))
      : [];
    return [{ stage }, ...lines];
  });

/** Appends text to the lines; it may start and end within a line. */
export function appendText(lines: string[], text: string): void {
  const [first = '', ...rest] = text.split('\n');
  if (lines.length === 0) lines.push(first);
  else lines[lines.length - 1] += first;
  for (const line of rest) lines.push(line);
}

/** Lines that contain a text, ignoring case. */
export function findLines(lines: readonly string[], searched: string): number[] {
  const text = searched.trim().toLowerCase();
  if (!text) return [];
  return lines.flatMap((line, at) => (plainText(line).toLowerCase().includes(text) ? [at] : []));
}
