import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyStack, type Frame, type Platform, type Stack } from '../stacks/stack.ts';
import { cleanMessage, cleanName } from './clean-names.ts';
import { groupReport } from './grouping-key.ts';
import { fitsPattern, type GroupingRule } from './rules.ts';

const frame = (fields: Partial<Frame>): Frame => ({ raw: 'x', language: 'Java', isApp: true, ...fields });
const stackOf = (
  frames: readonly Frame[],
  { type = 'E', message = 'm', platform = 'android' as Platform } = {},
): Stack => ({
  ...emptyStack(platform),
  exceptions: [{ type, message, frames: [...frames] }],
});
const keyOf = (stack: Stack, rules: readonly GroupingRule[] = []) => groupReport('crash', stack, rules).key;

const name = fc.stringMatching(/^[a-zA-Z]{1,12}$/);
const call = fc.record({
  className: name.map((one) => `org.shop.${one}`),
  method: name,
  file: name.map((one) => `${one}.java`),
});
const calls = fc.array(call, { minLength: 1, maxLength: 8 });

test('lines, columns and addresses never split a group', () => {
  fc.assert(
    fc.property(calls, fc.array(fc.nat(), { minLength: 16, maxLength: 16 }), (frames, numbers) => {
      const shifted = frames.map((each, at) =>
        frame({ ...each, line: numbers[at] ?? 0, column: numbers[at + 8] ?? 0, address: `0x${numbers[at]}` }),
      );
      expect(keyOf(stackOf(shifted))).toBe(keyOf(stackOf(frames.map(frame))));
    }),
  );
});

test('values in messages never split a group that has code of the app', () => {
  fc.assert(
    fc.property(calls, fc.string(), fc.string(), (frames, one, other) => {
      const all = frames.map(frame);
      expect(keyOf(stackOf(all, { message: one }))).toBe(keyOf(stackOf(all, { message: other })));
    }),
  );
});

test('where nothing but the message tells, its values still do not', () => {
  const numbers = fc.tuple(fc.nat(), fc.uuid(), fc.webUrl(), fc.stringMatching(/^[0-9a-f]{8}$/));
  const said = ([count, id, url, address]: [number, string, string, string]) =>
    `No item ${count} of ${id} at ${url} in 0x${address}, named "x${count}"`;
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      expect(keyOf(stackOf([], { message: said(one) }))).toBe(keyOf(stackOf([], { message: said(other) })));
    }),
  );
  expect(keyOf(stackOf([], { message: 'No item' }))).not.toBe(keyOf(stackOf([], { message: 'No cart' })));
});

test('what a compiler numbers never splits a group', () => {
  const ordinal = fc.integer({ min: 0, max: 999 });
  fc.assert(
    fc.property(name, name, ordinal, ordinal, (type, method, one, other) => {
      const forms = (n: number) => [
        [`Shop.${type}+<${method}>d__${n}`, 'MoveNext'],
        [`Shop.${type}+<>c__DisplayClass${n}_0`, `<${method}>b__${n}`],
        [`org.${type}$$ExternalSyntheticLambda${n}`, 'run'],
        [`org.${type}`, `lambda$${method}$${n}`],
        [`org.${type}`, `access$${n}`],
        [`org.${type}$${n}`, method],
      ];
      forms(one).forEach(([className, method], at) => {
        const [otherClass, otherMethod] = forms(other)[at] ?? [];
        const first = frame({ className: className ?? '', method: method ?? '' });
        const second = frame({ className: otherClass ?? '', method: otherMethod ?? '' });
        expect(keyOf(stackOf([first]))).toBe(keyOf(stackOf([second])));
      });
    }),
  );
});

test('different places never share a group', () => {
  fc.assert(
    fc.property(calls, calls, (one, other) => {
      const places = (list: typeof one) =>
        list
          .map(({ className, method, file }) => `${className}.${method} ${file}`)
          .filter((place, at, all) => place !== all[at - 1])
          .slice(0, 3)
          .join('\n');
      fc.pre(places(one) !== places(other));
      expect(keyOf(stackOf(one.map(frame)))).not.toBe(keyOf(stackOf(other.map(frame))));
    }),
  );
});

