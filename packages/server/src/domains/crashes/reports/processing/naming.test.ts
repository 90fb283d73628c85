import { expect, test } from 'vitest';
import { crashApp } from '../../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { uploadSymbols } from '../../../../../test/harness/symbols.ts';
import { systemCtx } from '../../../../context.ts';
import { emptyStack, type Frame, type Stack } from '../../stacks/stack.ts';
import { type FoundNames, nameFrames } from './naming.ts';

const imageId = '33221100554477668899AABBCCDDEEFF0';
const sym = `MODULE Linux arm64 ${imageId} libshop.so
FILE 0 cart.cpp
INLINE_ORIGIN 0 round(int)
FUNC 1000 20 0 Cart::pay()
INLINE 0 12 0 0 1000 10
1000 10 3 0
1010 10 13 0
`;

eachDatabase('names of frames', (dialect) => {
  test('are looked up once for several reports of one problem, and each report keeps its own data', async () => {
    const { app, token, url, ref } = await crashApp(dialect);
    await uploadSymbols(app, { token, path: url(''), symbol_type: 'Breakpad', file_name: 'libshop.so.sym' }, sym);
    await app.runJobs();
    const frame = (base: number, offset: number): Frame => ({
      raw: `libshop.so 0x${(base + offset).toString(16)}`,
      address: `0x${(base + offset).toString(16)}`,
      language: 'Unknown',
      isApp: true,
      isUnsymbolicated: true,
      image: 'libshop.so',
      imageId,
      offset,
    });
    const stackAt = (base: number, ...offsets: number[]): Stack => ({
      ...emptyStack('ndk'),
      exceptions: [{ type: 'SIGSEGV', message: '', frames: offsets.map((offset) => frame(base, offset)) }],
    });
    const names: FoundNames = new Map();
    const name = (stack: Stack) =>
      nameFrames(systemCtx(app.deps), ref.id, { version: '1', build: '1', buildIds: [] }, stack, names);
    const listFrames = ({ exceptions }: Stack) =>
      exceptions[0]?.frames.map(({ method, line, raw, address }) => [method, line, raw, address]);
    expect(listFrames(await name(stackAt(0x7000, 0x1004)))).toEqual([
      ['round(int)', 3, 'libshop.so 0x8004', '0x8004'],
      ['Cart::pay()', 12, 'libshop.so 0x8004', '0x8004'],
    ]);
    expect(listFrames(await name(stackAt(0x9000, 0x1004)))).toEqual([
      ['round(int)', 3, 'libshop.so 0xa004', '0xa004'],
      ['Cart::pay()', 12, 'libshop.so 0xa004', '0xa004'],
    ]);
    expect(names.size).toBe(1);
    expect(listFrames(await name(stackAt(0x9000, 0x1014)))).toEqual([
      ['Cart::pay()', 13, 'libshop.so 0xa014', '0xa014'],
    ]);
    expect(names.size).toBe(2);
  });
});
