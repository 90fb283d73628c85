import { expect, test } from 'vitest';
import { type FormPart, formOf, gif, jpeg, png, webp } from '../../../../../tools/images.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { HOUR } from '../../kernel/clock.ts';
import { keepAvatar, storeAvatar } from './avatars.ts';

const ofApp = '/v0.1/apps/ada/compass';
const ofOrg = '/v0.1/orgs/lighthouse';
const image: FormPart = { fileName: 'a.png', type: 'image/png', content: png(2, 2) };

async function world(app: TestApp) {
  const ada = await app.addUser('ada');
  await app.addApp(ada, 'compass');
  await app.addOrg(ada, 'lighthouse');
  const token = await app.userToken(ada);
  const send = (url: string, { type, body }: { type: string; body: Buffer | string }) =>
    app.call('POST', `${url}/avatar`, { token, body, headers: { 'content-type': type } });
  return {
    ada,
    token,
    send,
    upload: (url: string, ...parts: FormPart[]) => send(url, formOf(...parts)),
    get: async (url: string) => (await app.call('GET', url, { token })).json(),
    remove: (url: string) => app.call('DELETE', `${url}/avatar`, { token }),
    actions: async () =>
      (await app.database.query((q) => q.selectFrom('audit_events').select('action').orderBy('id'))).map(
        ({ action }) => action,
      ),
    jobs: () => app.database.query((q) => q.selectFrom('jobs').select(['name', 'payload'])),
  };
}

const publicUrl = 'https://mooring.example.com';
const pathOf = (address: string): string => address.replace(publicUrl, '');
const existing = async (app: TestApp, address: string): Promise<boolean> =>
  (await app.deps.blobs.stat(pathOf(address).slice(1))) !== undefined;