test('where nothing has a name, the position in the binary counts, and not where it was loaded', () => {
  const at = (offset: number, address: string, imageId = 'ab') =>
    stackOf([frame({ isUnsymbolicated: true, imageId, offset, address, image: 'Shop' })], { platform: 'ios' });
  expect(keyOf(at(57540, '0x104b5a0c4'))).toBe(keyOf(at(57540, '0x204b5a0c4')));
  expect(keyOf(at(57540, '0x1'))).not.toBe(keyOf(at(57541, '0x1')));
  expect(keyOf(at(57540, '0x1'))).not.toBe(keyOf(at(57540, '0x1', 'cd')));
});

test('functions without names in a packed script are told apart by their position', () => {
  const at = (column: number) => stackOf([frame({ file: 'index.bundle', line: 1, column, isUnsymbolicated: true })]);
  expect(keyOf(at(42))).not.toBe(keyOf(at(43)));
});

test('the innermost exception with code of the app tells, and calls that every crash passes through do not', () => {
  const inner = {
    type: 'Inner',
    message: '',
    frames: [frame({ method: 'objc_msgSend', isApp: false }), frame({ className: 'a.B', method: 'c' })],
  };
  const outer = { type: 'Outer', message: '', frames: [frame({ className: 'a.X', method: 'y' })] };
  const system = { type: 'System', message: '', frames: [frame({ className: 'java.X', method: 'y', isApp: false })] };
  const stack = { ...emptyStack('android'), exceptions: [outer, inner, system] };
  const { exception, reasonFrame } = groupReport('crash', stack);
  expect([exception.type, reasonFrame?.className]).toEqual(['Inner', 'a.B']);
});

test('crashes and errors that were caught are different problems', () => {
  const stack = stackOf([frame({ className: 'a.B', method: 'c' })]);
  expect(groupReport('crash', stack).key).not.toBe(groupReport('error', stack).key);
});

test('an app says which frames do not count, which are its own, and where the message matters', () => {
  const log = frame({ className: 'org.shop.Log', method: 'fail' });
  const [one, other] = ['pay', 'send'].map((method) => stackOf([log, frame({ className: 'org.lib.Pool', method })]));
  if (!one || !other) throw new Error('two are made');
  expect(keyOf(one, [{ kind: 'theirs', pattern: 'org.lib.*' }])).toBe(
    keyOf(other, [{ kind: 'theirs', pattern: 'org.lib.*' }]),
  );
  expect(keyOf(one, [{ kind: 'skip', pattern: 'org.lib.*' }])).toBe(
    keyOf(other, [{ kind: 'skip', pattern: 'org.lib.*' }]),
  );
  const rules: GroupingRule[] = [{ kind: 'message', pattern: 'E' }];
  const [read, written] = ['read', 'written'].map((message) => ({
    ...one,
    exceptions: [{ type: 'E', message, frames: [log] }],
  }));
  if (!read || !written) throw new Error('two are made');
  expect(keyOf(read, rules)).not.toBe(keyOf(written, rules));
  expect(keyOf(read)).toBe(keyOf(written));
});

test.each([
  ['org.*', 'org.shop', true],
  ['org.*', 'com.shop', false],
  ['*Log*', 'org.Logger.x', true],
  ['a*b*c', 'a--b--c', true],
  ['a*b*c', 'a--c', false],
  ['ab*ba', 'aba', false],
  ['exact', 'exact', true],
])('the pattern %s and %s: %s', (pattern, text, fits) => {
  expect(fitsPattern(pattern, text)).toBe(fits);
});

test('a pattern of many stars is answered at once', () => {
  expect(fitsPattern(`${'a*'.repeat(100)}b`, 'a'.repeat(100_000))).toBe(false);
});

test.each(['<'.repeat(50_000), 'lambda$'.repeat(20_000), '$1'.repeat(50_000), '"'.repeat(50_001), '1.'.repeat(50_000)])(
  'names and messages that nobody writes are cleaned at once',
  (text) => {
    expect(typeof cleanName(text)).toBe('string');
    expect(cleanMessage(text).length).toBeLessThanOrEqual(200);
  },
);
