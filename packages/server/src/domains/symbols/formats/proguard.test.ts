import { expect, test } from 'vitest';
import { indexMapping, type JavaFrame, mappingIds } from './proguard.ts';

const mapping = `# compiler: R8
# pg_map_id: 1a2b3c4
# pg_map_hash: SHA-256 ${'ab'.repeat(32)}
org.example.shop.Cart -> a.b:
# {"id":"sourceFile","fileName":"Cart.kt"}
    int total -> a
    1:5:void pay(int):20:24 -> a
    6:6:int org.example.shop.Price.round(int):7:7 -> a
    6:6:int add(int):31:31 -> a
    6:6:void pay(int):22 -> a
    7:9:void refund():40:40 -> b
    void log(java.lang.String) -> c
    1:1:void open():60:60 -> d
    1:1:void close():70:70 -> e
    1:1:void close(int):80:80 -> f
    2:2:void shut(int):90:90 -> f
    1:3:void lambda$run$0():11:13 -> g
      # {'id':'com.android.tools.r8.synthesized'}
    3:3:void check():5:5 -> h
    3:3:void use():15:15 -> h
    # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
org.example.shop.Outlined -> a.o:
    1:2:int outline():0 -> m
    # {"id":"com.android.tools.r8.outline"}
    4:4:int caller():98:98 -> s
    5:5:int inlined():100:100 -> s
    5:5:int caller():99 -> s
    27:27:int outline():0:0 -> s
    # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5}}
org.example.shop.PriceKt$Companion -> a.c:
    1:1:void x():3:3 -> a
org.example.shop.EmptyCart -> a.e:
`;
const map = indexMapping(Buffer.from(mapping));
const trace = (frame: Partial<JavaFrame>, thrown?: string) =>
  map.retrace([{ className: 'a.b', method: 'a', ...frame }], thrown)[0];
const shown = (frames: ReturnType<typeof trace>) =>
  frames?.map(({ className, method, file, line }) => `${className}.${method}(${file}:${line})`);

test('a line within a range is counted from its start', () => {
  expect(shown(trace({ line: 3 }))).toEqual(['org.example.shop.Cart.pay(Cart.kt:22)']);
});

test('inlined functions come first, each with its own class, file and line', () => {
  expect(trace({ line: 6 })).toEqual([
    { className: 'org.example.shop.Price', method: 'round', file: 'Price.java', line: 7, isInlined: true },
    { className: 'org.example.shop.Cart', method: 'add', file: 'Cart.kt', line: 31, isInlined: true },
    { className: 'org.example.shop.Cart', method: 'pay', file: 'Cart.kt', line: 22, isInlined: false },
  ]);
});

test('a range with one original line applies to all lines', () => {
  expect(shown(trace({ method: 'b', line: 9 }))).toEqual(['org.example.shop.Cart.refund(Cart.kt:40)']);
});

test('a method without ranges keeps its line', () => {
  expect(shown(trace({ method: 'c', line: 77 }))).toEqual(['org.example.shop.Cart.log(Cart.kt:77)']);
});

test('without a line, returns the only method, or all candidates', () => {
  expect(shown(trace({ method: 'd' }))).toEqual(['org.example.shop.Cart.open(Cart.kt:undefined)']);
  expect(trace({ method: 'f' })).toEqual([
    {
      className: 'org.example.shop.Cart',
      method: 'close',
      file: 'Cart.kt',
      line: undefined,
      isInlined: false,
      alternatives: ['org.example.shop.Cart.shut'],
    },
  ]);
  expect(trace({ method: 'a', line: 6 })?.length).toBe(3);
  expect(shown(trace({ method: 'a' }))).toEqual(['org.example.shop.Cart.pay(Cart.kt:undefined)']);
});

test('omits compiler-generated frames', () => {
  expect(trace({ method: 'g', line: 2 })).toEqual([]);
});

