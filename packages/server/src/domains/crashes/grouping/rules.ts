import type { Frame } from '../stacks/stack.ts';

/**
 * What an app says of its own grouping. Frames that match `skip` do not count; `ours` and `theirs` say whose code a frame is;
 * an exception whose type matches `message` is also told apart by its message.
 */
export interface GroupingRule {
  kind: 'skip' | 'ours' | 'theirs' | 'message';
  /** Text in which `*` stands for anything. */
  pattern: string;
}

/** Whether a pattern with `*` fits the whole text, in time that grows with both and not with their powers. */
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

/** What a pattern is held against: the call, the file and the binary. */
const namesOf = ({ className, method, file, image }: Frame): string[] =>
  [[className, method].filter(Boolean).join('.'), file, image].filter((name): name is string => Boolean(name));

const fitsFrame = ({ pattern }: GroupingRule, frame: Frame): boolean =>
  namesOf(frame).some((name) => fitsPattern(pattern, name));

/** The frames as an app wants them counted. */
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

export const isMessageTold = (type: string, rules: readonly GroupingRule[]): boolean =>
  rules.some(({ kind, pattern }) => kind === 'message' && fitsPattern(pattern, type));
