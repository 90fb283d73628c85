import type { Frame } from '../stacks/stack.ts';

/**
 * A grouping rule of an app. `skip` ignores matching frames; `ours` and `theirs` mark frames as app code or not; `message`
 * also groups exceptions of a matching type by message.
 */
export interface GroupingRule {
  kind: 'skip' | 'ours' | 'theirs' | 'message';
  /** Text; `*` matches anything. */
  pattern: string;
}

/**
 * Matches a pattern with `*` against the whole text. The runtime grows with the product of both lengths, never
 * exponentially.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return text === pattern;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Names that patterns are matched against: the call, the file and the binary. */
const listFrameNames = ({ className, method, file, image }: Frame): string[] =>
  [[className, method].filter(Boolean).join('.'), file, image].filter((name): name is string => Boolean(name));

const fitsFrame = ({ pattern }: GroupingRule, frame: Frame): boolean =>
  listFrameNames(frame).some((name) => fitsPattern(pattern, name));

/** Applies the rules of an app to frames. */
export function applyRules(frames: readonly Frame[], rules: readonly GroupingRule[]): readonly Frame[] {
  if (rules.length === 0) return frames;
  const of = (kind: GroupingRule['kind']) => rules.filter((rule) => rule.kind === kind);
  const [skip, ours, theirs] = [of('skip'), of('ours'), of('theirs')];
  return frames
    .filter((frame) => !skip.some((rule) => fitsFrame(rule, frame)))
    .map((frame) =>
      ours.some((rule) => fitsFrame(rule, frame))
        ? { ...frame, isApp: true }
        : theirs.some((rule) => fitsFrame(rule, frame))
          ? { ...frame, isApp: false }
          : frame,
    );
}

export const groupsByMessage = (type: string, rules: readonly GroupingRule[]): boolean =>
  rules.some(({ kind, pattern }) => kind === 'message' && fitsPattern(pattern, type));