test('omits a compiler-generated check from its exceptions', () => {
  expect(shown(trace({ method: 'h', line: 3 }, 'java.lang.NullPointerException'))).toEqual([
    'org.example.shop.Cart.use(Cart.kt:15)',
  ]);
  expect(trace({ method: 'h', line: 3 }, 'java.lang.Error')).toHaveLength(2);
});

test('omits an outline, and maps its line to the caller', () => {
  const at = (line: number) =>
    map.retrace([
      { className: 'a.o', method: 'm', line },
      { className: 'a.o', method: 's', line: 27 },
    ]);
  expect(at(1).map(shown)).toEqual([[], ['org.example.shop.Outlined.caller(Outlined.java:98)']]);
  expect(at(2).map(shown)).toEqual([
    [],
    ['org.example.shop.Outlined.inlined(Outlined.java:100)', 'org.example.shop.Outlined.caller(Outlined.java:99)'],
  ]);
});

test('derives file names from the outer class if the mapping has none', () => {
  expect(shown(trace({ className: 'a.c', method: 'a', line: 1 }))).toEqual([
    'org.example.shop.PriceKt$Companion.x(Price.kt:3)',
  ]);
  expect(shown(trace({ className: 'a.e', method: 'run', line: 5, file: 'SourceFile' }))).toEqual([
    'org.example.shop.EmptyCart.run(EmptyCart.java:5)',
  ]);
});

test('keeps names that the mapping does not contain', () => {
  expect(trace({ className: 'android.os.Looper', method: 'loop', line: 288 })).toBeUndefined();
  expect([map.retraceClass('a.e'), map.retraceClass('java.lang.Error')]).toEqual([
    'org.example.shop.EmptyCart',
    undefined,
  ]);
});

test('a mapping has an ID of its content, and those from R8', () => {
  const { id, otherIds } = mappingIds(Buffer.from(mapping));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(otherIds).toEqual(['1a2b3c4', 'ab'.repeat(32)]);
  expect(mappingIds(Buffer.from('a -> b:')).otherIds).toEqual([]);
});

test('refuses a file that is not a mapping', () => {
  for (const wrong of ['', 'hello\n', '{"version":3}', '    int a -> b\n']) {
    expect(() => indexMapping(Buffer.from(wrong))).toThrow('Send the mapping.txt of R8 or ProGuard.');
  }
});

test('reads large mappings once, regardless of their lines', () => {
  const classes = Array.from(
    { length: 60_000 },
    (_, index) => `org.example.C${index} -> a.c${index}:\n    1:9:void m():1:9 -> a\n    # {"id":"x"}\n`,
  );
  const large = indexMapping(Buffer.from(classes.join('')));
  expect(shown(large.retrace([{ className: 'a.c59999', method: 'a', line: 5 }])[0])).toEqual([
    'org.example.C59999.m(C59999.java:5)',
  ]);
  const chain = indexMapping(Buffer.from(`a.A -> b:\n${'    1:1:void m():1:1 -> a\n'.repeat(200_000)}`));
  expect(chain.retrace([{ className: 'b', method: 'a', line: 1 }])[0]).toHaveLength(200);
  const alike = `a.A -> b:\n${Array.from({ length: 100_000 }, (_, n) => `    ${n}:${n}:void m${n}():1:1 -> a\n`).join('')}`;
  const frames = Array.from({ length: 250 }, (_, n) => ({ className: 'b', method: 'a', line: n * 390 }));
  const traced = indexMapping(Buffer.from(alike)).retrace(frames);
  expect([shown(traced[51]), traced.length]).toEqual([['a.A.m19890(A.java:1)'], 250]);
  const spaces = `a.A -> b:\n${' '.repeat(5_000_000)}x\n    1:1:void ${'m('.repeat(30_000)}\n`;
  expect(indexMapping(Buffer.from(spaces)).retrace([{ className: 'b', method: 'a', line: 1 }])[0]).toHaveLength(1);
});
