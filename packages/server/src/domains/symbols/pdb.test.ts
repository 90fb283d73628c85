import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createZip } from '../../../../../test-support/zip.ts';
import { testApp } from '../../../test/harness/app.ts';
import { amd64Context, minidump } from '../../../test/harness/images.ts';
import {
  compileForWindows,
  hasWindowsToolchain,
  PAY,
  START_OFFSET,
} from '../../../test/harness/services/windows-programs.ts';
import { uploadSymbols } from '../../../test/harness/symbols.ts';
import { systemCtx } from '../../context.ts';
import { readPdb } from './formats/pdb.ts';
import { readPe } from './formats/pe.ts';
import { bufferSource } from './formats/source.ts';
import { symbolicate, walkMinidump } from './symbolication.ts';

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
  const find = async (imageId: string) => {
    const frames = [{ image: 'cart.dll', imageId, offset: PAY.offset, isApp: true }];
    const ctx = systemCtx(app.deps);
    const { stacks, unresolved, notes } = await symbolicate(ctx, {
      appId,
      version: '1',
      build: '1',
      stacks: [{ frames }],
    });
    return { frame: stacks[0]?.frames[0], unresolved, notes };
  };
  const symbolicateDump = async (dump: Buffer) => {
    const ctx = systemCtx(app.deps);
    await app.deps.blobs.put('crashes/dump', Readable.from([dump]), { type: 'x', maxBytes: dump.length });
    const { modules, threads } = await walkMinidump(ctx, { appId, blobKey: 'crashes/dump' });
    const frames = (threads[0]?.frames ?? []).map(({ module = 0, offset = 0 }) => ({
      imageId: modules[module]?.id ?? '',
      offset,
      isExact: true,
    }));
    const { stacks } = await symbolicate(ctx, { appId, version: '1', build: '1', stacks: [{ frames }] });
    return stacks[0]?.frames;
  };
  return { upload, find, symbolicateDump };
}

describe.skipIf(!hasWindowsToolchain)('programs for Windows', () => {
  const files = hasWindowsToolchain ? compileForWindows() : { pdb: Buffer.alloc(0), dll: Buffer.alloc(0) };

  test('a PDB without its program has functions and lines, by its ID in minidumps and in events', async () => {
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
  });

  test('the stack of a Windows minidump shows functions and lines', async () => {
    const { upload, symbolicateDump } = await open();
    await upload(createZip({ name: 'cart.pdb', content: files.pdb }));
    const record = files.dll.indexOf('RSDS');
    const base = 0x7ff8_1000_0000n;
    const stack = Buffer.alloc(64);
    stack.writeBigUInt64LE(base + BigInt(START_OFFSET + 10), 8);
    const context = amd64Context({ rip: base + BigInt(PAY.offset), rsp: 0x10_0000n });
    const frames = await symbolicateDump(
      minidump({
        platform: 2,
        modules: [
          {
            base,
            size: 0x4000,
            path: 'C:\\Shop\\cart.dll',
            guid: files.dll.toString('hex', record + 4, record + 20),
            age: files.dll.readUInt32LE(record + 20),
          },
        ],
        threads: [{ id: 1, context, stack: { start: 0x10_0000n, content: stack } }],
        crash: { threadId: 1, code: 0xc0000005, address: 0n, context },
      }),
    );
    expect(frames).toMatchObject([
      { method: 'cart_pay', file: expect.stringMatching(/cart\.c$/), line: PAY.line },
      { method: 'start', file: expect.stringMatching(/cart\.c$/) },
    ]);
  });

  test('a program has the ID of its PDB, and is stored beside it', async () => {
    const { upload, find } = await open();
    const { id } = readPdb(bufferSource(files.pdb));
    expect(readPe(bufferSource(files.dll))).toMatchObject({ id: `${id}.binary`, arch: 'x86_64', hasLines: false });
    await upload(createZip({ name: 'cart.pdb', content: files.pdb }, { name: 'cart.dll', content: files.dll }));
    expect((await find(id)).frame).toMatchObject({ method: 'cart_pay' });
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
