import { expect, test } from 'vitest';
import { createZip } from '../../../../../../../test-support/zip.ts';
import { portablePdb } from '../../../../../test/harness/portable-pdb.ts';
import { androidCrash, EVENT_ID, envelope, openSentry } from '../../../../../test/harness/sentry.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import type { Stack } from '../../stacks/stack.ts';
import { unpackJson } from '../bodies.ts';

const mappingId = '6dd7a0ac-0ab2-5a9d-a9f7-5b2b3c5b7e01';
const scriptId = '18ccbd8b-60ac-5c85-860f-44171f022a43';
const guid = '1d6929b4468b4db893899a12bd257e1b';
const boundary = 'd74496d66958873e';

/** Composed after what SDKs send; not recorded on devices. */
const obfuscated = androidCrash({
  exception: {
    values: [
      {
        type: 'b',
        module: 'a',
        value: 'The cart is empty',
        mechanism: { type: 'UncaughtExceptionHandler', handled: false },
        stacktrace: { frames: [{ module: 'a.b', function: 'a', filename: 'SourceFile', lineno: 3, in_app: true }] },
      },
    ],
  },
  debug_meta: { images: [{ type: 'proguard', uuid: mappingId }] },
});
const script = {
  event_id: EVENT_ID,
  platform: 'javascript',
  release: 'shop@2.0+200',
  exception: {
    values: [
      {
        type: 'Error',
        value: 'pay',
        mechanism: { type: 'onerror', handled: false },
        stacktrace: {
          frames: [
            { filename: '~/vendor.js', abs_path: 'https://shop.example/vendor.js', function: 'v', lineno: 1, colno: 1 },
            { filename: '~/app.js', abs_path: 'https://shop.example/app.js', function: 'p', lineno: 1, colno: 1 },
          ],
        },
      },
    ],
  },
  debug_meta: {
    images: [{ type: 'sourcemap', code_file: 'https://shop.example/app.js', debug_id: scriptId }],
  },
};
const dotnet = {
  event_id: EVENT_ID,
  platform: 'csharp',
  release: 'Shop@1.0',
  exception: {
    values: [
      {
        type: 'System.InvalidOperationException',
        value: 'The cart is empty',
        mechanism: { type: 'AppDomain.UnhandledException', handled: false },
        stacktrace: {
          frames: [
            {
              module: 'Shop.Cart',
              function: 'Pay',
              package: 'Shop, Version=1.0.0.0',
              in_app: true,
              function_id: '0x1',
              instruction_addr: '0x9',
              addr_mode: 'rel:0',
            },
          ],
        },
      },
    ],
  },
  debug_meta: {
    images: [
      { type: 'pe_dotnet', debug_id: `${guid}-0b8cf31e`, code_file: 'C:\\Shop\\Shop.dll', debug_file: 'Shop.pdb' },
    ],
  },
};

eachDatabase('symbols of Sentry events', (dialect) => {
  async function open() {
    const sentry = await openSentry(dialect);
    const { app, token, home } = sentry;
    const upload = async (name: string, content: Buffer | string) => {
      const zip = createZip({ name, content });
      const body = Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.zip"\r\n\r\n`),
        zip,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
      const url = `${home.replace('/v0.1/apps/', '/api/0/projects/')}/files/dsyms/`;
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      const answer = await app.call('POST', url, { token, body, headers });
      expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
      await app.runJobs();
    };
    const send = async (event: object) => {
      await sentry.sendEnvelope(envelope({ event_id: EVENT_ID }, [{ type: 'event' }, event]));
      await sentry.process();
    };
    const getStack = async () => {
      const [body] = (await app.database.query((q) => q.selectFrom('crash_bodies').select('stack'))) as {
        stack: Uint8Array;
      }[];
      return unpackJson<Stack>(body?.stack ?? new Uint8Array());
    };
    return { ...sentry, upload, send, getStack };
  }

  test('an R8 mapping is found by its ID in any version of the app', async () => {
    const { upload, send, getStack } = await open();
    await upload(`proguard/${mappingId}.txt`, 'org.shop.Cart -> a.b:\n    1:5:void pay():20:24 -> a\n');
    await send(obfuscated);
    const { exceptions, missing } = await getStack();
    expect([exceptions[0]?.type, missing ?? []]).toEqual(['org.shop.Cart', []]);
    expect(exceptions[0]?.frames[0]).toMatchObject({ className: 'org.shop.Cart', method: 'pay', line: 22 });
  });

  test('a report that waits for a mapping names its ID and the command, and is symbolicated when it arrives', async () => {
    const { upload, send, getStack } = await open();
    await send(obfuscated);
    const [missing] = (await getStack()).missing ?? [];
    expect(missing).toMatchObject({ id: mappingId.replaceAll('-', ''), type: 'AndroidProguard', reason: 'missing' });
    expect(missing?.command).toBe(
      `sentry-cli upload-proguard --org ada --project buoy --uuid ${mappingId} mapping.txt`,
    );
    await upload(`proguard/${mappingId}.txt`, 'org.shop.Cart -> a.b:\n    1:5:void pay():20:24 -> a\n');
    expect((await getStack()).exceptions[0]?.frames[0]).toMatchObject({ className: 'org.shop.Cart', line: 22 });
  });

  test('a bundle is mapped by the source map with its debug ID, and no other bundle is', async () => {
    const { upload, send, getStack } = await open();
    const map = { version: 3, file: 'app.js', sources: ['../src/app.ts'], names: ['pay'], mappings: 'AAAAA' };
    await upload('app.js.map', JSON.stringify({ ...map, debug_id: scriptId }));
    await send(script);
    const [app, vendor] = (await getStack()).exceptions[0]?.frames ?? [];
    expect(app).toMatchObject({ file: '../src/app.ts', line: 1 });
    expect(vendor).toMatchObject({ file: expect.stringContaining('vendor.js') });
  });

  test('a method of .NET gets its file and line from a portable PDB', async () => {
    const { upload, send, getStack } = await open();
    const file = '/src/Shop/Cart.cs';
    const methods = [
      [
        { offset: 0, line: 12 },
        { offset: 9, line: 14 },
      ],
    ];
    await upload('Shop.pdb', portablePdb({ guid, stamp: 0x0b8cf31e, file, methods }));
    await send(dotnet);
    const { exceptions, missing } = await getStack();
    expect(exceptions[0]?.frames[0]).toMatchObject({ className: 'Shop.Cart', method: 'Pay', file, line: 14 });
    expect(missing ?? []).toEqual([]);
  });

  test('an event with hostile references is stored without symbols', async () => {
    const { send, getStack } = await open();
    const images = [
      null,
      7,
      { type: 'proguard', uuid: { a: 1 } },
      { type: 'pe_dotnet', debug_id: 'x'.repeat(1000) },
      ...Array.from({ length: 3000 }, () => ({ type: 'sourcemap', code_file: 'a', debug_id: scriptId })),
    ];
    const [exception] = dotnet.exception.values;
    const frames = ['rel:', 'rel:99999', 'rel:-1', `rel:${'9'.repeat(400)}`, 'rel:constructor', 7].map((addr_mode) => ({
      ...exception?.stacktrace.frames[0],
      addr_mode,
      function_id: `0x${'f'.repeat(16)}`,
    }));
    await send({
      ...dotnet,
      exception: { values: [{ ...exception, stacktrace: { frames } }] },
      debug_meta: { images },
    });
    expect((await getStack()).exceptions[0]?.frames).toHaveLength(6);
  });
});
