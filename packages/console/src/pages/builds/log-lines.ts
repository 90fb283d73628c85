import { plainText } from './ansi.ts';

/** A part of a log: what the runner did under one heading. */
export interface Stage {
  title: string;
  /** Of its heading, which is none before the first stage. */
  heading: number | undefined;
  /** Its lines: from the first to the one before the last. */
  from: number;
  until: number;
}

const headingOf = (line: string): string | undefined => /^== (.{1,200})/.exec(line)?.[1]?.trim();

/** Where stages begin and end; a line that is a heading belongs to the stage below it. */
export function stagesOf(lines: readonly string[]): Stage[] {
  const stages: Stage[] = [];
  // After the last line break there is no line yet.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  for (let at = 0; at < count; at += 1) {
    const line = lines[at] ?? '';
    const title = headingOf(line);
    const last = stages.at(-1);
    if (title !== undefined) stages.push({ title, heading: at, from: at + 1, until: at + 1 });
    else if (last) last.until = at + 1;
    else stages.push({ title: 'Before the first stage', heading: undefined, from: at, until: at + 1 });
  }
  return stages;
}

export type Row = { stage: Stage } | { line: number };

/** What is shown, from the top down: headings of stages, and the lines of those that are open. */
export const rowsOf = (stages: readonly Stage[], isOpen: (stage: Stage) => boolean): Row[] =>
  stages.flatMap((stage): Row[] => {
    const lines = isOpen(stage)
      ? Array.from({ length: stage.until - stage.from }, (_, at) => ({ line: stage.from + at }))
      : [];
    return [{ stage }, ...lines];
  });

/** Adds text to the lines of a log, which may be many; it may begin and end within a line. */
export function appendText(lines: string[], text: string): void {
  const [first = '', ...rest] = text.split('\n');
  if (lines.length === 0) lines.push(first);
  else lines[lines.length - 1] += first;
  for (const line of rest) lines.push(line);
}

/** The lines that contain a text, whatever its case. */
export function findLines(lines: readonly string[], searched: string): number[] {
  const words = searched.trim().toLowerCase();
  if (!words) return [];
  return lines.flatMap((line, at) => (plainText(line).toLowerCase().includes(words) ? [at] : []));
}
