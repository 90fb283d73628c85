import { expect, test } from 'vitest';
import { createApk } from '../../../../../../tools/samples/packages.ts';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

const home = '/v0.1/apps/ada/compass';

/** Composed after what the distribution modules of sentry-java and sentry-cocoa send. */
eachDatabase('update checks of Sentry SDKs', (dialect) => {
  async function open() {
    const app = await testApp(dialect, { publicUrl: 'https://mooring.example.com' });
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    const call = (method: string, url: string, body?: unknown) => app.call(method, url, { token, body });
    const upload = async (bytes: Buffer) => {
      const headers = { 'content-type': 'application/octet-stream' };
      await app.call('PUT', `${home}/releases/uploads?file_name=app.apk`, { token, body: bytes, headers });
      await app.runJobs();
    };
    const addGroup = async (name: string, is_public: boolean, release: number) => {
      const { id } = (await call('POST', `${home}/distribution_groups`, { name })).json();
      await call('PATCH', `${home}/distribution_groups/${name}`, { is_public });
      await call('POST', `${home}/releases/${release}/groups`, { id });
    };
    const check = (query: string, authorization = `Bearer ${token}`, name = 'compass') =>
      app.http.inject({
        method: 'GET',
        url: `/api/0/projects/ada/${name}/preprodartifacts/check-for-updates/?platform=android&${query}`,
        headers: { authorization },
      });
    return { app, token, call, upload, addGroup, check };
  }

  test('names the installed release and a newer one of the public groups, or nothing', async () => {
    const { upload, addGroup, check } = await open();
    await upload(createApk());
    await upload(createApk({ version: 141 }));
    await upload(createApk({ version: 142 }));
    await addGroup('Open', true, 1);
    await addGroup('Next', true, 2);
    await addGroup('Closed', false, 3);
    const old = (await check('build_version=1.3.0&build_number=130')).json();
    expect(old).toMatchObject({
      update: {
        id: '2',
        build_version: '1.4.0',
        build_number: 141,
        download_url: expect.stringMatching(/^https:\/\/mooring\.example\.com\/files\//),
        install_groups: ['Next'],
      },
    });
    expect(old.current).toBeUndefined();
    const known = (await check('build_version=1.4.0&build_number=140')).json();
    expect([known.current.id, known.update.id]).toEqual(['1', '2']);
    const current = (await check('build_version=1.4.0&build_number=141&app_id=com.example.compass')).json();
    expect([current.current.id, current.update]).toEqual(['2', undefined]);
    expect(
      (await check('build_version=1.3&build_number=1&install_groups=Open&install_groups=Closed')).json().update.id,
    ).toBe('1');
    expect((await check('build_version=1.3&build_number=1&install_groups=Closed')).json()).toEqual({});
    expect((await check('build_version=1.3&build_number=1&app_id=com.example.other')).json()).toEqual({});
  });

  test('needs a token that may see the app', async () => {
    const { app, check } = await open();
    const stranger = await app.userToken(await app.addUser('eve'));
    expect((await check('build_version=1', `Bearer ${stranger}`)).statusCode).toBe(404);
    expect((await check('build_version=1', 'Bearer none')).statusCode).toBe(401);
    expect((await check('build_number=1')).statusCode).toBe(400);
  });
});