eachDatabase('avatars', (dialect) => {
  test.each([
    [ofApp, 'icon_url'],
    [ofOrg, 'avatar_url'],
  ])('%s: an image is shown at an address that anybody can read and that never changes', async (url, field) => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, get, jobs } = await world(app);
    const answer = await upload(url, image);
    expect([answer.statusCode, answer.json()[field]]).toEqual([
      200,
      expect.stringMatching(/^https:\/\/mooring\.example\.com\/avatars\/[0-9A-Za-z]{32}\.png$/),
    ]);
    const address = answer.json()[field];
    expect((await get(url))[field]).toBe(address);
    expect(await jobs()).toEqual([]);

    const served = await app.call('GET', pathOf(address));
    expect([served.statusCode, served.rawPayload.equals(png(2, 2))]).toEqual([200, true]);
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png(2, 2).length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const head = await app.call('HEAD', pathOf(address));
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(png(2, 2).length), '']);
  });

  test('apps and owners show the avatar of their organization wherever they are listed', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { ada, upload, get } = await world(app);
    const org = { id: (await get(ofOrg)).id, name: 'lighthouse', displayName: 'lighthouse' };
    await app.addOrgApp({ ...org, avatarUrl: undefined, createdAt: 0, updatedAt: 0 }, ada, 'buoy');
    const { avatar_url } = (await upload(ofOrg, image)).json();
    expect((await get('/v0.1/apps/lighthouse/buoy')).owner.avatar_url).toBe(avatar_url);
    expect((await get('/v0.1/orgs/lighthouse/apps'))[0].owner.avatar_url).toBe(avatar_url);
    expect((await get('/v0.1/administeredOrgs')).organizations[0].avatar_url).toBe(avatar_url);
  });

  test('the content says what an image is, whatever the sender leaves open', async () => {
    const app = await testApp(dialect);
    const { upload } = await world(app);
    const sent: [type: string | undefined, ending: string, content: Buffer][] = [
      ['image/png', 'png', png(1, 1)],
      ['image/jpeg', 'jpg', jpeg(1, 1)],
      ['image/jpg', 'jpg', jpeg(1, 1)],
      ['image/gif', 'gif', gif(1, 1)],
      ['image/webp', 'webp', webp.lossy(1, 1)],
      ['application/octet-stream', 'png', png(4096, 1)],
      [undefined, 'webp', webp.extended(1, 4096)],
    ];
    for (const [type, ending, content] of sent) {
      const answer = await upload(ofApp, { fileName: 'image', type, content });
      expect([type, answer.statusCode, answer.json().icon_source]).toEqual([type, 200, 'uploaded']);
      const { pathname } = new URL(answer.json().icon_url);
      const served = await app.call('GET', pathname);
      expect([pathname.split('.')[1], served.headers['content-type']]).toEqual([
        ending,
        `image/${ending === 'jpg' ? 'jpeg' : ending}`,
      ]);
    }
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const notAnImage = 'The avatar must be a PNG, JPEG, GIF or WebP image.';
  const refusals: [what: string, parts: FormPart[], status: number, message: unknown][] = [
    ['SVG', [{ ...image, type: 'image/svg+xml', content: svg }], 415, notAnImage],
    ['HTML that claims to be an image', [{ ...image, content: '<html>' }], 415, notAnImage],
    ['an empty file', [{ ...image, content: '' }], 415, notAnImage],
    [
      'an image that claims another type',
      [{ ...image, type: 'image/jpeg' }],
      400,
      'The avatar is said to be image/jpeg, but its content is image/png.',
    ],
    [
      'an image that claims to be a page',
      [{ ...image, type: 'text/html' }],
      400,
      'The avatar is said to be text/html, but its content is image/png.',
    ],
    [
      'an image that is too wide',
      [{ ...image, content: png(4097, 1) }],
      400,
      'The avatar may have 4096 × 4096 pixels at most; it has 4097 × 1.',
    ],
    [
      'a file that is too large',
      [{ ...image, content: Buffer.concat([png(1, 1), Buffer.alloc(1_048_576)]) }],
      413,
      'The file is larger than 1048576 bytes.',
    ],
    [
      'a form that is much too large',
      [{ ...image, content: Buffer.alloc(1_200_000) }],
      413,
      'The file is larger than 1048576 bytes.',
    ],
    ['two files', [image, image], 400, 'The form must have one file, in the field "avatar".'],
    [
      'a file in another field',
      [{ ...image, field: 'icon' }],
      400,
      'The form must have one file, in the field "avatar".',
    ],
    [
      'a text instead of a file',
      [{ content: 'https://example.com/a.png' }],
      400,
      'avatar is missing: send a file in the field "avatar" of multipart/form-data.',
    ],
    [
      'too many parts',
      Array.from({ length: 30 }, (_, index) => ({ field: `f${index}`, content: 'x' })),
      400,
      expect.stringMatching(/^The form cannot be read: /),
    ],
  ];
  test('refuses what is not an image of a fair size, and keeps nothing of it', async () => {
    const app = await testApp(dialect);
    const { upload, get, jobs, actions } = await world(app);
    const before = await actions();
    for (const [what, parts, status, message] of refusals) {
      const answer = await upload(ofApp, ...parts);
      expect([what, answer.statusCode, answer.json().error.message]).toEqual([what, status, message]);
    }
    expect((await get(ofApp)).icon_url).toBeUndefined();
    expect(await jobs()).toEqual([]);
    expect(await actions()).toEqual(before);
  });

  test('a file of exactly the largest size is taken', async () => {
    const app = await testApp(dialect);
    const content = Buffer.concat([png(1, 1), Buffer.alloc(1_048_576 - png(1, 1).length)]);
    expect((await (await world(app)).upload(ofApp, { ...image, content })).statusCode).toBe(200);
  });

  test('forms are taken here only, whole, and nothing else is', async () => {
    const app = await testApp(dialect);
    const { send, token } = await world(app);
    const { type, body } = formOf(image);
    const json = await send(ofApp, { type: 'application/json', body: '{"avatar":"x"}' });
    expect([json.statusCode, json.json().error.message]).toEqual([
      415,
      'The body must be multipart/form-data, with a file in the field "avatar".',
    ]);
    for (const cut of [40, body.length - 30]) {
      const answer = await send(ofApp, { type, body: body.subarray(0, cut) });
      expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'BadRequest']);
    }
    const noBoundary = await send(ofApp, { type: 'multipart/form-data', body });
    expect(noBoundary.statusCode).toBe(400);
    const elsewhere = await app.call('PATCH', ofApp, { token, body, headers: { 'content-type': type } });
    expect([elsewhere.statusCode, elsewhere.json().error.message]).toEqual([
      415,
      'The body must be JSON, sent with Content-Type: application/json.',
    ]);
  });

  test.each([
    [ofApp, 'icon_url', 'app'],
    [ofOrg, 'avatar_url', 'org'],
  ])(
    '%s: another image takes the place of the first, and none takes its; each is recorded',
    async (url, field, kind) => {
      const app = await testApp(dialect, { publicUrl });
      const { upload, remove, get, actions } = await world(app);
      const first = (await upload(url, image)).json()[field];
      const second = (await upload(url, image)).json()[field];
      expect(second).not.toBe(first);
      expect([await existing(app, first), await existing(app, second)]).toEqual([true, true]);
      await app.runJobs();
      expect([await existing(app, first), await existing(app, second)]).toEqual([false, true]);
      expect((await app.call('GET', pathOf(first))).statusCode).toBe(404);

      const removed = await remove(url);
      expect([removed.statusCode, removed.json()[field]]).toEqual([200, undefined]);
      expect((await get(url))[field]).toBeUndefined();
      await app.runJobs();
      expect(await existing(app, second)).toBe(false);
      expect((await remove(url)).statusCode).toBe(200);
      expect((await actions()).slice(-3)).toEqual([
        `${kind}.set_avatar`,
        `${kind}.set_avatar`,
        `${kind}.delete_avatar`,
      ]);
    },
  );

  test('whatever is deleted takes its image along', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, token } = await world(app);
    const images = [(await upload(ofApp, image)).json().icon_url, (await upload(ofOrg, image)).json().avatar_url];
    for (const url of [ofApp, ofOrg]) expect((await app.call('DELETE', url, { token })).statusCode).toBe(204);
    await app.runJobs();
    for (const address of images) expect(await existing(app, address)).toBe(false);
  });

  test('an icon can still be set by its address, which ends an uploaded one; other changes leave it', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, token } = await world(app);
    const patch = async (body: object) => (await app.call('PATCH', ofApp, { token, body })).json();
    const { icon_url } = (await upload(ofApp, image)).json();
    expect(await patch({ description: 'Finds north.' })).toMatchObject({ icon_url });
    // Whoever reads an app, changes something in it and sends it back, means to keep the icon.
    expect(await patch({ icon_url, release_type: 'Beta' })).toMatchObject({ icon_url, icon_source: 'uploaded' });
    await app.runJobs();
    expect(await existing(app, icon_url)).toBe(true);

    const elsewhere = 'https://example.com/icon.png';
    expect(await patch({ icon_url: elsewhere })).toMatchObject({ icon_url: elsewhere, icon_source: 'url' });
    await app.runJobs();
    expect(await existing(app, icon_url)).toBe(false);
    expect((await patch({ icon_url: '' })).icon_url).toBeUndefined();
  });

  test.each([
    [ofApp, 'icon_url'],
    [ofOrg, 'avatar_url'],
  ])('%s: of many uploads at once one is shown, and the others do not stay', async (url, field) => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, get, token } = await world(app);
    const answers = await atOnce(app, [
      ...Array.from({ length: 3 }, () => () => upload(url, image)),
      () => app.call('PATCH', url, { token, body: { display_name: 'meanwhile' } }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const shown = (await get(url))[field];
    await app.runJobs();
    const left = [];
    for (const answer of answers.slice(0, 3)) {
      if (await existing(app, answer.json()[field])) left.push(answer.json()[field]);
    }
    expect(left).toEqual([shown]);
  });

  test('an image whose upload ended half-way is gone after an hour, and can no longer be referred to', async () => {
    const app = await testApp(dialect);
    const { ada } = await world(app);
    const stored = await storeAvatar(app.as(ada), { type: 'image/png', bytes: png(1, 1) });
    await app.runJobs();
    expect(await existing(app, stored.path)).toBe(true);
    app.advance(HOUR);
    await app.runJobs();
    expect(await existing(app, stored.path)).toBe(false);
    const keep = app.database.transaction((db) => keepAvatar({ ...app.as(ada), db }, stored));
    await expect(keep).rejects.toThrow('Storing the avatar took too long; send it again.');
  });

  test('an upload for an app that is deleted meanwhile leaves nothing for long', async () => {
    const app = await testApp(dialect);
    const { upload, token, jobs } = await world(app);
    const { put } = app.deps.blobs;
    app.deps.blobs.put = async (...args) => {
      await app.call('DELETE', ofApp, { token });
      return put(...args);
    };
    expect((await upload(ofApp, image)).statusCode).toBe(404);
    const key = JSON.parse((await jobs())[0]?.payload ?? '{}').key;
    expect(await app.deps.blobs.stat(key)).toBeDefined();
    app.advance(HOUR);
    await app.runJobs();
    expect(await app.deps.blobs.stat(key)).toBeUndefined();
  });

  test('what is not the address of an avatar is not found, and never looked for elsewhere', async () => {
    const app = await testApp(dialect);
    for (const name of ['x', `${'a'.repeat(32)}.png`, `${'a'.repeat(32)}.svg`, '..%2Fmooring.db', '%2e%2e']) {
      const answer = await app.call('GET', `/avatars/${name}`);
      expect([name, answer.statusCode, answer.headers['cache-control']]).toEqual([name, 404, 'no-store']);
    }
  });

  test('who may not change the app or the organization may not change its avatar', async () => {
    const app = await testApp(dialect);
    const { upload } = await world(app);
    await upload(ofApp, image);
    const grace = await app.addUser('grace');
    const token = await app.userToken(grace);
    const { type, body } = formOf(image);
    const attempt = async (method: string, url: string) =>
      (await app.call(method, `${url}/avatar`, { token, body, headers: { 'content-type': type } })).statusCode;
    expect([await attempt('POST', ofApp), await attempt('POST', ofOrg)]).toEqual([404, 404]);
  });
});
