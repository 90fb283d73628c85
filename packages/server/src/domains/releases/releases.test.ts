import { buffer } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { png } from '../../../../../tools/samples/images.ts';
import { createApk, createIpa } from '../../../../../tools/samples/packages.ts';
import { createZip } from '../../../../../tools/samples/zips.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { countQueries } from '../../../test/harness/queries.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { sendFile } from '../../../test/harness/symbols.ts';
import { systemCtx } from '../../context.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import { androidHash } from './packages/android/apk.ts';
import { sweepReleases } from './releases.ts';

const publicUrl = 'https://mooring.example.com';
const B = '/v0.1/apps/ada/compass';
const octets = { 'content-type': 'application/octet-stream' };

async function createFixtures(app: TestApp) {
  const ada = await app.addUser('ada');
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const grace = await app.addUser('grace');
  const call = (method: string, url: string, body?: unknown) => app.call(method, url, { token, body });
  const put = (bytes: Buffer, query: string, headers: Record<string, string> = {}) =>
    app.call('PUT', `${B}/releases/uploads?${query}`, { token, body: bytes, headers: { ...octets, ...headers } });
  /** Uploads a package and waits until it is read. */
  const upload = async (bytes: Buffer, query = 'file_name=app.apk') => {
    const { id } = (await put(bytes, query)).json();
    await app.runJobs();
    return (await call('GET', `${B}/uploads/releases/${id}`)).json();
  };
  const group = async (name: string, change: object = {}, members: string[] = []) => {
    const { id } = (await call('POST', `${B}/distribution_groups`, { name })).json();
    await call('PATCH', `${B}/distribution_groups/${name}`, change);
    for (const email of members)
      await call('POST', `${B}/distribution_groups/${name}/members`, { user_emails: [email] });
    return id as string;
  };
  return { ada, grace, compass, token, call, put, upload, group };
}

const listBlobKeys = (app: TestApp) => Array.fromAsync(app.deps.blobs.list());

