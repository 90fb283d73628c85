import { expect, test } from 'vitest';
import { at, deploymentsUrl, withDeployments } from '../../../../test/harness/codepush.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

eachDatabase('deployments', (dialect) => {
  test('are created with a key, listed by name, renamed and deleted', async () => {
    const { request, keys, actions } = await withDeployments(dialect);
    expect(keys.Staging).toMatch(/^[0-9A-Za-z]{37}$/);
    expect((await request('GET', deploymentsUrl)).body).toEqual([
      { name: 'Production', key: keys.Production },
      { name: 'Staging', key: keys.Staging },
    ]);
    expect(await request('PATCH', at('Staging'), { name: 'Rehearsal' })).toEqual({ status: 204, body: '' });
    expect((await request('GET', at('Rehearsal'))).body).toEqual({ name: 'Rehearsal', key: keys.Staging });
    expect(await request('PATCH', at('Rehearsal'), { name: 'Rehearsal' })).toMatchObject({ status: 204 });
    expect(await request('DELETE', at('Rehearsal'))).toEqual({ status: 204, body: '' });
    expect((await request('GET', deploymentsUrl)).body).toHaveLength(1);
    expect(await actions()).toEqual([
      'deployment.create',
      'deployment.create',
      'deployment.rename',
      'deployment.delete',
    ]);
  });

  test('keep their key from another server', async () => {
    const { request } = await withDeployments(dialect);
    const key = 'Xk2_old-server-key';
    expect((await request('POST', deploymentsUrl, { name: 'Moved', key })).body).toEqual({ name: 'Moved', key });
    expect(await request('POST', deploymentsUrl, { name: 'Other', key })).toEqual({
      status: 409,
      body: 'Another deployment uses this key. Send another key, or omit it to create one.',
    });
    for (const bad of ['short', 'a'.repeat(101), 'has blanks in it', 'ümlaut-key-0123'])
      expect(await request('POST', deploymentsUrl, { name: 'Bad', key: bad })).toMatchObject({ status: 400 });
  });

  test('return the message that clients compare if they do not exist', async () => {
    const { request } = await withDeployments(dialect);
    const missing = { status: 404, body: 'Deployment "No such" does not exist.' };
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/releases'],
      ['GET', '/metrics'],
      ['DELETE', '/releases'],
      ['PATCH', '/releases/v1', { is_mandatory: true }],
      ['POST', '/rollback_release', {}],
      ['POST', '/promote_release/Staging', {}],
      ['POST', '/uploads', {}],
    ];
    for (const [method, rest, body] of calls) expect(await request(method, at('No such', rest), body)).toEqual(missing);
    expect(await request('POST', at('Staging', '/promote_release/No%20such'), {})).toEqual(missing);
  });

  test('have unique names, even if created concurrently', async () => {
    const { app, request } = await withDeployments(dialect);
    expect(await request('POST', deploymentsUrl, { name: 'Staging' })).toEqual({
      status: 409,
      body: 'A deployment named "Staging" already exists. Choose another name.',
    });
    expect(await request('PATCH', at('Staging'), { name: 'Production' })).toMatchObject({ status: 409 });
    expect(await request('POST', deploymentsUrl, { name: 'staging' })).toMatchObject({ status: 201 });
    const statuses = async (...requests: (() => ReturnType<typeof request>)[]) =>
      (await atOnce(app, requests)).map(({ status }) => status);
    const make = () => request('POST', deploymentsUrl, { name: 'Twin' });
    expect(await statuses(make, make)).toEqual([201, 409]);
    const rename = (name: string) => () => request('PATCH', at(name), { name: 'Other' });
    expect(await statuses(rename('Twin'), rename('Staging'))).toEqual([204, 409]);
  });

  test.each(['Überprüfung 1', 'a/b', '100 % sure?', '#1', 'x'.repeat(1000), '👩‍🚀'])(
    'can be named %j',
    async (name) => {
      const { request } = await withDeployments(dialect);
      expect((await request('POST', deploymentsUrl, { name })).body.name).toBe(name);
      expect((await request('GET', at(name))).body.name).toBe(name);
    },
  );

  test.each(['', ' ', ' a', 'a ', 'a\nb', '.', '..', 'x'.repeat(1001)])('cannot be named %j', async (name) => {
    const { request } = await withDeployments(dialect);
    expect((await request('POST', deploymentsUrl, { name })).status).toBe(400);
    expect((await request('PATCH', at('Staging'), { name })).status).toBe(400);
  });

  test('are limited in number by a setting', async () => {
    const { app, request } = await withDeployments(dialect, { codepushDeployments: 3 });
    const make = (name: string) => async () => (await request('POST', deploymentsUrl, { name })).status;
    expect(await atOnce(app, [make('Third'), make('Last')])).toEqual([201, 409]);
    expect(await request('POST', deploymentsUrl, { name: 'Fourth' })).toEqual({
      status: 409,
      body: 'An app can have at most 3 deployments on this server. Delete one first.',
    });
  });

  test('are created and deleted by managers, released to by developers, and read by viewers', async () => {
    const { app, ref } = await withDeployments(dialect);
    const listStatuses = async (permission: 'viewer' | 'developer' | 'manager') => {
      const user = await app.addUser(permission);
      await app.addMember(ref, user, permission);
      const token = await app.userToken(user);
      const status = async (method: string, url: string, body?: object) =>
        (await app.call(method, url, { token, body })).statusCode;
      return [
        await status('GET', deploymentsUrl),
        await status('POST', at('Staging', '/uploads'), {}),
        await status('POST', deploymentsUrl, { name: permission }),
        await status('DELETE', at('Staging', '/releases')),
      ];
    };
    expect(await listStatuses('viewer')).toEqual([200, 403, 403, 403]);
    expect(await listStatuses('developer')).toEqual([200, 200, 403, 403]);
    expect(await listStatuses('manager')).toEqual([200, 200, 201, 204]);
  });
});
