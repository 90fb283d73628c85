import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createZip } from '../../../../../../../test-support/zip.ts';
import { crashApp, device, NOW } from '../../../../../test/harness/crashes.ts';
import { compileShop, hasToolchain } from '../../../../../test/harness/services/programs.ts';
import { uploadSymbols } from '../../../../../test/harness/symbols.ts';

const TEXT = 0x100000000;

describe.skipIf(!hasToolchain)('a crash of a program compiled for Apple devices', () => {
  let shop: ReturnType<typeof compileShop>;
  beforeAll(() => {
    shop = compileShop();
  });
  afterAll(() => shop.remove());

  test('names the missing dSYM, and gets functions and lines, also inlined ones, once it is uploaded', async () => {
    const { app, token, url, send, get } = await crashApp('sqlite');
    const uuid = shop
      .machOId('Shop')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
      .toUpperCase();
    const pay = shop.getAddress('Shop', '_cart_pay') - TEXT;
    const main = shop.getAddress('Shop', '_main') - TEXT;
    const path = '/private/var/containers/Bundle/Application/A1/Shop.app/Shop';
    const hex = (value: number) => `0x${value.toString(16).padStart(16, '0')}`;
    const crashLoadedAt = (base: number) => ({
      type: 'appleError',
      id: randomUUID(),
      timestamp: new Date(NOW).toISOString(),
      fatal: true,
      primaryArchitectureId: 16_777_228,
      applicationPath: path,
      osExceptionType: 'SIGSEGV',
      osExceptionCode: 'SEGV_MAPERR',
      osExceptionAddress: '0x0',
      errorThreadId: 3,
      threads: [
        { id: 1, frames: [{ address: hex(base + main + 12) }] },
        { id: 3, frames: [{ address: hex(base + pay) }, { address: hex(base + main + 12) }] },
      ],
      binaries: [
        {
          id: uuid,
          name: 'Shop',
          path,
          startAddress: hex(base),
          endAddress: hex(base + 0xffff),
          primaryArchitectureId: 16_777_228,
        },
      ],
      device: {
        ...device,
        sdkName: 'appcenter.ios',
        osName: 'iOS',
        osVersion: '18.1',
        model: 'iPhone15,2',
        oemName: 'Apple',
      },
    });
    await send(randomUUID(), crashLoadedAt(0x1_0000_0000));
    await send(randomUUID(), crashLoadedAt(0x1_0b3c_4000));
    const [group, ...others] = (await get('crash_groups')).crash_groups;
    expect([others, group.count]).toEqual([[], 2]);
    const at = `crash_groups/${group.crash_group_id}/stacktrace`;
    expect((await get(at)).missing_symbols).toMatchObject([
      { name: 'Shop', reason: 'missing', command: 'mooring symbols upload ada/shop Shop.app.dSYM' },
    ]);
    const content = createZip({ name: 'Shop.dSYM/Contents/Resources/DWARF/Shop', content: shop.readDwarf() });
    await uploadSymbols(app, { token, path: url(''), symbol_type: 'Apple' }, content);
    await app.runJobs();
    const stack = await get(at);
    const formatFrames = ({ frames }: { frames: { method: string; file: string; line: number }[] }) =>
      frames.map(({ method, file, line }) => [method, file.split('/').at(-1), line]);
    expect([stack.title, stack.missing_symbols, stack.notes]).toEqual(['SIGSEGV', [], []]);
    expect(formatFrames(stack.exception)).toEqual([
      ['price_round', 'cart.c', 3],
      ['cart_pay', 'cart.c', 6],
      ['main', 'cart.c', 10],
    ]);
    expect((await get('crash_groups')).crash_groups).toMatchObject([
      { count: 2, reason_frame: { method: 'price_round', line: 3 } },
    ]);
  });
});
