import { expect, test } from 'vitest';
import { formatFrame, type Platform } from './stack.ts';
import { readStackText } from './stack-text.ts';

const read = (platform: Platform, ...lines: string[]) =>
  readStackText(lines.join('\n'), { platform, namespace: 'org.example.shop' });
const parseFrames = (platform: Platform, ...lines: string[]) =>
  read(platform, ...lines).flatMap(({ frames }) => frames.map(({ raw: _, language: __, ...frame }) => frame));

test.each([
  [
    'at org.example.shop.Cart.pay(Cart.java:88)',
    { isApp: true, className: 'org.example.shop.Cart', method: 'pay', file: 'Cart.java', line: 88 },
  ],
  [
    '\tat java.base/java.util.ArrayList.get(ArrayList.java:427) ~[?:?]',
    { isApp: false, className: 'java.util.ArrayList', method: 'get', file: 'ArrayList.java', line: 427 },
  ],
  [
    'at android.os.MessageQueue.nativePollOnce(Native Method)',
    { isApp: false, className: 'android.os.MessageQueue', method: 'nativePollOnce' },
  ],
  ['at a.b.c(Unknown Source:12)', { isApp: true, className: 'a.b', method: 'c', line: 12 }],
  [
    'at org.example.shop.Cart.<init>(SourceFile:3)',
    { isApp: true, className: 'org.example.shop.Cart', method: '<init>', file: 'SourceFile', line: 3 },
  ],
])('Java: %s', (line, frame) => {
  expect(parseFrames('android', line)).toEqual([frame]);
});

test('Java: each cause is a separate exception, and omitted frames stay omitted', () => {
  const found = read(
    'android',
    'java.lang.IllegalStateException: cart empty',
    '\tat org.example.shop.Cart.pay(Cart.java:88)',
    '\t... 12 more',
    'Caused by: java.lang.NullPointerException: x: y',
    '\tat org.example.shop.Items.sum(Items.kt:7)',
  );
  expect(found.map(({ type, message, frames }) => [type, message, frames.map(({ method }) => method)])).toEqual([
    ['', '', ['pay']],
    ['java.lang.NullPointerException', 'x: y', ['sum']],
  ]);
});

test.each([
  [
    '   at Shop.Cart.Pay(String card, Int32 tries) in C:\\src\\Cart.cs:line 42',
    {
      isApp: true,
      className: 'Shop.Cart',
      method: 'Pay',
      params: 'String card, Int32 tries',
      file: 'C:\\src\\Cart.cs',
      line: 42,
    },
  ],
  [
    '  at Shop.Cart..ctor () [0x00012] in /src/Cart.cs:12 ',
    { isApp: true, className: 'Shop.Cart', method: '.ctor', file: '/src/Cart.cs', line: 12 },
  ],
  [
    '  at Shop.Cart+<Pay>d__7.MoveNext () [0x00000] in <6e1d7d3e>:0 ',
    { isApp: true, className: 'Shop.Cart+<Pay>d__7', method: 'MoveNext' },
  ],
  [
    '   at System.Collections.Generic.List`1.get_Item(Int32 index)',
    { isApp: false, className: 'System.Collections.Generic.List`1', method: 'get_Item', params: 'Int32 index' },
  ],
])('.NET: %s', (line, frame) => {
  expect(parseFrames('xamarin', line, '--- End of stack trace from previous location ---')).toEqual([frame]);
});

test.each([
  [
    'Player:Update () (at Assets/Scripts/Player.cs:12)',
    { isApp: true, className: 'Player', method: 'Update', file: 'Assets/Scripts/Player.cs', line: 12 },
  ],
  [
    'Game.Player.Fire (UnityEngine.Vector3 at) (at <00000000>:0)',
    { isApp: true, className: 'Game.Player', method: 'Fire', params: 'UnityEngine.Vector3 at' },
  ],
  [
    'UnityEngine.Debug:LogError(Object)',
    { isApp: false, className: 'UnityEngine.Debug', method: 'LogError', params: 'Object' },
  ],
])('Unity: %s', (line, frame) => {
  expect(parseFrames('unity', line)).toEqual([frame]);
});

test.each([
  [
    '    at pay (index.android.bundle:1:42)',
    { isApp: true, isUnsymbolicated: true, method: 'pay', file: 'index.android.bundle', line: 1, column: 42 },
  ],
  [
    'pay@/var/containers/Bundle/X/main.jsbundle:20:1701',
    { isApp: true, isUnsymbolicated: true, method: 'pay', file: 'main.jsbundle', line: 20, column: 1701 },
  ],
  [
    '    at anonymous (address at index.android.bundle:1:12345)',
    { isApp: true, isUnsymbolicated: true, file: 'index.android.bundle', line: 1, column: 12345 },
  ],
  [
    '    at http://localhost:8081/index.bundle?platform=ios:7:9',
    { isApp: true, isUnsymbolicated: true, file: 'index.bundle', line: 7, column: 9 },
  ],
  ['forEach@[native code]', { isApp: false, method: 'forEach', file: '[native code]' }],
  [
    '    at async Object.render (src/Cart.js:3:4)',
    { isApp: true, method: 'Object.render', file: 'src/Cart.js', line: 3, column: 4 },
  ],
  [
    '    at call (node_modules/react/index.js:3:4)',
    { isApp: false, method: 'call', file: 'node_modules/react/index.js', line: 3, column: 4 },
  ],
])('scripts: %s', (line, frame) => {
  expect(parseFrames('react-native', line)).toEqual([frame]);
});

test('recognizes a script by its columns, with any SDK', () => {
  expect(parseFrames('android', 'TypeError: x', '    at pay (index.bundle:1:42)')).toHaveLength(1);
});

test.each(['at '.repeat(100_000), `at ${'('.repeat(500_000)}`, `${'@:1'.repeat(200_000)}`, '\n'.repeat(500_000)])(
  'parses unrealistic text quickly',
  (text) => {
    for (const platform of ['android', 'xamarin', 'unity', 'react-native', 'other'] as const) {
      expect(readStackText(text, { platform, namespace: '' }).length).toBeGreaterThan(0);
    }
  },
);

test.each([
  [
    { raw: 'x', language: 'Objective-C', isApp: true, className: 'Cart', method: 'pay:', isClassMethod: true },
    '+[Cart pay:]',
  ],
  [
    { raw: '', language: 'Java', isApp: true, className: 'a.B', method: 'c', file: 'B.java', line: 3 },
    'a.B.c (B.java:3)',
  ],
  [{ raw: '0x1 0x2 + 3', language: 'Unknown', isApp: true }, '0x1 0x2 + 3'],
] as const)('formats a frame for people', (frame, text) => {
  expect(formatFrame(frame)).toBe(text);
});
