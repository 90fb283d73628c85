import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyStack, type Frame, type Platform, type Stack } from '../stacks/stack.ts';
import { cleanMessage, cleanName } from './clean-names.ts';
import { groupReport } from './grouping-key.ts';
import { fitsPattern, type GroupingRule } from './rules.ts';

const frame = (fields: Partial<Frame>): Frame => ({ raw: 'x', language: 'Java', isApp: true, ...fields });
const createStack = (
  frames: readonly Frame[],
  { type = 'E', message = 'm', platform = 'android' as Platform } = {},
): Stack => ({
  ...emptyStack(platform),
  exceptions: [{ type, message, frames: [...frames] }],
});
const getKey = (stack: Stack, rules: readonly GroupingRule[] = []) => groupReport('crash', stack, rules).key;

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
      expect(getKey(createStack(shifted))).toBe(getKey(createStack(frames.map(frame))));
    }),
  );
});

test('values in messages never split a group with app code', () => {
  fc.assert(
    fc.property(calls, fc.string(), fc.string(), (frames, one, other) => {
      const all = frames.map(frame);
      expect(getKey(createStack(all, { message: one }))).toBe(getKey(createStack(all, { message: other })));
    }),
  );
});

test('values in messages never split a group, even if only the message identifies it', () => {
  const numbers = fc.tuple(fc.nat(), fc.uuid(), fc.webUrl(), fc.stringMatching(/^[0-9a-f]{8}$/));
  const formatMessage = ([count, id, url, address]: [number, string, string, string]) =>
    `No item ${count} of ${id} at ${url} in 0x${address}, named "x${count}"`;
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      expect(getKey(createStack([], { message: formatMessage(one) }))).toBe(
        getKey(createStack([], { message: formatMessage(other) })),
      );
    }),
  );
  expect(getKey(createStack([], { message: 'No item' }))).not.toBe(getKey(createStack([], { message: 'No cart' })));
});

test('numbers that a compiler adds never split a group', () => {
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
        expect(getKey(createStack([first]))).toBe(getKey(createStack([second])));
      });
    }),
  );
});

test('different locations never share a group', () => {
  fc.assert(
    fc.property(calls, calls, (one, other) => {
      const places = (list: typeof one) =>
        list
          .map(({ className, method, file }) => `${className}.${method} ${file}`)
          .filter((place, at, all) => place !== all[at - 1])
          .slice(0, 3)
          .join('\n');
      fc.pre(places(one) !== places(other));
      expect(getKey(createStack(one.map(frame)))).not.toBe(getKey(createStack(other.map(frame))));
    }),
  );
});

test('unnamed binaries are grouped by offset, independent of the load address', () => {
  const at = (offset: number, address: string, imageId = 'ab') =>
    createStack([frame({ isUnsymbolicated: true, imageId, offset, address, image: 'Shop' })], { platform: 'ios' });
  expect(getKey(at(57540, '0x104b5a0c4'))).toBe(getKey(at(57540, '0x204b5a0c4')));
  expect(getKey(at(57540, '0x1'))).not.toBe(getKey(at(57541, '0x1')));
  expect(getKey(at(57540, '0x1'))).not.toBe(getKey(at(57540, '0x1', 'cd')));
});

test('distinguishes unnamed functions of a bundled script by position', () => {
  const at = (column: number) =>
    createStack([frame({ file: 'index.bundle', line: 1, column, isUnsymbolicated: true })]);
  expect(getKey(at(42))).not.toBe(getKey(at(43)));
});

test('the innermost exception with app code counts; functions that are part of every crash do not', () => {
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

test('crashes and handled errors are different problems', () => {
  const stack = createStack([frame({ className: 'a.B', method: 'c' })]);
  expect(groupReport('crash', stack).key).not.toBe(groupReport('error', stack).key);
});

test('rules of an app ignore frames, mark app code, and group by message', () => {
  const log = frame({ className: 'org.shop.Log', method: 'fail' });
  const [one, other] = ['pay', 'send'].map((method) =>
    createStack([log, frame({ className: 'org.lib.Pool', method })]),
  );
  if (!one || !other) throw new Error('two are made');
  expect(getKey(one, [{ kind: 'theirs', pattern: 'org.lib.*' }])).toBe(
    getKey(other, [{ kind: 'theirs', pattern: 'org.lib.*' }]),
  );
  expect(getKey(one, [{ kind: 'skip', pattern: 'org.lib.*' }])).toBe(
    getKey(other, [{ kind: 'skip', pattern: 'org.lib.*' }]),
  );
  const rules: GroupingRule[] = [{ kind: 'message', pattern: 'E' }];
  const [read, written] = ['read', 'written'].map((message) => ({
    ...one,
    exceptions: [{ type: 'E', message, frames: [log] }],
  }));
  if (!read || !written) throw new Error('two are made');
  expect(getKey(read, rules)).not.toBe(getKey(written, rules));
  expect(getKey(read)).toBe(getKey(written));
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

test('a pattern of many stars is matched quickly', () => {
  expect(fitsPattern(`${'a*'.repeat(100)}b`, 'a'.repeat(100_000))).toBe(false);
});

test.each(['<'.repeat(50_000), 'lambda$'.repeat(20_000), '$1'.repeat(50_000), '"'.repeat(50_001), '1.'.repeat(50_000)])(
  'cleans unrealistic names and messages quickly',
  (text) => {
    expect(typeof cleanName(text)).toBe('string');
    expect(cleanMessage(text).length).toBeLessThanOrEqual(200);
  },
);