eachDatabase('a release', (dialect) => {
  test('keeps both of two concurrent changes', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await createFixtures(app);
    await upload(createApk());
    const change = (body: object) => async () => (await call('PUT', `${B}/releases/1`, body)).statusCode;
    expect(await atOnce(app, [change({ release_notes: 'New' }), change({ enabled: false })])).toEqual([200, 200]);
    expect((await call('GET', `${B}/releases/1`)).json()).toMatchObject({ release_notes: 'New', enabled: false });
  });

  test('imported from another server keeps its upload time, which only managers can set, within limits', async () => {
    const app = await testApp(dialect);
    const { call, upload, compass, grace } = await createFixtures(app);
    await upload(createApk());
    await app.addMember(compass, grace, 'developer');
    const developer = await app.userToken(grace);
    const uploaded_at = '2024-03-02T01:00:00.000Z';
    expect((await call('PUT', `${B}/releases/1`, { uploaded_at })).statusCode).toBe(200);
    const future = new Date(app.deps.clock.now() + 1000).toISOString();
    for (const [time, reason] of [
      [future, 'is in the future'],
      ['2007-12-31T00:00:00Z', 'is before 2008'],
    ] as const) {
      const response = await call('PUT', `${B}/releases/1`, { uploaded_at: time });
      expect([response.statusCode, response.json().message]).toEqual([400, expect.stringContaining(reason)]);
    }
    const refused = await app.call('PUT', `${B}/releases/1`, {
      token: developer,
      body: { uploaded_at, enabled: false },
    });
    expect([refused.statusCode, refused.json().message]).toEqual([403, expect.stringContaining('manager permission')]);
    expect((await call('GET', `${B}/releases/1`)).json()).toMatchObject({ uploaded_at, enabled: true });
  });

  test('whose file cannot be deleted is withdrawn, reports that, and its file is deleted later', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await createFixtures(app);
    await upload(createApk());
    const [key = ''] = (await listBlobKeys(app)).filter((one) => one.startsWith('uploads/'));
    vi.spyOn(app.deps.blobs, 'delete').mockRejectedValueOnce(unavailable('The store of files is away.'));
    const response = await call('DELETE', `${B}/releases/1`);
    expect([response.statusCode, response.json().code]).toEqual([409, 'partially_deleted']);
    expect((await call('GET', `${B}/releases/1`)).statusCode).toBe(404);
    expect(await listBlobKeys(app)).toContain(key);
    await app.runJobs();
    expect(await listBlobKeys(app)).not.toContain(key);
  });

  test.each([
    ['uploadFinished', 'uploadCanceled'],
    ['uploadCanceled', 'uploadFinished'],
  ])('whose upload is concurrently %s and %s gets the state of the first', async (first, second) => {
    const app = await testApp(dialect, { publicUrl });
    const { call } = await createFixtures(app);
    const { id, token } = (await call('POST', `${B}/uploads/releases`, {})).json();
    await sendFile(app, `${publicUrl}/upload/${id}?token=${token}`, createApk());
    const become = (upload_status: string) => async () =>
      (await call('PATCH', `${B}/uploads/releases/${id}`, { upload_status })).statusCode;
    expect(await atOnce(app, [become(first), become(second)])).toEqual([200, 409]);
  });

  test('responds to older clients with the release or the reason for failure', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call } = await createFixtures(app);
    const commit = async (bytes: Buffer) => {
      const { upload_id, upload_url } = (await call('POST', `${B}/release_uploads`, {})).json();
      const field = '--xyz\r\ncontent-disposition: form-data; name="ipa"; filename="app.apk"\r\n\r\n';
      await app.call('POST', upload_url.slice(publicUrl.length), {
        headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
        body: Buffer.concat([Buffer.from(field), bytes, Buffer.from('\r\n--xyz--\r\n')]),
      });
      const response = await call('PATCH', `${B}/release_uploads/${upload_id}`, { status: 'committed' });
      return [response.statusCode, response.json()];
    };
    expect(await commit(createApk())).toEqual([
      200,
      { release_id: 1, release_url: 'v0.1/apps/ada/compass/releases/1' },
    ]);
    expect((await call('GET', `${B}/releases/1`)).json()).toMatchObject({ short_version: '1.4.0' });
    expect(await commit(Buffer.from('x'))).toMatchObject([400, { message: /./ }]);
  });

  test('is created from an uploaded package, with its metadata, and can be downloaded', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload } = await createFixtures(app);
    const bytes = createApk({ icon: png(48, 48) });
    expect(await upload(bytes, 'file_name=..%2Fneedle%201.4.apk')).toMatchObject({
      upload_status: 'readyToBePublished',
      release_distinct_id: 1,
      release_url: 'v0.1/apps/ada/compass/releases/1',
    });
    const release = (await call('GET', `${B}/releases/1`)).json();
    expect(release).toMatchObject({
      id: 1,
      version: '140',
      short_version: '1.4.0',
      bundle_identifier: 'com.example.compass',
      android_min_api_level: '26',
      min_os: '8.0',
      size: bytes.length,
      package_hashes: [androidHash('com.example.compass', '1.4.0', '140')],
      app_icon_url: expect.stringMatching(/\/avatars\/\w{32}\.png$/),
      fileExtension: 'apk',
      status: 'available',
      enabled: true,
      download_count: 0,
    });
    expect(release.download_url).toMatch(/^https:\/\/mooring\.example\.com\/files\/.*\/needle%201\.4\.apk$/);
    expect(release.install_url).toBe(release.download_url);
    const path = release.download_url.slice(publicUrl.length);
    const file = await app.call('GET', path);
    expect([file.statusCode, file.rawPayload.equals(bytes), file.headers['content-type']]).toEqual([
      200,
      true,
      'application/vnd.android.package-archive',
    ]);
    const part = await app.call('GET', path, {
      headers: { range: 'bytes=4-9', 'if-range': String(file.headers.etag) },
    });
    expect([part.statusCode, part.rawPayload.equals(bytes.subarray(4, 10)), part.headers['content-range']]).toEqual([
      206,
      true,
      `bytes 4-9/${bytes.length}`,
    ]);
    const head = await app.call('HEAD', path);
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(bytes.length), '']);
    await expect.poll(async () => (await call('GET', `${B}/releases/1`)).json().download_count).toBe(1);
    app.advance(25 * HOUR);
    expect((await app.call('GET', path)).statusCode).toBe(404);
    expect(await app.logged()).not.toContain(path.split('/')[2]);
  });

  test('has a number in its app, and is deleted with its file', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await createFixtures(app);
    await upload(createApk({ icon: png(8, 8) }));
    await upload(createApk({ version: 141 }));
    expect((await call('GET', `${B}/releases`)).json().map(({ id }: { id: number }) => id)).toEqual([2, 1]);
    for (const id of [1, 2]) expect((await call('DELETE', `${B}/releases/${id}`)).statusCode).toBe(200);
    expect((await call('DELETE', `${B}/releases/2`)).json()).toMatchObject({ code: 'not_found' });
    await app.runJobs();
    // The icon of the first package became that of the app.
    expect(await listBlobKeys(app)).toEqual([expect.stringMatching(/^avatars\//)]);
    await upload(createApk());
    expect((await call('GET', `${B}/releases`)).json()).toMatchObject([{ id: 3 }]);
  });

  test.each<[string, Buffer, string, RegExp]>([
    ['of another system', createIpa(), 'file_name=app.ipa', /"app.ipa" is not a package for Android/],
    ['that is none', Buffer.from('x'), 'file_name=app.apk', /Invalid archive/],
    ['without a manifest', createZip([{ path: 'a' }]), 'file_name=app.apk', /no AndroidManifest.xml/],
  ])(
    'is not created from a file %s: reports the reason and leaves nothing behind',
    async (_, bytes, query, message) => {
      const app = await testApp(dialect);
      const { call, upload } = await createFixtures(app);
      const result = await upload(bytes, query);
      expect(result).toMatchObject({ upload_status: 'error', error_details: expect.stringMatching(message) });
      expect(await listBlobKeys(app)).toEqual([]);
      expect((await call('GET', `${B}/releases`)).json()).toEqual([]);
    },
  );

  test('is visible only to members of its groups and to individual testers', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, grace, compass } = await createFixtures(app);
    const stranger = await app.userToken(await app.addUser('stranger'));
    const linus = await app.addUser('linus');
    await app.addMember(compass, grace, 'tester');
    await app.addMember(compass, linus, 'tester');
    const [tester, other] = [await app.userToken(grace), await app.userToken(linus)];
    await upload(createApk());
    await upload(createApk({ version: 141 }));
    const id = await group('Crew', {}, ['grace@example.com']);
    const distributed = await call('POST', `${B}/releases/1/groups`, { id, mandatory_update: true });
    expect([distributed.statusCode, distributed.json()]).toEqual([201, { id, mandatory_update: true }]);
    const seen = async (token: string) => {
      const list = await app.call('GET', `${B}/releases`, { token });
      return list.statusCode === 200 ? list.json().map((one: { id: number }) => one.id) : list.statusCode;
    };
    expect(await Promise.all([tester, other, stranger].map(seen))).toEqual([[1], [], 404]);
    const latest = await app.call('GET', `${B}/releases/latest`, { token: tester });
    expect(latest.json()).toMatchObject({ id: 1, mandatory_update: true, distribution_group_id: id, is_latest: true });
    expect((await app.call('GET', `${B}/releases/latest`, { token: other })).json()).toMatchObject({
      code: 'no_releases_for_user',
    });
    expect((await app.call('GET', `${B}/releases/2`, { token: tester })).json()).toMatchObject({ code: 'not_found' });
    expect((await call('POST', `${B}/releases/2/testers`, { email: 'nobody@example.com' })).statusCode).toBe(400);
    expect((await call('POST', `${B}/releases/2/testers`, { email: 'Linus@example.com' })).statusCode).toBe(201);
    expect(await Promise.all([tester, other].map(seen))).toEqual([[1], [2]]);
    expect((await app.call('GET', '/v0.1/tester/apps', { token: other })).json()).toMatchObject([
      { name: 'compass', release: { id: 2 } },
    ]);
    // Testers do not see each other, or disabled releases.
    await call('POST', `${B}/releases/2/groups`, { id });
    const shown = (await app.call('GET', `${B}/releases/2`, { token: tester })).json();
    expect(shown.destinations.map((one: { name: string }) => one.name)).toEqual(['Crew']);
    await call('PUT', `${B}/releases/2`, { enabled: false });
    expect(await Promise.all([tester, other].map(seen))).toEqual([[1], []]);
    await call('DELETE', `${B}/releases/1/groups/${id}`);
    expect(await seen(tester)).toEqual([]);
    expect((await call('DELETE', `${B}/releases/1/groups/${id}`)).statusCode).toBe(404);
  });

  test('is mandatory for individual destinations, and testers see only their groups', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, grace, compass } = await createFixtures(app);
    await app.addMember(compass, grace, 'tester');
    await upload(createApk());
    const [vips, crew] = [await group('Admirals'), await group('Crew', {}, ['grace@example.com'])];
    await call('POST', `${B}/releases/1/groups`, { id: vips, mandatory_update: true });
    await call('POST', `${B}/releases/1/groups`, { id: crew });
    const token = await app.userToken(grace);
    const get = async (url: string) => app.call('GET', url, { token });
    for (const path of ['1', 'latest']) {
      const seen = (await get(`${B}/releases/${path}`)).json();
      expect(seen).toMatchObject({ mandatory_update: false, distribution_group_id: crew });
    }
    const [apps] = (await get('/v0.1/tester/apps')).json();
    expect(apps.release.mandatory_update).toBe(false);
    for (const url of [`${B}/releases/1`, `${B}/releases`, `${B}/recent_releases`])
      expect((await get(url)).body).not.toContain('Admirals');
    expect((await call('GET', `${B}/releases/1`)).body).toContain('Admirals');
  });

  test('in a shared group reaches its members, as long as the app is in the group', async () => {
    const app = await testApp(dialect);
    const { ada, grace, call, token } = await createFixtures(app);
    const fleet = await app.addOrg(ada, 'fleet');
    await app.addToOrg(fleet, grace, 'member');
    const shared = '/v0.1/orgs/fleet/distribution_groups';
    const { id } = (await call('POST', shared, { name: 'Crew' })).json();
    await call('POST', `${shared}/Crew/members`, { user_emails: ['grace@example.com'] });
    const statuses: number[] = [];
    for (const name of ['gig', 'punt', 'yawl']) {
      await app.addOrgApp(fleet, ada, name);
      if (name !== 'punt') await call('POST', `${shared}/Crew/apps`, { apps: [{ name }] });
      const home = `/v0.1/apps/fleet/${name}/releases`;
      await app.call('PUT', `${home}/uploads?file_name=app.apk`, { token, body: createApk(), headers: octets });
      await app.runJobs();
      statuses.push((await call('POST', `${home}/1/groups`, { id })).statusCode);
    }
    expect(statuses).toEqual([201, 404, 201]);
    const tester = await app.userToken(grace);
    const had = async () => {
      const apps = (await app.call('GET', '/v0.1/tester/apps', { token: tester })).json();
      return apps.map((one: { name: string; release: { id: number } }) => [one.name, one.release.id]);
    };
    expect(await had()).toEqual([
      ['gig', 1],
      ['yawl', 1],
    ]);
    await call('POST', `${shared}/Crew/apps/bulk_delete`, { apps: [{ name: 'gig' }] });
    expect(await had()).toEqual([['yawl', 1]]);
    expect((await app.call('GET', '/v0.1/apps/fleet/gig/releases/1', { token: tester })).statusCode).toBe(404);
  });

  test('is listed with the same number of queries for any number of apps', async () => {
    const app = await testApp(dialect);
    const { ada, grace, compass, call, token } = await createFixtures(app);
    const tester = await app.userToken(grace);
    const list = () => app.call('GET', '/v0.1/tester/apps', { token: tester });
    expect((await list()).json()).toEqual([]);
    const distribute = async (name: string, isMandatory: boolean) => {
      const home = `/v0.1/apps/ada/${name}`;
      await app.addMember(name === 'compass' ? compass : await app.addApp(ada, name), grace, 'tester');
      await app.call('PUT', `${home}/releases/uploads?file_name=app.apk`, {
        token,
        body: createApk(),
        headers: octets,
      });
      await app.runJobs();
      const groups = `${home}/distribution_groups`;
      for (const group of ['Crew', 'Guests']) {
        const { id } = (await call('POST', groups, { name: group })).json();
        await call('POST', `${groups}/${group}/members`, { user_emails: ['grace@example.com'] });
        const mandatory_update = isMandatory && group === 'Guests';
        await call('POST', `${home}/releases/1/groups`, { id, mandatory_update });
      }
    };
    await distribute('compass', false);
    const one = await countQueries(app, list);
    await distribute('buoy', true);
    await distribute('anchor', false);
    expect(await countQueries(app, list)).toBe(one);
    const { id, owner } = (await call('GET', '/v0.1/apps/ada/buoy')).json();
    expect((await list()).json()).toEqual([
      expect.objectContaining({ name: 'anchor' }),
      {
        id,
        name: 'buoy',
        display_name: 'buoy',
        os: 'Android',
        owner: { id: owner.id, name: 'ada', display_name: owner.display_name, type: 'user' },
        release: {
          id: 1,
          version: '140',
          origin: 'appcenter',
          short_version: '1.4.0',
          enabled: true,
          uploaded_at: expect.stringContaining('T'),
          is_external_build: false,
          mandatory_update: true,
          size: createApk().length,
          install_url: expect.stringContaining('app.apk'),
        },
      },
      expect.objectContaining({ name: 'compass', release: expect.objectContaining({ mandatory_update: false }) }),
    ]);
  });

  test('notifies its testers by email unless notifications are off', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, grace, compass } = await createFixtures(app);
    await app.addMember(compass, grace, 'tester');
    await upload(createApk());
    await call('PUT', `${B}/releases/1`, { release_notes: 'Faster\nhttps://evil.example.com/install' });
    const id = await group('Crew', {}, ['grace@example.com']);
    const mails = async () => {
      app.advance(MINUTE);
      await app.runJobs();
      return app.database.query((q) => q.selectFrom('mails').select(['to', 'subject', 'text']).orderBy('id'));
    };
    await call('POST', `${B}/releases/1/groups`, { id, notify_testers: false });
    expect(await mails()).toEqual([]);
    await call('POST', `${B}/releases/1/groups`, { id });
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: 'grace@example.com', subject: 'compass 1.4.0 is ready to test' });
    expect(mail?.text).toMatch(/Faster[\s\S]*https:\/\/mooring\.example\.com\/install\/links\//);
    expect(mail?.text).not.toContain('evil');
    await call('POST', `${B}/releases/1/testers`, { email: 'grace@example.com' });
    expect(await mails()).toHaveLength(2);
    await call('PUT', `${B}/releases/1`, { enabled: false });
    await call('POST', `${B}/releases/1/groups`, { id });
    expect(await mails()).toHaveLength(2);
  });

  test('that is disabled invalidates links to its package, and new ones are for users who still see it', async () => {
    const app = await testApp(dialect);
    const { call, upload, group } = await createFixtures(app);
    await upload(createApk());
    await call('POST', `${B}/releases/1/groups`, { id: await group('Open', { is_public: true }) });
    const path = (url: string) => url.slice(new URL(url).origin.length);
    const latest = (await app.call('GET', `${B}/distribution_groups/Open/releases/latest`)).json();
    const get = async (url: string) => (await app.call('GET', path(url))).statusCode;
    expect(await get(latest.download_url)).toBe(200);
    await call('PUT', `${B}/releases/1`, { enabled: false });
    const seen = (await call('GET', `${B}/releases/1`)).json();
    expect([await get(latest.download_url), await get(seen.download_url)]).toEqual([404, 200]);
    // The range marker is part of the signed URL.
    expect(await get(latest.download_url.replace(/(\/files\/[^/]+)/, '$1.all'))).toBe(404);
    await call('PUT', `${B}/releases/1`, { enabled: true });
    expect(await get(latest.download_url)).toBe(200);
  });

  test('of a public group needs no account, and others do', async () => {
    const app = await testApp(dialect);
    const { call, upload, group } = await createFixtures(app);
    await upload(createApk());
    await upload(createApk({ version: 141 }));
    const [open, closed] = [await group('Open', { is_public: true }), await group('Closed')];
    await call('POST', `${B}/releases/1/groups`, { id: open });
    await call('POST', `${B}/releases/1/groups`, { id: closed });
    await call('POST', `${B}/releases/2/groups`, { id: closed });
    const get = (url: string) => app.call('GET', `${B}/distribution_groups/${url}`);
    const latest = await get('Open/releases/latest');
    expect([latest.statusCode, latest.json().id, latest.json().distribution_groups.length]).toEqual([200, 1, 1]);
    expect((await get('open/releases')).json()).toMatchObject([{ id: 1 }]);
    expect((await get('Open/releases/2')).statusCode).toBe(404);
    expect((await get('Closed/releases/latest')).statusCode).toBe(404);
    expect((await get('None/releases/latest')).statusCode).toBe(404);
    await call('PUT', `${B}/releases/1`, { enabled: false });
    expect((await get('Open/releases/latest')).json()).toMatchObject({ code: 'no_releases_for_user' });
    await call('PUT', `${B}/releases/1`, { enabled: true });
    await call('PATCH', `${B}/distribution_groups/Open`, { is_public: false });
    expect((await get('Open/releases/latest')).statusCode).toBe(404);
  });

  test('of a renamed group is not found under the old name, even if cached', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, token } = await createFixtures(app);
    await upload(createApk());
    await call('POST', `${B}/releases/1/groups`, { id: await group('Crew') });
    const get = async (name: string) =>
      (await app.call('GET', `${B}/distribution_groups/${name}/releases/latest`, { token })).statusCode;
    expect(await get('Crew')).toBe(200);
    await call('PATCH', `${B}/distribution_groups/Crew`, { name: 'Divers' });
    expect([await get('Crew'), await get('Divers')]).toEqual([404, 200]);
  });

  test('can only be changed by developers of the app, and every change is audited', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, grace, compass } = await createFixtures(app);
    await upload(createApk());
    const id = await group('Crew');
    await app.addMember(compass, grace, 'viewer');
    const token = await app.userToken(grace);
    for (const [method, url, body] of [
      ['PUT', '/releases/1', { enabled: false }],
      ['PATCH', '/releases/1', {}],
      ['DELETE', '/releases/1', undefined],
      ['POST', '/releases/1/groups', { id }],
      ['POST', '/uploads/releases', {}],
    ] as const) {
      expect([method, url, (await app.call(method, B + url, { token, body })).statusCode]).toEqual([method, url, 403]);
    }
    const patched = await call('PATCH', `${B}/releases/1`, {
      destinations: [{ name: 'crew' }],
      release_notes: 'Hello',
      build: { branch_name: 'main' },
      metadata: { ed_signature: 'abc=' },
    });
    expect(patched.json()).toEqual({ release_notes: 'Hello' });
    expect((await call('GET', `${B}/releases/1`)).json()).toMatchObject({
      release_notes: 'Hello',
      build: { branch_name: 'main' },
      distribution_groups: [{ id, name: 'Crew' }],
    });
    expect((await call('PATCH', `${B}/releases/1`, { destinations: [{ name: 'None' }] })).statusCode).toBe(404);
    const refused = async (destination_type: string, destination: object) =>
      (await call('PATCH', `${B}/releases/1`, { destination_type, ...destination })).statusCode;
    expect([
      await refused('store', { destination_name: 'Crew' }),
      await refused('group', { destination_name: 'ada@example.com' }),
      await refused('tester', { destination_name: 'Crew' }),
      await refused('tester', { destination_id: id }),
      await refused('shop', { destination_id: id }),
    ]).toEqual([404, 404, 400, 400, 400]);
    expect((await call('PUT', `${B}/releases/1`, { release_notes: 'x'.repeat(5001) })).statusCode).toBe(400);
    const actions = await app.database.query((q) =>
      q.selectFrom('audit_events').select('action').where('subject_kind', '=', 'release').orderBy('id'),
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'release.upload',
      'release.create',
      'release.update',
      'release.distribute',
    ]);
  });

  test('takes versions from the uploader if the package has none', async () => {
    const app = await testApp(dialect);
    const { call } = await createFixtures(app);
    const token = await app.userToken(await app.addUser('mary'));
    await app.call('POST', '/v0.1/apps', {
      token,
      body: { name: 'tool', display_name: 'Tool', os: 'Windows', platform: 'WPF' },
    });
    const send = async (query: string) => {
      const url = `/v0.1/apps/mary/tool/releases/uploads?file_name=tool.zip${query}`;
      const { id } = (await app.call('PUT', url, { token, body: createZip([{ path: 'a' }]), headers: octets })).json();
      await app.runJobs();
      return (await app.call('GET', `/v0.1/apps/mary/tool/uploads/releases/${id}`, { token })).json();
    };
    expect((await send('')).error_details).toMatch(/Send it as build_version/);
    expect(await send('&build_version=1.0')).toMatchObject({ release_distinct_id: 1 });
    expect((await app.call('GET', '/v0.1/apps/mary/tool/releases/1', { token })).json()).toMatchObject({
      short_version: '1.0',
      version: '1.0',
    });
    expect((await call('GET', '/v0.1/apps/mary/tool/releases/1')).statusCode).toBe(404);
  });

  test('can be uploaded in ranges, with its progress, and again', async () => {
    const app = await testApp(dialect);
    const { put } = await createFixtures(app);
    const bytes = createApk();
    const upload_id = crypto.randomUUID();
    const query = `file_name=app.apk&upload_id=${upload_id}`;
    const total = bytes.length;
    const range = (from: number, to: number) =>
      put(bytes.subarray(from, to), query, { 'content-range': `bytes ${from}-${to - 1}/${total}` });
    expect((await range(0, 300)).json()).toMatchObject({
      id: upload_id,
      upload_status: 'uploadStarted',
      received: 300,
    });
    const status = await put(Buffer.from('{}'), query, { 'content-range': `bytes */${total}` });
    expect(status.json()).toMatchObject({ received: 300, size: total });
    expect((await range(300, total)).json()).toMatchObject({ upload_status: 'uploadFinished', received: total });
    await app.runJobs();
    expect((await range(300, total)).json()).toMatchObject({
      upload_status: 'readyToBePublished',
      release_distinct_id: 1,
    });
    expect((await put(bytes, `file_name=..&upload_id=${crypto.randomUUID()}`)).json().message).toMatch(
      /valid file name/,
    );
  });

  test('is deleted with its app, and so is its file', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await createFixtures(app);
    await upload(createApk({ icon: png(8, 8) }));
    expect((await call('DELETE', B)).statusCode).toBe(204);
    await sweepReleases(systemCtx(app.deps));
    await app.runJobs();
    expect(await listBlobKeys(app)).toEqual([]);
    for (const table of ['releases', 'release_counters', 'release_hashes'] as const) {
      expect(await app.database.query((q) => q.selectFrom(table).select('app_id'))).toEqual([]);
    }
  });

  test('whose file is temporarily unavailable is read later', async () => {
    const app = await testApp(dialect);
    const { put, call } = await createFixtures(app);
    const { id } = (await put(createApk(), 'file_name=app.apk')).json();
    const { get } = app.deps.blobs;
    app.deps.blobs.get = async () => {
      throw unavailable('The file storage is unavailable. Retry in a moment.');
    };
    await app.runJobs();
    expect((await call('GET', `${B}/uploads/releases/${id}`)).json().upload_status).toBe('uploadFinished');
    app.deps.blobs.get = get;
    app.advance(HOUR);
    await app.runJobs();
    expect((await call('GET', `${B}/uploads/releases/${id}`)).json().upload_status).toBe('readyToBePublished');
    const [key = ''] = await listBlobKeys(app);
    const blob = await app.deps.blobs.get(key);
    expect(blob && (await buffer(blob.stream)).equals(createApk())).toBe(true);
  });
});
