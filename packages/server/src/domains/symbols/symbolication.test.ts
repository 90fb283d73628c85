import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createZip } from '../../../../../test-support/zip.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { amd64Context, elf, machO, minidump, words64 } from '../../../test/harness/images.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { compileShop, hasToolchain } from '../../../test/harness/services/programs.ts';
import { uploadSymbols } from '../../../test/harness/symbols.ts';
import { type Deps, systemCtx } from '../../context.ts';
import { type Program, ProgramEnded, type ProgramKind, WorkerLimit } from '../../workers/index.ts';
import { readElf } from './formats/elf.ts';
import { readMachO } from './formats/mach-o.ts';
import { bufferSource } from './formats/source.ts';
import { needSymbols } from './missing-symbols.ts';
import { logSymbolizers } from './native-symbols.ts';
import type { RawFrame } from './raw-frames.ts';
import { symbolicate, walkMinidump } from './symbolication.ts';

const appPath = '/v0.1/apps/ada/shop';
const uuid = '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d';
const version = { version: '1.4', build: '140' };

async function createFixtures(app: TestApp) {
  const ada = await app.addUser('ada');
  const { id: appId } = await app.addApp(ada, 'shop');
  const token = await app.userToken(ada);
  const ctx = systemCtx(app.deps);
  return {
    appId,
    ctx,
    async upload(symbol_type: string, content: Buffer | string, more: object = {}) {
      await uploadSymbols(app, { token, path: appPath, symbol_type, ...more }, content);
      await app.runJobs();
    },
    symbolicateFrames: (frames: RawFrame[], more: { type?: string; buildIds?: string[] } = {}) => {
      const { type, buildIds = [] } = more;
      const stacks = [{ ...(type === undefined ? {} : { type }), frames }];
      return symbolicate(ctx, { appId, ...version, buildIds, stacks });
    },
    ignore: (id: string) => app.call('POST', `${appPath}/symbols/${id}/ignore`, { token, body: {} }),
  };
}

const native = (imageId: string, offset: number, more: object = {}): RawFrame => ({
  raw: '0x1',
  image: 'Shop',
  imageId,
  offset,
  isApp: true,
  isUnsymbolicated: true,
  ...more,
});

