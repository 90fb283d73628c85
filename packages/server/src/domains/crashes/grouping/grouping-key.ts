import { hash } from 'node:crypto';
import type { ReportKind } from '../reports/parsed-report.ts';
import type { ExceptionStack, Frame, Stack } from '../stacks/stack.ts';
import { cleanedCall, cleanMessage, isHelper } from './clean-names.ts';
import { applyRules, type GroupingRule, isMessageTold } from './rules.ts';

/** Raised with every change that gives the same report another key. */
export const GROUPING_VERSION = 1;

const TOP_FRAMES = 3;

/** Why a report is in its group. */
export interface Grouping {
  key: string;
  exception: ExceptionStack;
  /** The frame that a group is known by. */
  reasonFrame: Frame | undefined;
}

/** Where a frame is, the same in every version: no line, no address. */
function locationOf(frame: Frame): string {
  const { file = '', imageId, offset, line, column, isUnsymbolicated } = frame;
  const call = cleanedCall(frame);
  const isNamed = call !== '.';
  if (isUnsymbolicated && imageId !== undefined && offset !== undefined) return `${imageId}+${offset}`;
  // A packed script says nothing but a position, if its functions have no names; an address is another on every device.
  if (!isNamed)
    return file === '' && column === undefined ? (frame.image ?? '') : `${file}@${line ?? ''}:${column ?? ''}`;
  const isGenerated = file === 'SourceFile' || file === '' || isUnsymbolicated;
  return `${call} ${isGenerated ? '' : file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)}`;
}

/** One after the other that are the same are one: how deep something called itself is chance. */
const locations = (frames: readonly Frame[]): string[] =>
  frames.map(locationOf).filter((location, at, all) => location !== all[at - 1]);

const counted = (exception: ExceptionStack, rules: readonly GroupingRule[]): readonly Frame[] =>
  applyRules(exception.frames, rules).filter((frame) => !isHelper(frame));

const nothing: ExceptionStack = { type: '', message: '', frames: [] };

/** The exceptions of a report; without any, what its crashed thread was at. */
function exceptionsOf({ exceptions, threads }: Stack): ExceptionStack[] {
  const known = exceptions.filter(({ type, message, frames }) => type || message || frames.length > 0);
  if (known.some(({ frames }) => frames.length > 0)) return known;
  const thread = threads.find(({ isCrashed }) => isCrashed) ?? threads.find(({ frames }) => frames.length > 0);
  const [first = nothing, ...rest] = known;
  return thread ? [{ ...first, frames: thread.frames }, ...rest] : known;
}

/** What tells the problem of a report from others, whatever its version, its lines, its addresses and its values are. */
export function groupReport(kind: ReportKind, stack: Stack, rules: readonly GroupingRule[] = []): Grouping {
  const exceptions = exceptionsOf(stack);
  const innermostFirst = exceptions.toReversed();
  const withApp = innermostFirst.find((exception) => counted(exception, rules).some(({ isApp }) => isApp));
  const exception = withApp ?? innermostFirst.find(({ frames }) => frames.length > 0) ?? exceptions[0] ?? nothing;
  const frames = counted(exception, rules);
  const appFrames = frames.filter(({ isApp }) => isApp);
  const shown = locations(withApp ? appFrames : frames).slice(0, TOP_FRAMES);
  const isMessageNeeded = !withApp || isMessageTold(exception.type, rules);
  const parts = [GROUPING_VERSION, kind, exception.type, ...shown];
  if (isMessageNeeded) parts.push(`message ${cleanMessage(exception.message)}`);
  return {
    key: hash('sha256', JSON.stringify(parts), 'hex').slice(0, 40),
    exception,
    reasonFrame: appFrames[0] ?? frames[0] ?? exception.frames[0],
  };
}
