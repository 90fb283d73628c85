import { toIso } from '../../../kernel/clock.ts';
import type { CrashReportsTable } from '../crashes.tables.ts';
import { type Frame, formatFrame, type Stack } from '../stacks/stack.ts';

const frameLine = (frame: Frame, at: number): string =>
  frame.address
    ? `${String(at).padEnd(4)}${(frame.image ?? '???').padEnd(30)} ${frame.address} ${formatFrame(frame)}`
    : `    at ${formatFrame(frame)}`;

const headline = (type: string, message: string): string => [type, message].filter(Boolean).join(': ');

/** A report as text: properties, exceptions with causes, all threads, and loaded images. */
export function reportText(report: CrashReportsTable, stack: Stack): string {
  const fields: [string, string | null][] = [
    ['Incident', report.sent_id],
    ['Date', toIso(report.at)],
    ['App', `${report.version} (${report.build})`],
    ['Device', [report.oem, report.model].filter(Boolean).join(' ')],
    ['OS', report.os],
    ['Country', report.country],
    ['User', report.user_id],
    ['Install', report.install_id],
  ];
  const lines = fields.filter(([, value]) => value).map(([name, value]) => `${`${name}:`.padEnd(10)} ${value}`);
  stack.exceptions.forEach(({ type, message, frames }, at) => {
    lines.push('', `${at > 0 ? 'Caused by: ' : ''}${headline(type, message)}`, ...frames.map(frameLine));
  });
  for (const { id, name, isCrashed, frames, exception } of stack.threads) {
    lines.push('', `Thread ${id}${name ? ` (${name})` : ''}${isCrashed ? ' crashed' : ''}:`, ...frames.map(frameLine));
    if (exception && exception.frames.length > 0) {
      lines.push('', `Last exception of thread ${id}: ${headline(exception.type, exception.message)}`);
      lines.push(...exception.frames.map(frameLine));
    }
  }
  if (stack.images.length > 0) {
    lines.push('', 'Binaries:');
    for (const { start, end, name, architecture, id, path } of stack.images) {
      lines.push(`${start} - ${end} ${name} ${architecture} <${id}> ${path}`);
    }
  }
  if (stack.notes.length > 0) lines.push('', ...stack.notes.map((note) => `Note: ${note}`));
  return `${lines.join('\n')}\n`;
}
