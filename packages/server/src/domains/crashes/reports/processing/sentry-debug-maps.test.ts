import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hexId, openSentryReports } from '../../../../../test/harness/sentry-reports.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { uploadSymbols } from '../../../../../test/harness/symbols.ts';

const debugId = 'ffbe7929-db1a-8bcd-307a-0102030405ff';
const otherId = '0f1c65b6-f655-25c0-566b-f4f65a75bc96';
const boundary = 'd74496d66958873e';
const sha1 = (content: string): string => hash('sha1', content, 'hex');

/** Composed after what SDKs send; not recorded on devices. */
const crash = (id: string, { type = 'xyz<abc>', library = 'libapp.so', ...more }: Record<string, unknown> = {}) => ({
  event_id: id,
  platform: 'native',
  contexts: { os: { name: 'Android', version: '14' } },
  exception: {
    values: [
      {
        type,
        value: 'The cart is empty',
        mechanism: { type: 'signalhandler', handled: false },
        stacktrace: { frames: [{ platform: 'native', instruction_addr: '0x7000001010', in_app: true }] },
      },
    ],
  },
  debug_meta: {
    images: [
      { type: 'elf', image_addr: '0x7000000000', image_size: 65_536, code_file: library, debug_id: debugId, ...more },
    ],
  },
});

/** Maps that sentry-cli uploads beside a binary with the same debug ID. */
eachDatabase('maps with the debug ID of a binary', (dialect) => {
  async function open() {
    const sentry = await openSentryReports(dialect);
    const { app, token, home } = sentry;
    const project = home.replace('/v0.1/apps/', '/api/0/projects/');
    const [, owner = ''] = /\/projects\/([^/]+)\//.exec(project) ?? [];
    const headers = { authorization: `Bearer ${token}` };
    /** Sends a file in one chunk, and returns what the tool learns about it. */
    const upload = async (name: string, content: string, debug_id: string | undefined) => {
      const body = Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${sha1(content)}"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
      );
      const form = { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
      const sent = await app.call('POST', `/api/0/organizations/${owner}/chunk-upload/`, {
        token,
        body,
        headers: form,
      });
      expect([sent.statusCode, sent.body]).toEqual([200, sent.body]);
      const request = { [sha1(content)]: { name, debug_id, chunks: [sha1(content)] } };
      const assemble = async () =>
        (await app.call('POST', `${project}/files/difs/assemble/`, { token, body: request, headers })).json();
      await assemble();
      await app.runJobs();
      return (await assemble())[sha1(content)];
    };
    const uploadLibrary = async (name: string, file: string) => {
      const module = debugId.replaceAll('-', '').toUpperCase();
      const sym = `MODULE Linux arm64 ${module}0 ${name}\nFILE 0 ${file}\nFUNC 1000 100 0 Cart_Pay_m0A1B\n1000 100 12 0\n`;
      await uploadSymbols(app, { token, path: home, symbol_type: 'Breakpad', file_name: `${name}.sym` }, sym);
      await app.runJobs();
    };
    const symbolIds = async () =>
      (await app.call('GET', `${home}/symbols`, { token }))
        .json()
        .map(({ symbol_id }: { symbol_id: string }) => symbol_id)
        .toSorted();
    return { ...sentry, upload, uploadLibrary, symbolIds };
  }

  test('restore the types of an obfuscated Flutter app, and are stored once for each debug ID', async () => {
    const { upload, symbolIds, send, process, getStack, groups } = await open();
    const map = '["NetworkException","xyz","Cart","abc","MaterialApp","ex"]';
    for (const id of [debugId, otherId, debugId]) {
      expect(await upload('obfuscation.map.json', map, id)).toMatchObject({
        state: 'ok',
        dif: { debugId: id, symbolType: 'dartsymbolmap', sha1: sha1(map), data: { features: ['mapping'] } },
      });
    }
    expect(await symbolIds()).toEqual(
      [otherId, debugId].map((id) => `${id.replaceAll('-', '')}.dart-symbols`).toSorted(),
    );
    await send(crash(hexId(1)));
    await send(crash(hexId(2), { type: 'ex' }));
    // Another build, which has no map.
    await send(crash(hexId(3), { debug_id: hexId(9) }));
    await process();
    const types = await Promise.all([1, 2, 3].map(async (id) => (await getStack(hexId(id))).exceptions[0]?.type));
    expect(types).toEqual(['NetworkException<Cart>', 'MaterialApp', 'xyz<abc>']);
    expect((await groups()).map(({ exception_type }) => exception_type)).toContain('NetworkException<Cart>');
  });

  test('replace generated C++ of Unity with the lines of its C#, beside the symbols of the same ID', async () => {
    const { upload, uploadLibrary, symbolIds, send, process, getStack } = await open();
    await uploadLibrary('libil2cpp.so', '/build/il2cppOutput/Assembly-CSharp.cpp');
    const map = JSON.stringify({
      '/build/il2cppOutput/Assembly-CSharp.cpp': { 'Assets/Cart.cs': { 10: 42, 90: 77 } },
      '__debug-id__': { [debugId]: {} },
    });
    // The tool names it like the library.
    const stored = await upload('/tmp/libil2cpp.so', map, debugId);
    expect(stored).toMatchObject({ state: 'ok', dif: { debugId, symbolType: 'il2cpp' } });
    expect(await symbolIds()).toEqual([
      `${debugId.replaceAll('-', '').toUpperCase()}0`,
      `${debugId.replaceAll('-', '')}.il2cpp`,
    ]);
    await send(crash(hexId(1), { type: 'System.Exception', library: 'libil2cpp.so' }));
    await process();
    const { exceptions } = await getStack(hexId(1));
    expect(exceptions[0]).toMatchObject({
      type: 'System.Exception',
      frames: [{ method: 'Cart_Pay_m0A1B', file: 'Assets/Cart.cs', line: 42 }],
    });
  });

  test('are rejected with the reason if they are broken, or without a debug ID', async () => {
    const { upload } = await open();
    const cases: [name: string, content: string, id: string | undefined, reason: string][] = [
      ['a.json', '["a"]', debugId, 'not a JSON list of pairs'],
      ['b.json', '["a",1]', debugId, 'not a JSON list of pairs'],
      ['c.json', `[${'['.repeat(100_000)}`, debugId, 'not a JSON list of pairs'],
      ['d.json', '["c","d"]', undefined, 'contains no symbols'],
      ['e.json', '["e","f"]', 'not an ID', 'contains no symbols'],
      ['lib.so', `{"__debug-id__":{"${debugId}":{}}}`, debugId, 'have no lines'],
      ['lib.so', '{"__debug-id__":', debugId, 'not a JSON object'],
    ];
    for (const [name, content, id, reason] of cases) {
      expect(await upload(name, content, id)).toMatchObject({
        state: 'error',
        detail: expect.stringContaining(reason),
      });
    }
  });
});
