import { expect, test } from 'vitest';
import { createForm, type FormPart, gif, jpeg, png, webp } from '../../../../../tools/samples/images.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { HOUR } from '../../kernel/clock.ts';
import { claimAvatar, storeAvatar } from './avatars.ts';

const ofApp = '/v0.1/apps/ada/compass';
const ofOrg = '/v0.1/orgs/lighthouse';
const image: FormPart = { fileName: 'a.png', type: 'image/png', content: png(2, 2) };

async function createFixtures(app: TestApp) {
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
    upload: (url: string, ...parts: FormPart[]) => send(url, createForm(...parts)),
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
const toPath = (address: string): string => address.replace(publicUrl, '');
const existing = async (app: TestApp, address: string): Promise<boolean> =>
  (await app.deps.blobs.stat(toPath(address).slice(1))) !== undefined;

eachDatabase('avatars', (dialect) => {
  test.each([
    [ofApp, 'icon_url'],
    [ofOrg, 'avatar_url'],
  ])('of %s are shown at a public URL whose content never changes', async (url, field) => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, get, jobs } = await createFixtures(app);
    const response = await upload(url, image);
    expect([response.statusCode, response.json()[field]]).toEqual([
      200,
      expect.stringMatching(/^https:\/\/mooring\.example\.com\/avatars\/[0-9A-Za-z]{32}\.png$/),
    ]);
    const address = response.json()[field];
    expect((await get(url))[field]).toBe(address);
    expect(await jobs()).toEqual([]);

    const served = await app.call('GET', toPath(address));
    expect([served.statusCode, served.rawPayload.equals(png(2, 2))]).toEqual([200, true]);
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png(2, 2).length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const head = await app.call('HEAD', toPath(address));
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(png(2, 2).length), '']);
  });

  test('of organizations are shown wherever apps and owners are listed', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { ada, upload, get } = await createFixtures(app);
    const org = { id: (await get(ofOrg)).id, name: 'lighthouse', displayName: 'lighthouse' };
    await app.addOrgApp({ ...org, avatarUrl: undefined, createdAt: 0, updatedAt: 0 }, ada, 'buoy');
    const { avatar_url } = (await upload(ofOrg, image)).json();
    expect((await get('/v0.1/apps/lighthouse/buoy')).owner.avatar_url).toBe(avatar_url);
    expect((await get('/v0.1/orgs/lighthouse/apps'))[0].owner.avatar_url).toBe(avatar_url);
    expect((await get('/v0.1/administeredOrgs')).organizations[0].avatar_url).toBe(avatar_url);
  });

  test('have the type of their content if the client sends none', async () => {
    const app = await testApp(dialect);
    const { upload } = await createFixtures(app);
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
      const response = await upload(ofApp, { fileName: 'image', type, content });
      expect([type, response.statusCode, response.json().icon_source]).toEqual([type, 200, 'uploaded']);
      const { pathname } = new URL(response.json().icon_url);
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
      'The avatar was sent as image/jpeg, but its content is image/png. Send the matching content type.',
    ],
    [
      'an image that claims to be a page',
      [{ ...image, type: 'text/html' }],
      400,
      'The avatar was sent as text/html, but its content is image/png. Send the matching content type.',
    ],
    [
      'an image that is too wide',
      [{ ...image, content: png(4097, 1) }],
      400,
      'The avatar has 4097 × 1 pixels (max 4096 × 4096). Send a smaller image.',
    ],
    [
      'a file that is too large',
      [{ ...image, content: Buffer.concat([png(1, 1), Buffer.alloc(1_048_576)]) }],
      413,
      'The file exceeds the limit of 1048576 bytes.',
    ],
    [
      'a form that is much too large',
      [{ ...image, content: Buffer.alloc(1_200_000) }],
      413,
      'The file exceeds the limit of 1048576 bytes.',
    ],
    ['two files', [image, image], 400, 'The form must contain exactly one file, in the field "avatar".'],
    [
      'a file in another field',
      [{ ...image, field: 'icon' }],
      400,
      'The form must contain exactly one file, in the field "avatar".',
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
      expect.stringMatching(/^The form is invalid: /),
    ],
  ];
  test('with invalid content or size are rejected, and nothing is stored', async () => {
    const app = await testApp(dialect);
    const { upload, get, jobs, actions } = await createFixtures(app);
    const before = await actions();
    for (const [what, parts, status, message] of refusals) {
      const response = await upload(ofApp, ...parts);
      expect([what, response.statusCode, response.json().error.message]).toEqual([what, status, message]);
    }
    expect((await get(ofApp)).icon_url).toBeUndefined();
    expect(await jobs()).toEqual([]);
    expect(await actions()).toEqual(before);
  });

  test('may have exactly the maximum size', async () => {
    const app = await testApp(dialect);
    const content = Buffer.concat([png(1, 1), Buffer.alloc(1_048_576 - png(1, 1).length)]);
    expect((await (await createFixtures(app)).upload(ofApp, { ...image, content })).statusCode).toBe(200);
  });

  test('are uploaded as one complete form, on these endpoints only', async () => {
    const app = await testApp(dialect);
    const { send, token } = await createFixtures(app);
    const { type, body } = createForm(image);
    const json = await send(ofApp, { type: 'application/json', body: '{"avatar":"x"}' });
    expect([json.statusCode, json.json().error.message]).toEqual([
      415,
      'The body must be multipart/form-data, with a file in the field "avatar".',
    ]);
    for (const cut of [40, body.length - 30]) {
      const response = await send(ofApp, { type, body: body.subarray(0, cut) });
      expect([response.statusCode, response.json().error.code]).toEqual([400, 'BadRequest']);
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
  ])('of %s are replaced and removed; each change is recorded', async (url, field, kind) => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, remove, get, actions } = await createFixtures(app);
    const first = (await upload(url, image)).json()[field];
    const second = (await upload(url, image)).json()[field];
    expect(second).not.toBe(first);
    expect([await existing(app, first), await existing(app, second)]).toEqual([true, true]);
    await app.runJobs();
    expect([await existing(app, first), await existing(app, second)]).toEqual([false, true]);
    expect((await app.call('GET', toPath(first))).statusCode).toBe(404);

    const removed = await remove(url);
    expect([removed.statusCode, removed.json()[field]]).toEqual([200, undefined]);
    expect((await get(url))[field]).toBeUndefined();
    await app.runJobs();
    expect(await existing(app, second)).toBe(false);
    expect((await remove(url)).statusCode).toBe(200);
    expect((await actions()).slice(-3)).toEqual([`${kind}.set_avatar`, `${kind}.set_avatar`, `${kind}.delete_avatar`]);
  });

  test('are deleted with their owner', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, token } = await createFixtures(app);
    const images = [(await upload(ofApp, image)).json().icon_url, (await upload(ofOrg, image)).json().avatar_url];
    for (const url of [ofApp, ofOrg]) expect((await app.call('DELETE', url, { token })).statusCode).toBe(204);
    await app.runJobs();
    for (const address of images) expect(await existing(app, address)).toBe(false);
  });

  test('can be set by URL, which replaces an uploaded one; other changes keep them', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, token } = await createFixtures(app);
    const patch = async (body: object) => (await app.call('PATCH', ofApp, { token, body })).json();
    const { icon_url } = (await upload(ofApp, image)).json();
    expect(await patch({ description: 'Finds north.' })).toMatchObject({ icon_url });
    // Clients that read an app, change a field and send everything back mean to keep the icon.
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
  ])('of %s: one of several concurrent uploads stays, and the others are deleted', async (url, field) => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, get, token } = await createFixtures(app);
    const responses = await atOnce(app, [
      ...Array.from({ length: 3 }, () => () => upload(url, image)),
      () => app.call('PATCH', url, { token, body: { display_name: 'meanwhile' } }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const shown = (await get(url))[field];
    await app.runJobs();
    const left = [];
    for (const response of responses.slice(0, 3)) {
      if (await existing(app, response.json()[field])) left.push(response.json()[field]);
    }
    expect(left).toEqual([shown]);
  });

  test('of interrupted uploads are deleted after an hour, and cannot be referred to afterwards', async () => {
    const app = await testApp(dialect);
    const { ada } = await createFixtures(app);
    const stored = await storeAvatar(app.as(ada), { type: 'image/png', bytes: png(1, 1) });
    await app.runJobs();
    expect(await existing(app, stored.path)).toBe(true);
    app.advance(HOUR);
    await app.runJobs();
    expect(await existing(app, stored.path)).toBe(false);
    const claim = app.database.transaction((db) => claimAvatar({ ...app.as(ada), db }, stored));
    await expect(claim).rejects.toThrow('Storing the avatar took too long. Upload it again.');
  });

  test('of an app that is deleted during the upload are deleted soon', async () => {
    const app = await testApp(dialect);
    const { upload, token, jobs } = await createFixtures(app);
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

  test('are not found for other names, which are not looked up elsewhere', async () => {
    const app = await testApp(dialect);
    for (const name of ['x', `${'a'.repeat(32)}.png`, `${'a'.repeat(32)}.svg`, '..%2Fmooring.db', '%2e%2e']) {
      const response = await app.call('GET', `/avatars/${name}`);
      expect([name, response.statusCode, response.headers['cache-control']]).toEqual([name, 404, 'no-store']);
    }
  });

  test('are changed only by users who may change the app or organization', async () => {
    const app = await testApp(dialect);
    const { upload } = await createFixtures(app);
    await upload(ofApp, image);
    const grace = await app.addUser('grace');
    const token = await app.userToken(grace);
    const { type, body } = createForm(image);
    const attempt = async (method: string, url: string) =>
      (await app.call(method, `${url}/avatar`, { token, body, headers: { 'content-type': type } })).statusCode;
    expect([await attempt('POST', ofApp), await attempt('POST', ofOrg)]).toEqual([404, 404]);
  });
});
