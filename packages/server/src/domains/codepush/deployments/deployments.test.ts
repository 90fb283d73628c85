import { expect, test } from 'vitest';
import { at, deploymentsUrl, withDeployments } from '../../../../test/harness/codepush.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';
import { atOnce } from '../../../../test/harness/races.ts';

eachDatabase('deployments', (dialect) => {
  test('are created with a key, listed by name, renamed and deleted', async () => {
    const { ask, keys, actions } = await withDeployments(dialect);
    expect(keys.Staging).toMatch(/^[0-9A-Za-z]{37}$/);
    expect((await ask('GET', deploymentsUrl)).body).toEqual([
      { name: 'Production', key: keys.Production },
      { name: 'Staging', key: keys.Staging },
    ]);
    expect(await ask('PATCH', at('Staging'), { name: 'Rehearsal' })).toEqual({ status: 204, body: '' });
    expect((await ask('GET', at('Rehearsal'))).body).toEqual({ name: 'Rehearsal', key: keys.Staging });
    expect(await ask('PATCH', at('Rehearsal'), { name: 'Rehearsal' })).toMatchObject({ status: 204 });
    expect(await ask('DELETE', at('Rehearsal'))).toEqual({ status: 204, body: '' });
    expect((await ask('GET', deploymentsUrl)).body).toHaveLength(1);
    expect(await actions()).toEqual([
      'deployment.create',
      'deployment.create',
      'deployment.rename',
      'deployment.delete',
    ]);
  });

  test('keep the key that they had on another server', async () => {
    const { ask } = await withDeployments(dialect);
    const key = 'Xk2_old-server-key';
    expect((await ask('POST', deploymentsUrl, { name: 'Moved', key })).body).toEqual({ name: 'Moved', key });
    expect(await ask('POST', deploymentsUrl, { name: 'Other', key })).toEqual({
      status: 409,
      body: 'This key belongs to a deployment already; leave it out.',
    });
    for (const bad of ['short', 'a'.repeat(101), 'has blanks in it', 'ümlaut-key-0123'])
      expect(await ask('POST', deploymentsUrl, { name: 'Bad', key: bad })).toMatchObject({ status: 400 });
  });

  test('that do not exist are told in the sentence that clients compare', async () => {
    const { ask } = await withDeployments(dialect);
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
    for (const [method, rest, body] of calls) expect(await ask(method, at('No such', rest), body)).toEqual(missing);
    expect(await ask('POST', at('Staging', '/promote_release/No%20such'), {})).toEqual(missing);
  });

  test('have each a name of their own, whoever asks for it at the same time', async () => {
    const { app, ask } = await withDeployments(dialect);
    expect(await ask('POST', deploymentsUrl, { name: 'Staging' })).toEqual({
      status: 409,
      body: 'A deployment named "Staging" already exists.',
    });
    expect(await ask('PATCH', at('Staging'), { name: 'Production' })).toMatchObject({ status: 409 });
    expect(await ask('POST', deploymentsUrl, { name: 'staging' })).toMatchObject({ status: 201 });
    const statuses = async (...asks: (() => ReturnType<typeof ask>)[]) =>
      (await atOnce(app, asks)).map(({ status }) => status);
    const make = () => ask('POST', deploymentsUrl, { name: 'Twin' });
    expect(await statuses(make, make)).toEqual([201, 409]);
    const rename = (name: string) => () => ask('PATCH', at(name), { name: 'Other' });
    expect(await statuses(rename('Twin'), rename('Staging'))).toEqual([204, 409]);
  });

  test.each(['Überprüfung 1', 'a/b', '100 % sure?', '#1', 'x'.repeat(1000), '👩‍🚀'])(
    'may be named %j',
    async (name) => {
      const { ask } = await withDeployments(dialect);
      expect((await ask('POST', deploymentsUrl, { name })).body.name).toBe(name);
      expect((await ask('GET', at(name))).body.name).toBe(name);
    },
  );

  test.each(['', ' ', ' a', 'a ', 'a\nb', '.', '..', 'x'.repeat(1001)])('cannot be named %j', async (name) => {
    const { ask } = await withDeployments(dialect);
    expect((await ask('POST', deploymentsUrl, { name })).status).toBe(400);
    expect((await ask('PATCH', at('Staging'), { name })).status).toBe(400);
  });

  test('are as many as a setting allows', async () => {
    const { app, ask } = await withDeployments(dialect, { codepushDeployments: 3 });
    const make = (name: string) => async () => (await ask('POST', deploymentsUrl, { name })).status;
    expect(await atOnce(app, [make('Third'), make('Last')])).toEqual([201, 409]);
    expect(await ask('POST', deploymentsUrl, { name: 'Fourth' })).toEqual({
      status: 409,
      body: 'An app has 3 deployments at most on this server; delete one first.',
    });
  });

  test('are made and deleted by managers, released to by developers, and read by viewers', async () => {
    const { app, ref } = await withDeployments(dialect);
    const statusesOf = async (permission: 'viewer' | 'developer' | 'manager') => {
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
    expect(await statusesOf('viewer')).toEqual([200, 403, 403, 403]);
    expect(await statusesOf('developer')).toEqual([200, 200, 403, 403]);
    expect(await statusesOf('manager')).toEqual([200, 200, 201, 204]);
  });
});
