import { buffer } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { png } from '../../../../../tools/images.ts';
import { apkOf, ipaOf } from '../../../../../tools/packages.ts';
import { zipOf } from '../../../../../tools/zips.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { countQueries } from '../../../test/harness/queries.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { sendFile } from '../../../test/harness/symbols.ts';
import { systemCtx } from '../../context.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import { androidHash } from './packages/apk.ts';
import { sweepReleases } from './releases.ts';

const publicUrl = 'https://mooring.example.com';
const B = '/v0.1/apps/ada/compass';
const octets = { 'content-type': 'application/octet-stream' };

async function world(app: TestApp) {
  const ada = await app.addUser('ada');
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const grace = await app.addUser('grace');
  const call = (method: string, url: string, body?: unknown) => app.call(method, url, { token, body });
  const put = (bytes: Buffer, query: string, headers: Record<string, string> = {}) =>
    app.call('PUT', `${B}/releases/uploads?${query}`, { token, body: bytes, headers: { ...octets, ...headers } });
  /** Uploads a package, and has it read. */
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

const keysOf = (app: TestApp) => Array.fromAsync(app.deps.blobs.list());

eachDatabase('a release', (dialect) => {
  test('keeps both of two changes that are made at once', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await world(app);
    await upload(apkOf());
    const change = (body: object) => async () => (await call('PUT', `${B}/releases/1`, body)).statusCode;
    expect(await atOnce(app, [change({ release_notes: 'New' }), change({ enabled: false })])).toEqual([200, 200]);
    expect((await call('GET', `${B}/releases/1`)).json()).toMatchObject({ release_notes: 'New', enabled: false });
  });

  test('of another server keeps the time of its upload, which only managers can state, within reason', async () => {
    const app = await testApp(dialect);
    const { call, upload, compass, grace } = await world(app);
    await upload(apkOf());
    await app.addMember(compass, grace, 'developer');
    const developer = await app.userToken(grace);
    const uploaded_at = '2024-03-02T01:00:00.000Z';
    expect((await call('PUT', `${B}/releases/1`, { uploaded_at })).statusCode).toBe(200);
    const future = new Date(app.deps.clock.now() + 1000).toISOString();
    for (const [time, reason] of [
      [future, 'is in the future'],
      ['2007-12-31T00:00:00Z', 'is before 2008'],
    ] as const) {
      const answer = await call('PUT', `${B}/releases/1`, { uploaded_at: time });
      expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringContaining(reason)]);
    }
    const refused = await app.call('PUT', `${B}/releases/1`, {
      token: developer,
      body: { uploaded_at, enabled: false },
    });
    expect([refused.statusCode, refused.json().message]).toEqual([403, expect.stringContaining('manager permission')]);
    expect((await call('GET', `${B}/releases/1`)).json()).toMatchObject({ uploaded_at, enabled: true });
  });

  test('whose file cannot be deleted is gone for everybody, says so, and its file goes later', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await world(app);
    await upload(apkOf());
    const [key = ''] = (await keysOf(app)).filter((one) => one.startsWith('uploads/'));
    vi.spyOn(app.deps.blobs, 'delete').mockRejectedValueOnce(unavailable('The store of files is away.'));
    const answer = await call('DELETE', `${B}/releases/1`);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'partially_deleted']);
    expect((await call('GET', `${B}/releases/1`)).statusCode).toBe(404);
    expect(await keysOf(app)).toContain(key);
    await app.runJobs();
    expect(await keysOf(app)).not.toContain(key);
  });

  test.each([
    ['uploadFinished', 'uploadCanceled'],
    ['uploadCanceled', 'uploadFinished'],
  ])('of an upload that is %s and %s at once is what came first', async (first, second) => {
    const app = await testApp(dialect, { publicUrl });
    const { call } = await world(app);
    const { id, token } = (await call('POST', `${B}/uploads/releases`, {})).json();
    await sendFile(app, `${publicUrl}/upload/${id}?token=${token}`, apkOf());
    const become = (upload_status: string) => async () =>
      (await call('PATCH', `${B}/uploads/releases/${id}`, { upload_status })).statusCode;
    expect(await atOnce(app, [become(first), become(second)])).toEqual([200, 409]);
  });

  test('is told at once to clients of the older form, or why there is none', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call } = await world(app);
    const commit = async (bytes: Buffer) => {
      const { upload_id, upload_url } = (await call('POST', `${B}/release_uploads`, {})).json();
      const field = '--xyz\r\ncontent-disposition: form-data; name="ipa"; filename="app.apk"\r\n\r\n';
      await app.call('POST', upload_url.slice(publicUrl.length), {
        headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
        body: Buffer.concat([Buffer.from(field), bytes, Buffer.from('\r\n--xyz--\r\n')]),
      });
      const answer = await call('PATCH', `${B}/release_uploads/${upload_id}`, { status: 'committed' });
      return [answer.statusCode, answer.json()];
    };
    expect(await commit(apkOf())).toEqual([200, { release_id: 1, release_url: 'v0.1/apps/ada/compass/releases/1' }]);
    expect((await call('GET', `${B}/releases/1`)).json()).toMatchObject({ short_version: '1.4.0' });
    expect(await commit(Buffer.from('x'))).toMatchObject([400, { message: /./ }]);
  });

  test('comes from an uploaded package, with what that says of itself, and can be downloaded', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload } = await world(app);
    const bytes = apkOf({ icon: png(48, 48) });
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

  test('is numbered by its app, and its file goes with it', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await world(app);
    await upload(apkOf({ icon: png(8, 8) }));
    await upload(apkOf({ version: 141 }));
    expect((await call('GET', `${B}/releases`)).json().map(({ id }: { id: number }) => id)).toEqual([2, 1]);
    for (const id of [1, 2]) expect((await call('DELETE', `${B}/releases/${id}`)).statusCode).toBe(200);
    expect((await call('DELETE', `${B}/releases/2`)).json()).toMatchObject({ code: 'not_found' });
    await app.runJobs();
    expect(await keysOf(app)).toEqual([]);
    await upload(apkOf());
    expect((await call('GET', `${B}/releases`)).json()).toMatchObject([{ id: 3 }]);
  });

  test.each<[string, Buffer, string, RegExp]>([
    ['of another system', ipaOf(), 'file_name=app.ipa', /"app.ipa" is no package for Android/],
    ['that is none', Buffer.from('x'), 'file_name=app.apk', /archive cannot be read/],
    ['without a manifest', zipOf([{ path: 'a' }]), 'file_name=app.apk', /no AndroidManifest.xml/],
  ])('is not made of a file %s: its sender is told why, and nothing is left behind', async (_, bytes, query, words) => {
    const app = await testApp(dialect);
    const { call, upload } = await world(app);
    const result = await upload(bytes, query);
    expect(result).toMatchObject({ upload_status: 'error', error_details: expect.stringMatching(words) });
    expect(await keysOf(app)).toEqual([]);
    expect((await call('GET', `${B}/releases`)).json()).toEqual([]);
  });

  test('goes to the members of its groups and to single testers, and to nobody else', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, grace, compass } = await world(app);
    const stranger = await app.userToken(await app.addUser('stranger'));
    const linus = await app.addUser('linus');
    await app.addMember(compass, grace, 'tester');
    await app.addMember(compass, linus, 'tester');
    const [tester, other] = [await app.userToken(grace), await app.userToken(linus)];
    await upload(apkOf());
    await upload(apkOf({ version: 141 }));
    const id = await group('Crew', {}, ['grace@example.com']);
    const given = await call('POST', `${B}/releases/1/groups`, { id, mandatory_update: true });
    expect([given.statusCode, given.json()]).toEqual([201, { id, mandatory_update: true }]);
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
    // Testers are not told of each other, and of what is disabled they know nothing.
    await call('POST', `${B}/releases/2/groups`, { id });
    const shown = (await app.call('GET', `${B}/releases/2`, { token: tester })).json();
    expect(shown.destinations.map((one: { name: string }) => one.name)).toEqual(['Crew']);
    await call('PUT', `${B}/releases/2`, { enabled: false });
    expect(await Promise.all([tester, other].map(seen))).toEqual([[1], []]);
    await call('DELETE', `${B}/releases/1/groups/${id}`);
    expect(await seen(tester)).toEqual([]);
    expect((await call('DELETE', `${B}/releases/1/groups/${id}`)).statusCode).toBe(404);
  });

  test('is mandatory for whom it was made so, and its testers hear of no group but theirs', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, grace, compass } = await world(app);
    await app.addMember(compass, grace, 'tester');
    await upload(apkOf());
    const [vips, crew] = [await group('Admirals'), await group('Crew', {}, ['grace@example.com'])];
    await call('POST', `${B}/releases/1/groups`, { id: vips, mandatory_update: true });
    await call('POST', `${B}/releases/1/groups`, { id: crew });
    const token = await app.userToken(grace);
    const ask = async (url: string) => app.call('GET', url, { token });
    for (const path of ['1', 'latest']) {
      const seen = (await ask(`${B}/releases/${path}`)).json();
      expect(seen).toMatchObject({ mandatory_update: false, distribution_group_id: crew });
    }
    const [apps] = (await ask('/v0.1/tester/apps')).json();
    expect(apps.release.mandatory_update).toBe(false);
    for (const url of [`${B}/releases/1`, `${B}/releases`, `${B}/recent_releases`])
      expect((await ask(url)).body).not.toContain('Admirals');
    expect((await call('GET', `${B}/releases/1`)).body).toContain('Admirals');
  });

  test('of every app in a group that an organization shares goes to its members, while the app is in it', async () => {
    const app = await testApp(dialect);
    const { ada, grace, call, token } = await world(app);
    const fleet = await app.addOrg(ada, 'fleet');
    await app.addToOrg(fleet, grace, 'member');
    const shared = '/v0.1/orgs/fleet/distribution_groups';
    const { id } = (await call('POST', shared, { name: 'Crew' })).json();
    await call('POST', `${shared}/Crew/members`, { user_emails: ['grace@example.com'] });
    const give: number[] = [];
    for (const name of ['gig', 'punt', 'yawl']) {
      await app.addOrgApp(fleet, ada, name);
      if (name !== 'punt') await call('POST', `${shared}/Crew/apps`, { apps: [{ name }] });
      const home = `/v0.1/apps/fleet/${name}/releases`;
      await app.call('PUT', `${home}/uploads?file_name=app.apk`, { token, body: apkOf(), headers: octets });
      await app.runJobs();
      give.push((await call('POST', `${home}/1/groups`, { id })).statusCode);
    }
    expect(give).toEqual([201, 404, 201]);
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

  test('is listed with every other app of a tester by as many queries as of one', async () => {
    const app = await testApp(dialect);
    const { ada, grace, compass, call, token } = await world(app);
    const tester = await app.userToken(grace);
    const list = () => app.call('GET', '/v0.1/tester/apps', { token: tester });
    expect((await list()).json()).toEqual([]);
    const give = async (name: string, isMandatory: boolean) => {
      const home = `/v0.1/apps/ada/${name}`;
      await app.addMember(name === 'compass' ? compass : await app.addApp(ada, name), grace, 'tester');
      await app.call('PUT', `${home}/releases/uploads?file_name=app.apk`, { token, body: apkOf(), headers: octets });
      await app.runJobs();
      const groups = `${home}/distribution_groups`;
      for (const group of ['Crew', 'Guests']) {
        const { id } = (await call('POST', groups, { name: group })).json();
        await call('POST', `${groups}/${group}/members`, { user_emails: ['grace@example.com'] });
        const mandatory_update = isMandatory && group === 'Guests';
        await call('POST', `${home}/releases/1/groups`, { id, mandatory_update });
      }
    };
    await give('compass', false);
    const one = await countQueries(app, list);
    await give('buoy', true);
    await give('anchor', false);
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
          size: apkOf().length,
          install_url: expect.stringContaining('app.apk'),
        },
      },
      expect.objectContaining({ name: 'compass', release: expect.objectContaining({ mandatory_update: false }) }),
    ]);
  });

  test('is told to those who were given it, by mail, unless their manager does not want that', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, grace, compass } = await world(app);
    await app.addMember(compass, grace, 'tester');
    await upload(apkOf());
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

  test('that is disabled ends the links to its package, and new ones are for those who still see it', async () => {
    const app = await testApp(dialect);
    const { call, upload, group } = await world(app);
    await upload(apkOf());
    await call('POST', `${B}/releases/1/groups`, { id: await group('Open', { is_public: true }) });
    const path = (url: string) => url.slice(new URL(url).origin.length);
    const latest = (await app.call('GET', `${B}/distribution_groups/Open/releases/latest`)).json();
    const get = async (url: string) => (await app.call('GET', path(url))).statusCode;
    expect(await get(latest.download_url)).toBe(200);
    await call('PUT', `${B}/releases/1`, { enabled: false });
    const seen = (await call('GET', `${B}/releases/1`)).json();
    expect([await get(latest.download_url), await get(seen.download_url)]).toEqual([404, 200]);
    // The mark is signed with the rest.
    expect(await get(latest.download_url.replace(/(\/files\/[^/]+)/, '$1.all'))).toBe(404);
    await call('PUT', `${B}/releases/1`, { enabled: true });
    expect(await get(latest.download_url)).toBe(200);
  });

  test('of a public group needs no account, and only of that group', async () => {
    const app = await testApp(dialect);
    const { call, upload, group } = await world(app);
    await upload(apkOf());
    await upload(apkOf({ version: 141 }));
    const [open, closed] = [await group('Open', { is_public: true }), await group('Closed')];
    await call('POST', `${B}/releases/1/groups`, { id: open });
    await call('POST', `${B}/releases/1/groups`, { id: closed });
    await call('POST', `${B}/releases/2/groups`, { id: closed });
    const ask = (url: string) => app.call('GET', `${B}/distribution_groups/${url}`);
    const latest = await ask('Open/releases/latest');
    expect([latest.statusCode, latest.json().id, latest.json().distribution_groups.length]).toEqual([200, 1, 1]);
    expect((await ask('open/releases')).json()).toMatchObject([{ id: 1 }]);
    expect((await ask('Open/releases/2')).statusCode).toBe(404);
    expect((await ask('Closed/releases/latest')).statusCode).toBe(404);
    expect((await ask('None/releases/latest')).statusCode).toBe(404);
    await call('PUT', `${B}/releases/1`, { enabled: false });
    expect((await ask('Open/releases/latest')).json()).toMatchObject({ code: 'no_releases_for_user' });
    await call('PUT', `${B}/releases/1`, { enabled: true });
    await call('PATCH', `${B}/distribution_groups/Open`, { is_public: false });
    expect((await ask('Open/releases/latest')).statusCode).toBe(404);
  });

  test('of a renamed group is not found under the former name, although it was asked for before', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, token } = await world(app);
    await upload(apkOf());
    await call('POST', `${B}/releases/1/groups`, { id: await group('Crew') });
    const ask = async (name: string) =>
      (await app.call('GET', `${B}/distribution_groups/${name}/releases/latest`, { token })).statusCode;
    expect(await ask('Crew')).toBe(200);
    await call('PATCH', `${B}/distribution_groups/Crew`, { name: 'Divers' });
    expect([await ask('Crew'), await ask('Divers')]).toEqual([404, 200]);
  });

  test('is changed by those who work on the app only, and every change is recorded', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, grace, compass } = await world(app);
    await upload(apkOf());
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

  test('takes its versions from its sender where the package does not tell them', async () => {
    const app = await testApp(dialect);
    const { call } = await world(app);
    const token = await app.userToken(await app.addUser('mary'));
    await app.call('POST', '/v0.1/apps', {
      token,
      body: { name: 'tool', display_name: 'Tool', os: 'Windows', platform: 'WPF' },
    });
    const send = async (query: string) => {
      const url = `/v0.1/apps/mary/tool/releases/uploads?file_name=tool.zip${query}`;
      const { id } = (await app.call('PUT', url, { token, body: zipOf([{ path: 'a' }]), headers: octets })).json();
      await app.runJobs();
      return (await app.call('GET', `/v0.1/apps/mary/tool/uploads/releases/${id}`, { token })).json();
    };
    expect((await send('')).error_details).toMatch(/send build_version/);
    expect(await send('&build_version=1.0')).toMatchObject({ release_distinct_id: 1 });
    expect((await app.call('GET', '/v0.1/apps/mary/tool/releases/1', { token })).json()).toMatchObject({
      short_version: '1.0',
      version: '1.0',
    });
    expect((await call('GET', '/v0.1/apps/mary/tool/releases/1')).statusCode).toBe(404);
  });

  test('can be sent in ranges, asked how far it is, and sent again', async () => {
    const app = await testApp(dialect);
    const { put } = await world(app);
    const bytes = apkOf();
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
    const asked = await put(Buffer.from('{}'), query, { 'content-range': `bytes */${total}` });
    expect(asked.json()).toMatchObject({ received: 300, size: total });
    expect((await range(300, total)).json()).toMatchObject({ upload_status: 'uploadFinished', received: total });
    await app.runJobs();
    expect((await range(300, total)).json()).toMatchObject({
      upload_status: 'readyToBePublished',
      release_distinct_id: 1,
    });
    expect((await put(bytes, `file_name=..&upload_id=${crypto.randomUUID()}`)).json().message).toMatch(
      /name of a file/,
    );
  });

  test('goes with its app, and so does its file', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await world(app);
    await upload(apkOf({ icon: png(8, 8) }));
    expect((await call('DELETE', B)).statusCode).toBe(204);
    await sweepReleases(systemCtx(app.deps));
    await app.runJobs();
    expect(await keysOf(app)).toEqual([]);
    for (const table of ['releases', 'release_counters', 'release_hashes'] as const) {
      expect(await app.database.query((q) => q.selectFrom(table).select('app_id'))).toEqual([]);
    }
  });

  test('that the store of files cannot give just now is read later', async () => {
    const app = await testApp(dialect);
    const { put, call } = await world(app);
    const { id } = (await put(apkOf(), 'file_name=app.apk')).json();
    const { get } = app.deps.blobs;
    app.deps.blobs.get = async () => {
      throw unavailable('The store of files cannot be reached just now; try again.');
    };
    await app.runJobs();
    expect((await call('GET', `${B}/uploads/releases/${id}`)).json().upload_status).toBe('uploadFinished');
    app.deps.blobs.get = get;
    app.advance(HOUR);
    await app.runJobs();
    expect((await call('GET', `${B}/uploads/releases/${id}`)).json().upload_status).toBe('readyToBePublished');
    const [key = ''] = await keysOf(app);
    const blob = await app.deps.blobs.get(key);
    expect(blob && (await buffer(blob.stream)).equals(apkOf())).toBe(true);
  });
});
