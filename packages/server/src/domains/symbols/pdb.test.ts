import { describe, expect, test } from 'vitest';
import { createZip } from '../../../../../test-support/zip.ts';
import { testApp } from '../../../test/harness/app.ts';
import { compileForWindows, hasWindowsToolchain, PAY } from '../../../test/harness/services/windows-programs.ts';
import { uploadSymbols } from '../../../test/harness/symbols.ts';
import { systemCtx } from '../../context.ts';
import { readPdb } from './formats/pdb.ts';
import { readPe, readPeLayout } from './formats/pe.ts';
import { bufferSource } from './formats/source.ts';
import { symbolicate } from './symbolication.ts';

const appPath = '/v0.1/apps/ada/shop';

async function open() {
  const app = await testApp('sqlite');
  const ada = await app.addUser('ada');
  const { id: appId } = await app.addApp(ada, 'shop');
  const token = await app.userToken(ada);
  const upload = async (content: Buffer) => {
    await uploadSymbols(app, { token, path: appPath, symbol_type: 'UWP', file_name: 'Shop.appxsym' }, content);
    await app.runJobs();
  };
  const find = async (imageId: string, offset = PAY.offset) => {
    const frames = [{ image: 'cart.dll', imageId, offset, isApp: true }];
    const ctx = systemCtx(app.deps);
    const { stacks, unresolved, notes } = await symbolicate(ctx, {
      appId,
      version: '1',
      build: '1',
      stacks: [{ frames }],
    });
    return { frame: stacks[0]?.frames[0], unresolved, notes };
  };
  return { upload, find };
}

describe.skipIf(!hasWindowsToolchain)('programs for Windows', () => {
  const files = hasWindowsToolchain ? compileForWindows() : { pdb: Buffer.alloc(0), dll: Buffer.alloc(0) };

  test('a PDB without its program gives functions and lines, by its ID in minidumps and in events', async () => {
    const { upload, find } = await open();
    const { id, otherIds } = readPdb(bufferSource(files.pdb));
    const [inMinidumps = ''] = otherIds;
    expect(inMinidumps).toMatch(/^[0-9A-F]{33}$/);
    expect((await find(id)).unresolved).toMatchObject([{ type: 'UWP', reason: 'missing' }]);
    await upload(createZip({ name: 'cart.pdb', content: files.pdb }));
    for (const imageId of [id, inMinidumps]) {
      const { frame, unresolved, notes } = await find(imageId);
      expect([unresolved, notes]).toEqual([[], []]);
      expect(frame).toMatchObject({ method: 'cart_pay', file: expect.stringMatching(/cart\.c$/), line: PAY.line });
    }
    expect((await find(id, 0x6000_0000)).frame).not.toHaveProperty('method');
  });

  test('a program has the ID of its PDB, and is stored beside it', async () => {
    const { upload, find } = await open();
    const { id } = readPdb(bufferSource(files.pdb));
    expect(readPe(bufferSource(files.dll))).toMatchObject({ id: `${id}.binary`, arch: 'x86_64', hasLines: false });
    await upload(createZip({ name: 'cart.pdb', content: files.pdb }, { name: 'cart.dll', content: files.dll }));
    expect((await find(id)).frame).toMatchObject({ method: 'cart_pay' });
    expect(readPeLayout(bufferSource(files.dll)).imageSize).toBeGreaterThan(PAY.offset);
  });

  test('a program that is truncated or changed is refused with a reason', () => {
    for (let at = 0; at < 1024; at += 1) {
      for (const content of [files.dll.subarray(0, at), Buffer.from(files.dll).fill(0xff, at, at + 4)]) {
        try {
          readPe(bufferSource(content));
        } catch (error) {
          expect((error as Error).name).toBe('Unreadable');
        }
      }
    }
  });
});