eachDatabase('symbolication', (dialect) => {
  test('a stack without symbols names the images, and the command for uploading their symbols', async () => {
    const app = await testApp(dialect);
    const { symbolicateFrames } = await createFixtures(app);
    const frames = [native(uuid, 0x3c4), native('ee'.repeat(16), 8, { image: 'UIKit', isApp: false })];
    const { stacks, unresolved } = await symbolicateFrames(frames);
    expect(stacks[0]?.frames).toEqual(frames);
    expect(unresolved).toEqual([
      {
        id: uuid,
        name: 'Shop',
        type: 'Apple',
        arch: '',
        reason: 'missing',
        message: 'Symbols of Shop (8B0D1A5B-3C6E-3F0C-9A7D-1E2F3A4B5C6D) are missing. Upload the dSYM.',
        command: 'mooring symbols upload ada/shop Shop.app.dSYM',
      },
    ]);
  });

  test('reports symbols of the same name from another build, and no ignored ones', async () => {
    const app = await testApp(dialect);
    const { symbolicateFrames, upload, ignore, ctx, appId } = await createFixtures(app);
    await upload(
      'Apple',
      createZip({ name: 'Shop.dSYM/Contents/Resources/DWARF/Shop', content: machO({ uuid: 'ab'.repeat(16) }) }),
    );
    const [first] = (await symbolicateFrames([native(uuid, 4)])).unresolved;
    expect([first?.reason, first?.message]).toEqual([
      'other-build',
      'The uploaded symbols of Shop are from another build: they have the ID ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB, the report has 8B0D1A5B-3C6E-3F0C-9A7D-1E2F3A4B5C6D. Upload the dSYM from the build of version 1.4 (140).',
    ]);
    await needSymbols(ctx, { appId, id: 'a', ...version, isError: false }, first ? [first] : []);
    await ignore(uuid);
    expect((await symbolicateFrames([native(uuid, 4)])).unresolved).toMatchObject([{ reason: 'ignored' }]);
  });

  test('Breakpad symbols name frames with inlined functions; callers are looked up at the call', async () => {
    const app = await testApp(dialect);
    const { symbolicateFrames, upload } = await createFixtures(app);
    const id = '33221100554477668899AABBCCDDEEFF0';
    const sym = `MODULE Linux arm64 ${id} libshop.so\nINFO CODE_ID 00112233445566778899aabbccddeeff\nFILE 0 cart.cpp\nINLINE_ORIGIN 0 round(int)\nFUNC 1000 20 0 Cart::pay()\nINLINE 0 12 0 0 1000 10\n1000 10 3 0\n1010 10 13 0\n`;
    await upload('Breakpad', createZip({ name: 'libshop.so.sym', content: sym }));
    const { stacks } = await symbolicateFrames([
      native(id, 0x1004),
      native('00112233445566778899aabbccddeeff', 0x1010),
    ]);
    expect(
      stacks[0]?.frames.map(({ method, file, line, isInlined, isUnsymbolicated }) => [
        method,
        file,
        line,
        isInlined,
        isUnsymbolicated,
      ]),
    ).toEqual([
      ['round(int)', 'cart.cpp', 3, true, undefined],
      ['Cart::pay()', 'cart.cpp', 12, undefined, undefined],
      ['round(int)', 'cart.cpp', 3, true, undefined],
      ['Cart::pay()', 'cart.cpp', 12, undefined, undefined],
    ]);
  });

  const mapping = `# pg_map_id: 1a2b3c4\norg.shop.Cart -> a.b:\n# {"id":"sourceFile","fileName":"Cart.kt"}\n    1:5:void pay():20:24 -> a\norg.shop.EmptyCart -> a.e:\n`;
  const java: RawFrame = { language: 'Java', className: 'a.b', method: 'a', file: 'SourceFile', line: 3, isApp: true };

  test('maps obfuscated names and the exception type back with the mapping of the version and build', async () => {
    const app = await testApp(dialect);
    const { symbolicateFrames, upload } = await createFixtures(app);
    const looper: RawFrame = {
      language: 'Java',
      className: 'android.os.Looper',
      method: 'loop',
      file: 'Looper.java',
      line: 288,
      isApp: false,
    };
    const before = await symbolicateFrames([java, looper], { type: 'a.e' });
    expect(before.unresolved).toMatchObject([
      {
        type: 'AndroidProguard',
        reason: 'missing',
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        command: 'mooring symbols upload ada/shop mapping.txt --version 1.4 --build 140',
      },
    ]);
    expect((await symbolicateFrames([looper])).unresolved).toEqual([]);
    await upload('AndroidProguard', mapping, version);
    const { stacks, unresolved } = await symbolicateFrames([java, looper], { type: 'a.e' });
    expect(unresolved).toEqual([]);
    expect(stacks).toEqual([
      {
        type: 'org.shop.EmptyCart',
        frames: [
          { language: 'Java', className: 'org.shop.Cart', method: 'pay', file: 'Cart.kt', line: 22, isApp: true },
          looper,
        ],
      },
    ]);
  });

  test('the same mapping uploaded for two versions works for both', async () => {
    const app = await testApp(dialect);
    const { symbolicateFrames, upload } = await createFixtures(app);
    await upload('AndroidProguard', mapping, version);
    await upload('AndroidProguard', mapping, { version: '1.5', build: '150' });
    expect((await symbolicateFrames([java])).stacks[0]?.frames[0]?.className).toBe('org.shop.Cart');
  });

  test('finds a mapping and a source map by build ID, regardless of their version', async () => {
    const app = await testApp(dialect);
    const { symbolicateFrames, upload } = await createFixtures(app);
    await upload('AndroidProguard', mapping, { version: '9', build: '9' });
    expect((await symbolicateFrames([java])).unresolved).toHaveLength(1);
    const { stacks } = await symbolicateFrames([java], { buildIds: ['1a2b3c4'] });
    expect(stacks[0]?.frames[0]?.className).toBe('org.shop.Cart');
    const map = {
      version: 3,
      file: 'index.bundle',
      sources: ['src/cart.ts'],
      names: [],
      mappings: 'AAEA',
      debugId: '85314830-023f-4cf1-a267-535f4e37bb17',
    };
    await upload('JavaScript', JSON.stringify(map));
    const script: RawFrame = {
      raw: 'at n (index.bundle:1:5)',
      language: 'JavaScript',
      file: 'index.bundle',
      line: 1,
      column: 5,
      isApp: true,
      isUnsymbolicated: true,
    };
    const found = await symbolicateFrames([script], { buildIds: ['85314830-023F-4CF1-A267-535F4E37BB17'] });
    expect(found.stacks[0]?.frames).toMatchObject([{ file: 'src/cart.ts', line: 3 }]);
    expect((await symbolicateFrames([script])).unresolved).toMatchObject([
      {
        type: 'JavaScript',
        command: 'mooring symbols upload ada/shop index.bundle.map --version 1.4 --build 140',
      },
    ]);
  });

  test('walks a minidump with the available symbols', async () => {
    const app = await testApp(dialect);
    const { upload, ctx, appId, symbolicateFrames } = await createFixtures(app);
    const buildId = '00112233445566778899aabbccddeeff01234567';
    const id = '33221100554477668899AABBCCDDEEFF0';
    const base = 0x7000000000n;
    const stackAt = 0x7fff0000n;
    const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt });
    const dump = minidump({
      modules: [{ base, size: 0x10000, path: '/data/app/org.shop/lib/libshop.so', buildId }],
      threads: [{ id: 7, context, stack: { start: stackAt, content: words64(base + 0x2010n, 0n) } }],
      crash: { threadId: 7, code: 11, address: 0x10n, context },
    });
    const blobKey = 'crashes/dump';
    await ctx.blobs.put(blobKey, [dump], { type: 'application/octet-stream', maxBytes: dump.length });
    await upload(
      'Breakpad',
      `MODULE Linux x86_64 ${id} libshop.so\nFUNC 1000 100 0 crash\nFUNC 2000 100 0 pay\nSTACK CFI INIT 1000 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n`,
      { file_name: 'libshop.so.sym' },
    );
    const walked = await walkMinidump(ctx, { appId, blobKey });
    expect(walked).toMatchObject({ cpu: 'x86_64', os: 'Android', reason: 'SIGSEGV', address: '0x10' });
    expect(walked.threads[0]).toMatchObject({ id: 7, hasCrashed: true });
    expect(walked.threads[0]?.frames.map(({ offset, trust }) => [offset, trust])).toEqual([
      [0x1010, 'context'],
      [0x200f, 'cfi'],
    ]);
    const frames = (walked.threads[0]?.frames ?? []).map(({ module = -1, offset = 0 }): RawFrame => {
      const { id: imageId = '', name: image = '' } = walked.modules[module] ?? {};
      return { imageId, offset, image, isExact: true };
    });
    expect((await symbolicateFrames(frames)).stacks[0]?.frames.map(({ method }) => method)).toEqual(['crash', 'pay']);
    await expect(walkMinidump(ctx, { appId, blobKey: 'crashes/none' })).rejects.toThrow(
      'The minidump no longer exists.',
    );
  });

  test('skips a file that timed out before and notes why', async () => {
    const app = await testApp(dialect);
    const { upload, ctx, appId } = await createFixtures(app);
    await upload('AndroidProguard', mapping, version);
    let requestCount = 0;
    const tired = {
      request: async () => {
        requestCount += 1;
        throw new WorkerLimit('Processing took longer than 60 s.');
      },
      close: async () => undefined,
    };
    const slow = { ...ctx, workers: { ...ctx.workers, process: () => tired } };
    for (const _ of [1, 2, 3]) {
      const { notes } = await symbolicate(slow, { appId, ...version, stacks: [{ frames: [java] }] });
      expect(notes).toEqual(['The mapping of version 1.4 (140) cannot be read: Processing took longer than 60 s.']);
    }
    expect(requestCount).toBe(1);
  });

  // Results are cached, so each database uses different names.
  const swift = [`$s4${dialect}4CartC3payyyF`, `$s4${dialect}4CartC5emptyyyF`, 'main'] as const;

  test('demangles Swift names if a demangler is installed; otherwise a note explains why not', async () => {
    const app = await testApp(dialect);
    const { upload, ctx, appId } = await createFixtures(app);
    const symbols = swift.map((name, index) => [name, 0x100000000n + BigInt(index * 16)] as const);
    const content = machO({ uuid, symbols });
    await upload('Apple', createZip({ name: 'Shop.dSYM/Contents/Resources/DWARF/Shop', content }));
    const requestedNames: string[] = [];
    const none = { path: undefined, request: async () => [], close: async () => undefined };
    const demangler = {
      ...none,
      path: '/usr/bin/swift-demangle',
      request: async (names: readonly string[]) => {
        requestedNames.push(...names);
        return names.map((name) => name.replace(/^.*C\d/, 'Cart.').replace(/yyF$/, '()'));
      },
    };
    const named = async (withSwift: Program, at: number[]) => {
      const program = ({ name }: ProgramKind) => (name === 'swift-demangle' ? withSwift : none);
      const frames = at.map((offset) => native(uuid, offset, { isExact: true }));
      const input = { appId, ...version, stacks: [{ frames }] };
      const { stacks, notes } = await symbolicate({ ...ctx, workers: { ...ctx.workers, program } }, input);
      return [stacks[0]?.frames.map(({ method }) => method), notes.join().split('llvm. ')[1]];
    };
    const wrote = 'Swift names are not demangled: ';
    expect(await named(none, [0, 32])).toEqual([[swift[0], 'main'], `${wrote}this server has no swift-demangle.`]);
    expect(await named(demangler, [0, 16, 32])).toEqual([['Cart.pay()', 'Cart.empty()', 'main'], undefined]);
    expect(requestedNames).toEqual([swift[0], swift[1]]);
    expect(await named(demangler, [0])).toEqual([['Cart.pay()'], undefined]);
    expect(requestedNames).toHaveLength(2);
    const frame: RawFrame = { method: swift[0], isApp: true };
    const workers = { ...ctx.workers, program: () => demangler };
    const input = { appId, ...version, stacks: [{ frames: [frame] }] };
    expect((await symbolicate({ ...ctx, workers }, input)).stacks[0]?.frames).toEqual([
      { ...frame, method: 'Cart.pay()' },
    ]);
  });

  test('does not send a name that crashed the demangler again with the next report', async () => {
    const app = await testApp(dialect);
    const { upload, ctx, appId } = await createFixtures(app);
    const content = machO({ uuid, symbols: [[`$sbroken${dialect}`, 0x100000000n]] });
    await upload('Apple', createZip({ name: 'Shop.dSYM/Contents/Resources/DWARF/Shop', content }));
    let requestCount = 0;
    const program = ({ name }: ProgramKind): Program => ({
      path: name === 'swift-demangle' ? '/usr/bin/swift-demangle' : undefined,
      close: async () => undefined,
      request: async () => {
        requestCount += 1;
        throw new ProgramEnded('swift-demangle ended (SIGSEGV).');
      },
    });
    const input = { appId, ...version, stacks: [{ frames: [native(uuid, 0)] }] };
    const broken = { ...ctx, workers: { ...ctx.workers, program } };
    for (const reason of ['ended (SIGSEGV)', 'crashed on one of them earlier']) {
      const { stacks, notes } = await symbolicate(broken, input);
      expect(stacks[0]?.frames[0]?.method).toBe(`$sbroken${dialect}`);
      expect(notes.join()).toContain(reason);
    }
    expect(requestCount).toBe(1);
  });

  test('leaves a frame unchanged if its symbols do not resolve it, and requests no others', async () => {
    const app = await testApp(dialect);
    const { symbolicateFrames, upload } = await createFixtures(app);
    await upload('Breakpad', createZip({ name: 'a.so', content: elf({ buildId: '22'.repeat(20) }) }));
    const { stacks, unresolved } = await symbolicateFrames([native(`${'22'.repeat(16)}0`, 5)]);
    expect([stacks[0]?.frames[0]?.isUnsymbolicated, unresolved]).toEqual([true, []]);
  });
});

