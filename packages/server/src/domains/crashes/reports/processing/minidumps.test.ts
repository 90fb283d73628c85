import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { attachment, crash, crashApp } from '../../../../../test/harness/crashes.ts';
import { amd64Context, minidump, words64 } from '../../../../../test/harness/images.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { uploadSymbols } from '../../../../../test/harness/symbols.ts';

const [ann, bob] = [randomUUID(), randomUUID()];
const buildId = '00112233445566778899aabbccddeeff01234567';
const moduleId = '33221100554477668899AABBCCDDEEFF0';
const base = 0x7000000000n;

function dump(): Buffer {
  const stackAt = 0x7fff0000n;
  const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt });
  return minidump({
    modules: [{ base, size: 0x10000, path: '/data/app/org.example.shop/lib/libshop.so', buildId }],
    threads: [{ id: 7, context, stack: { start: stackAt, content: words64(base + 0x2010n, 0n) } }],
    crash: { threadId: 7, code: 11, address: 0x10n, context },
  });
}

const sym = `MODULE Linux x86_64 ${moduleId} libshop.so
FILE 0 cart.cpp
FUNC 1000 100 0 Cart::pay()
1000 100 12 0
FUNC 2000 100 0 main
2000 100 30 0
STACK CFI INIT 1000 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^
`;

/** A crash of native code as Android sends it: only the minidump has its stack. */
function nativeCrash() {
  const { exception: _, threads: __, ...log } = crash();
  const wrapperSdkName = 'appcenter.ndk';
  return { ...log, device: { ...log.device, wrapperSdkName }, exception: { type: 'minidump', wrapperSdkName } };
}
const createDumpAttachment = (id: string, content: Buffer = dump()) =>
  attachment(id, '', {
    data: content.toString('base64'),
    fileName: 'minidump.dmp',
    contentType: 'application/octet-stream',
  });

eachDatabase('minidumps of reports', (dialect) => {
  const getStack = async (get: Awaited<ReturnType<typeof crashApp>>['get']) => {
    const { crash_groups } = await get('crash_groups');
    expect(crash_groups).toHaveLength(1);
    return get(`crash_groups/${crash_groups[0].crash_group_id}/stacktrace`);
  };
  const formatFrames = ({ frames }: { frames: Record<string, unknown>[] }) =>
    frames.map(({ method, file, line, code_raw }) => (method ? [method, file, line] : code_raw));

  test('provide the stack whether they arrive before, with or after the report, in one group', async () => {
    const { app, send, get } = await crashApp(dialect);
    const [before, late] = [nativeCrash(), nativeCrash()];
    await send(ann, createDumpAttachment(before.id), before);
    const first = await getStack(get);
    expect([first.title, first.reason, first.threads.length]).toEqual(['SIGSEGV', 'SIGSEGV at 0x10', 1]);
    expect(formatFrames(first.exception)[0]).toBe('libshop.so 0x7000001010');
    expect(first.missing_symbols).toMatchObject([
      { id: moduleId, reason: 'missing', command: 'mooring symbols upload ada/shop libshop.so' },
    ]);
    await send(bob, late);
    expect((await get('crash_groups')).crash_groups).toHaveLength(2);
    await send(bob, createDumpAttachment(late.id));
    await app.runJobs();
    const [group, ...others] = (await get('crash_groups')).crash_groups;
    expect([others, group.count, group.impacted_users]).toEqual([[], 2, 2]);
  });

  test('are walked again with the unwind information of symbols that arrive later, which name the frames', async () => {
    const { app, token, url, send, get } = await crashApp(dialect);
    const log = nativeCrash();
    await send(ann, log, createDumpAttachment(log.id));
    await uploadSymbols(app, { token, path: url(''), symbol_type: 'Breakpad', file_name: 'libshop.so.sym' }, sym);
    await app.runJobs();
    const stack = await getStack(get);
    expect([formatFrames(stack.exception), stack.missing_symbols]).toEqual([
      [
        ['Cart::pay()', 'cart.cpp', 12],
        ['main', 'cart.cpp', 30],
      ],
      [],
    ]);
  });

  test('leave a note in the report if they are invalid, incomplete or missing', async () => {
    const { send, get } = await crashApp(dialect);
    const logs = [nativeCrash(), nativeCrash(), nativeCrash(), nativeCrash()];
    const [none, cut, alone, large] = logs;
    await send(
      ann,
      ...logs,
      createDumpAttachment(none?.id ?? '', Buffer.from('no dump')),
      createDumpAttachment(cut?.id ?? '', dump().subarray(0, 40)),
      createDumpAttachment(large?.id ?? '', Buffer.alloc(7 * 1024 * 1024 + 1)),
    );
    const { crash_groups } = await get('crash_groups');
    expect(crash_groups).toMatchObject([{ count: 4, exception: 'minidump' }]);
    const getNotes = async (id = '') => {
      const at = `errors/errorGroups/${crash_groups[0].crash_group_id}/errors/${id}/stacktrace`;
      return (await get(at)).notes;
    };
    expect(await getNotes(none?.id)).toEqual([expect.stringMatching(/^Can't read the minidump: /)]);
    expect(await getNotes(cut?.id)).toEqual([expect.stringMatching(/^Can't read the minidump: /)]);
    expect(await getNotes(alone?.id)).toEqual(['The minidump of this crash has not arrived yet.']);
    expect(await getNotes(large?.id)).toEqual([
      'The minidump of this crash was not stored: it has 7340033 bytes (max 7 MiB).',
    ]);
  });
});
