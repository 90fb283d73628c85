import { hash } from 'node:crypto';
import type { ReportKind } from '../reports/processing/parsed-report.ts';
import type { ExceptionStack, Frame, Stack } from '../stacks/stack.ts';
import { cleanedCall, cleanMessage, isHelper } from './clean-names.ts';
import { applyRules, type GroupingRule, groupsByMessage } from './rules.ts';

/** Increase with every change that alters the key of a report. */
export const GROUPING_VERSION = 1;

const TOP_FRAMES = 3;

/** Stands in a fingerprint for the grouping that would apply without it. */
const isDefaultPart = /^\{\{ ?default ?\}\}$/;

/** The grouping key of a report, and what it is based on. */
export interface Grouping {
  key: string;
  exception: ExceptionStack;
  /** The frame that identifies the group. */
  reasonFrame: Frame | undefined;
}

/** Location of a frame, independent of the version: without line and address. */
function formatLocation(frame: Frame): string {
  const { file = '', imageId, offset, line, column, isUnsymbolicated } = frame;
  const call = cleanedCall(frame);
  const isNamed = call !== '.';
  if (isUnsymbolicated && imageId !== undefined && offset !== undefined) return `${imageId}+${offset}`;
  // In a minified script with unnamed functions only the position identifies the code; native addresses differ per device.
  if (!isNamed)
    return file === '' && column === undefined ? (frame.image ?? '') : `${file}@${line ?? ''}:${column ?? ''}`;
  const isGenerated = file === 'SourceFile' || file === '' || isUnsymbolicated;
  return `${call} ${isGenerated ? '' : file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)}`;
}

/** Merges consecutive equal locations: the depth of a recursion is random. */
const locations = (frames: readonly Frame[]): string[] =>
  frames.map(formatLocation).filter((location, at, all) => location !== all[at - 1]);

const counted = (exception: ExceptionStack, rules: readonly GroupingRule[]): readonly Frame[] =>
  applyRules(exception.frames, rules).filter((frame) => !isHelper(frame));

const nothing: ExceptionStack = { type: '', message: '', frames: [] };

/** The exceptions of a report; without any, one made from its crashed thread. */
function listExceptions({ exceptions, threads }: Stack): ExceptionStack[] {
  const known = exceptions.filter(({ type, message, frames }) => type || message || frames.length > 0);
  if (known.some(({ frames }) => frames.length > 0)) return known;
  const thread = threads.find(({ isCrashed }) => isCrashed) ?? threads.find(({ frames }) => frames.length > 0);
  const [first = nothing, ...rest] = known;
  return thread ? [{ ...first, frames: thread.frames }, ...rest] : known;
}

/** Identifies the problem behind a report, independent of version, lines, addresses and values. */
export function groupReport(kind: ReportKind, stack: Stack, rules: readonly GroupingRule[] = []): Grouping {
  const exceptions = listExceptions(stack);
  const candidates = stack.isTitledByOutermost ? exceptions : exceptions.toReversed();
  const withApp = candidates.find((exception) => counted(exception, rules).some(({ isApp }) => isApp));
  const exception = withApp ?? candidates.find(({ frames }) => frames.length > 0) ?? exceptions[0] ?? nothing;
  const frames = counted(exception, rules);
  const appFrames = frames.filter(({ isApp }) => isApp);
  const shown = locations(withApp ? appFrames : frames).slice(0, TOP_FRAMES);
  const isMessageNeeded = !withApp || groupsByMessage(exception.type, rules);
  const parts = [GROUPING_VERSION, kind, exception.type, ...shown];
  if (isMessageNeeded) parts.push(`message ${cleanMessage(exception.message)}`);
  const { fingerprint } = stack;
  const identifying = fingerprint
    ? [GROUPING_VERSION, kind, 'fingerprint', ...fingerprint.map((part) => (isDefaultPart.test(part) ? parts : part))]
    : parts;
  return {
    key: hash('sha256', JSON.stringify(identifying), 'hex').slice(0, 40),
    exception,
    reasonFrame: appFrames[0] ?? frames[0] ?? exception.frames[0],
  };
}