test('logs the installed tools at startup', async () => {
  const lines: unknown[] = [];
  const workers = {
    program: ({ name }: ProgramKind) => ({ path: name === 'swift-demangle' ? undefined : '/usr/bin/x' }),
  };
  await logSymbolizers({ workers, log: { info: (...line: unknown[]) => lines.push(line) } } as unknown as Deps);
  expect(lines).toEqual([
    [{ program: '/usr/bin/x' }, 'found llvm-symbolizer'],
    [{ program: undefined }, 'swift-demangle is not installed; run mooring doctor'],
  ]);
});

describe.skipIf(!hasToolchain)('compiled programs', () => {
  let shop: ReturnType<typeof compileShop>;
  beforeAll(() => {
    shop = compileShop();
  });
  afterAll(() => shop.remove());

  const shown = ({ method, file, line }: RawFrame) => [method, path.basename(file ?? ''), line];

  test('resolves inlined functions and lines of a Mach-O program with its dSYM', async () => {
    const app = await testApp('sqlite');
    const { upload, symbolicateFrames } = await createFixtures(app);
    const dwarf = shop.readDwarf();
    const content = createZip({ name: 'Shop.dSYM/Contents/Resources/DWARF/Shop', content: dwarf });
    await upload('Apple', content);
    const [image] = readMachO(bufferSource(shop.read('Shop')));
    const pay = shop.getAddress('Shop', '_cart_pay') - 0x100000000;
    const main = shop.getAddress('Shop', '_main') - 0x100000000;
    const { stacks, unresolved, notes } = await symbolicateFrames([
      native(image?.id ?? '', pay),
      native(image?.id ?? '', main + 12),
    ]);
    expect([unresolved, notes]).toEqual([[], []]);
    expect(stacks[0]?.frames.map(shown)).toEqual([
      ['price_round', 'cart.c', 3],
      ['cart_pay', 'cart.c', 6],
      ['main', 'cart.c', 10],
    ]);
  });

  test('finds an aarch64 library by its build ID', async () => {
    const app = await testApp('sqlite');
    const { upload, symbolicateFrames } = await createFixtures(app);
    await upload('Breakpad', createZip({ name: 'arm64-v8a/libcart.so', content: shop.read('libcart.so') }));
    const image = readElf(bufferSource(shop.read('libcart.so')));
    const pay = shop.getAddress('libcart.so', 'cart_pay');
    const { stacks } = await symbolicateFrames([native(image?.id ?? '', pay + 12)]);
    expect(stacks[0]?.frames.map(shown).at(-1)).toEqual(['cart_pay', 'cart.c', expect.any(Number)]);
    expect(stacks[0]?.frames.length).toBe(2);
  });

  test('without llvm-symbolizer names functions from the symbol table, and a note says what is missing', async () => {
    const app = await testApp('sqlite');
    const { upload, appId, ctx } = await createFixtures(app);
    await upload('Breakpad', createZip({ name: 'libcart.so', content: shop.read('libcart.so') }));
    const none = { path: undefined, request: async () => [], close: async () => undefined };
    const without = { ...ctx, workers: { ...ctx.workers, program: () => none } };
    const image = readElf(bufferSource(shop.read('libcart.so')));
    const frames = [native(image?.id ?? '', shop.getAddress('libcart.so', 'cart_pay') + 4)];
    const { stacks, notes } = await symbolicate(without, { appId, ...version, stacks: [{ frames }] });
    expect(stacks[0]?.frames.map(shown)).toEqual([['cart_pay', '', undefined]]);
    expect(notes).toEqual([expect.stringMatching(/^This server has no llvm-symbolizer/)]);
  });
});
