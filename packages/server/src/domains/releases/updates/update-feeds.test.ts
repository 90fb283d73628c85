import { expect, test } from 'vitest';
import { createMacApp, createMsix } from '../../../../../../tools/samples/packages.ts';
import { createZip } from '../../../../../../tools/samples/zips.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { findChild, findDescendants, readXml } from '../packages/xml.ts';
import { listNewestGroupReleases, listNewestPublicReleases } from '../releases.store.ts';

const publicUrl = 'https://mooring.example.com';

async function desktop(app: TestApp, os: 'macOS' | 'Windows') {
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const call = (method: string, url: string, body?: unknown) => app.call(method, url, { token, body });
  await call('POST', '/v0.1/apps', { name: 'harbour', display_name: 'Harbour <&>', os, platform: 'Custom' });
  const B = '/v0.1/apps/ada/harbour';
  const upload = async (bytes: Buffer, name: string) => {
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${B}/releases/uploads?file_name=${name}`, { token, body: bytes, headers });
    await app.runJobs();
  };
  const group = async (name: string, is_public: boolean, releases: number[]) => {
    const { id } = (await call('POST', `${B}/distribution_groups`, { name })).json();
    await call('PATCH', `${B}/distribution_groups/${encodeURIComponent(name)}`, { is_public });
    for (const one of releases) await call('POST', `${B}/releases/${one}/groups`, { id, notify_testers: false });
    return id as string;
  };
  return { call, upload, group, B };
}

eachDatabase('an update feed', (dialect) => {
  test('for Sparkle lists releases of public groups with their signatures', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, B } = await desktop(app, 'macOS');
    for (const version of ['42', '43', '44', '45']) await upload(createMacApp({ version }), 'Harbour.app.zip');
    const signatures = { ed_signature: 'c2lnbmVk+/=', dsa_signature: 'b2xk' };
    await call('PATCH', `${B}/releases/2`, { release_notes: '- a ]]> <b>&b</b>', metadata: signatures });
    await group('Open', true, [1, 2, 4]);
    await group('Closed', false, [3]);
    await call('PUT', `${B}/releases/4`, { enabled: false });
    const { app_secret } = (await call('GET', B)).json();
    const response = await app.call('GET', `/v0.1/public/sparkle/apps/${app_secret}`);
    expect(response.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    const items = findDescendants(readXml(response.body), 'item');
    expect(items.map((item) => findChild(item, 'sparkle:version')?.text ?? findChild(item, 'version')?.text)).toEqual([
      '43',
      '42',
    ]);
    const [first] = items;
    expect(findChild(first, 'description')?.text).toBe('- a ]]> <b>&b</b>');
    const enclosure = findChild(first, 'enclosure')?.attributes ?? {};
    const values = Object.values(enclosure);
    expect(values).toEqual(
      expect.arrayContaining(['c2lnbmVk+/=', 'b2xk', String(createMacApp({ version: '43' }).length)]),
    );
    const address = String(enclosure.url);
    expect((await app.call('GET', address.slice(publicUrl.length))).statusCode).toBe(200);

    // Readers need no sign-in, so the database fetches no more than a feed shows.
    const [{ app_id: appId, group_id: groupId } = { app_id: '', group_id: '' }] = await app.database.query((q) =>
      q.selectFrom('release_groups').selectAll().where('release_id', '=', 2),
    );
    const newest = [
      await listNewestPublicReleases.all(app.database, { appId, limit: 1 }),
      await listNewestGroupReleases.all(app.database, { appId, groupId, limit: 1 }),
    ];
    expect(newest.map((rows) => rows.map(({ id }) => id))).toEqual([[2], [2]]);

    expect((await app.call('GET', `${B}/distribution_groups/Open/appcast`)).body).toContain('<item>');
    expect((await app.call('GET', `${B}/distribution_groups/Closed/appcast`)).statusCode).toBe(404);
    const closed = await call('GET', `${B}/distribution_groups/Closed/appcast`);
    expect(findDescendants(readXml(closed.body), 'item')).toHaveLength(1);
    expect((await app.call('GET', `/v0.1/public/sparkle/apps/${crypto.randomUUID()}`)).statusCode).toBe(404);
  });

  test('for Windows names the latest package of a group, and its publisher', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, B } = await desktop(app, 'Windows');
    await upload(createMsix(), 'harbour.msix');
    await upload(createMsix({ version: '2.2.0.0' }), 'harbour.msix');
    await group('Desks & co', true, [1, 2]);
    const address = `${B}/distribution_groups/Desks%20%26%20co/appinstaller`;
    const response = await app.call('GET', address);
    expect(response.headers['content-type']).toBe('application/appinstaller; charset=utf-8');
    expect(response.headers['content-disposition']).toContain('filename="harbour.appinstaller"');
    const page = '/install/users/ada/apps/harbour/distribution_groups/Desks%20%26%20co';
    const buttons = async (path: string, system: string) => {
      const headers = { 'user-agent': `Mozilla/5.0 (${system})` };
      const { body } = await app.call('GET', path, { headers });
      return [...body.matchAll(/class="button[^"]*" href="([^"]+)"/g)].map(([, href]) => href);
    };
    const file = expect.stringMatching(/^\/files\/.*\/harbour\.msix$/);
    expect(await buttons(page, 'Windows NT 10.0')).toEqual([address, file]);
    expect(await buttons(page, 'X11; Linux')).toEqual([file]);
    // The list always has the latest package.
    expect(await buttons(`${page}/releases/1`, 'Windows NT 10.0')).toEqual([file]);
    const root = readXml(response.body);
    expect(root.attributes).toMatchObject({ Version: '2.2.0.0', Uri: `${publicUrl}${address}` });
    expect(findChild(root, 'MainPackage')?.attributes).toMatchObject({
      Name: 'Example.Harbour',
      Publisher: 'CN=Example & Co',
      Version: '2.2.0.0',
      ProcessorArchitecture: 'x64',
      Uri: expect.stringMatching(/^https:\/\/mooring\.example\.com\/files\/.*\/harbour\.msix$/),
    });
    const inStore = createZip([{ path: 'harbour.msix', content: createMsix({ version: '2.3.0.0' }), isStored: true }]);
    await upload(inStore, 'harbour.msixupload');
    await group('Store', true, [3]);
    const { body } = await app.call('GET', page.replace(/[^/]+$/, 'Store'));
    expect(body).toContain('2.3.0.0');
    expect(body).toContain('This file is for the Microsoft Store: devices cannot install it directly.');
    await call('PATCH', `${B}/distribution_groups/Desks%20%26%20co`, { is_public: false });
    expect((await app.call('GET', address)).statusCode).toBe(404);
    await group('Empty', true, []);
    expect((await app.call('GET', `${B}/distribution_groups/Empty/appinstaller`)).json().code).toBe('not_found');
  });
});

eachDatabase('counts installs from an install page', (dialect) => {
  test('counts only installs of releases that the visitor can access', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, B } = await desktop(app, 'Windows');
    await upload(createMsix(), 'harbour.msix');
    await upload(createMsix({ version: '2.2.0.0' }), 'harbour.msix');
    const [open, closed] = [await group('Open', true, [1]), await group('Closed', false, [2])];
    const note = (releases: object[], token?: string) =>
      app.call('POST', '/v0.1/public/apps/ada/harbour/install_analytics', { token, body: { releases } });
    const reported = [
      { release_id: 1, distribution_group_id: open, user_id: 'a' },
      { release_id: '1', distribution_group_id: open, user_id: 'b' },
      { release_id: 2, distribution_group_id: open, user_id: 'a' },
      { release_id: 2, distribution_group_id: closed, user_id: 'a' },
      { release_id: 99, distribution_group_id: open },
      { release_id: "1'; drop", distribution_group_id: open },
      { release_id: 1 },
    ];
    expect((await note(reported)).statusCode).toBe(204);
    await note([{ release_id: 1, distribution_group_id: open, user_id: 'a' }]);
    const nowhere = '/v0.1/public/apps/ada/nothing/install_analytics';
    expect((await app.call('POST', nowhere, { body: { releases: reported } })).statusCode).toBe(204);
    const counts = async () => {
      const query = { releases: [{ release: '1' }, { release: '1', distribution_group: open }, { release: '2' }] };
      const { counts } = (await call('POST', `${B}/analytics/distribution/release_counts`, query)).json();
      return counts.map((one: Record<string, number>) => [one.unique_count, one.total_count]);
    };
    expect(await counts()).toEqual([
      [2, 3],
      [2, 3],
      [0, 0],
    ]);
    const mary = await app.addUser('mary');
    await note([{ release_id: 2, distribution_group_id: closed }], await app.userToken(mary));
    expect((await counts())[2]).toEqual([0, 0]);
    const { id } = (await call('GET', '/v0.1/user')).json();
    await call('POST', `${B}/releases/2/testers`, { email: 'ada@example.com', notify_testers: false });
    const owners = (await call('POST', '/v0.1/api_tokens', { description: 'x' })).json().api_token;
    await note([{ release_id: 2, user_id: 'somebody else' }], owners);
    expect((await counts())[2]).toEqual([1, 1]);
    const [row] = await app.database.query((q) =>
      q.selectFrom('release_installs').select('installer').where('release_id', '=', 2),
    );
    expect(row?.installer).toBe(id);
  });
});
