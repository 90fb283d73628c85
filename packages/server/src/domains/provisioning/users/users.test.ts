import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { createDirectory, findAccountByEmail } from '../../../../test/harness/directory.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

eachDatabase('users of a directory', (dialect) => {
  test('creates, reads, replaces and deletes users', async () => {
    const app = await testApp(dialect);
    const { send, tokens } = await createDirectory(app);
    const body = {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      externalId: 'E7',
      userName: 'Rosalind@lighthouse.example',
      name: { givenName: 'Rosalind', familyName: 'Franklin' },
      emails: [{ value: 'Rosalind@lighthouse.example', type: 'work', primary: true }],
      title: 'ignored',
      active: true,
    };
    const created = await send('POST', '/Users', body);
    expect(created.headers['content-type']).toBe('application/scim+json; charset=utf-8');
    const { id } = created.json();
    expect(created.headers.location).toMatch(new RegExp(`/scim/v2/lighthouse/Users/${id}$`));
    const expected = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id,
      externalId: 'E7',
      userName: body.userName,
      name: body.name,
      emails: body.emails,
      active: true,
      meta: {
        resourceType: 'User',
        location: created.headers.location,
        created: '2026-11-01T09:00:00.000Z',
        lastModified: '2026-11-01T09:00:00.000Z',
      },
    };
    expect(created.json()).toEqual(expected);
    expect((await send('GET', `/Users/${id}`)).json()).toEqual(expected);
    expect(await findAccountByEmail(app, 'rosalind@lighthouse.example')).toMatchObject({
      name: 'Rosalind',
      display_name: 'Rosalind Franklin',
      is_disabled: 0,
      is_email_verified: 1,
    });
    const members = await app.call('GET', '/v0.1/orgs/lighthouse/users', { token: tokens.ada });
    expect(members.json().map((member: { name: string }) => member.name)).toContain('Rosalind');

    const again = await send('POST', '/Users', body);
    expect([again.statusCode, again.headers['content-type'], again.json()]).toEqual([
      409,
      'application/scim+json; charset=utf-8',
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '409',
        scimType: 'uniqueness',
        detail: expect.stringContaining('already has a user'),
      },
    ]);

    const replaced = await send('PUT', `/Users/${id}`, {
      ...body,
      name: { formatted: 'Dr. Franklin' },
      active: 'True',
    });
    expect(replaced.json()).toMatchObject({ name: { formatted: 'Dr. Franklin' }, active: true });
    expect((await findAccountByEmail(app, 'rosalind@lighthouse.example'))?.display_name).toBe('Dr. Franklin');

    expect((await send('DELETE', `/Users/${id}`)).statusCode).toBe(204);
    expect((await send('GET', `/Users/${id}`)).statusCode).toBe(404);
    expect((await findAccountByEmail(app, 'rosalind@lighthouse.example'))?.is_disabled).toBe(1);
    const revived = await send('POST', '/Users', body);
    expect([revived.statusCode, revived.json().id, revived.json().active]).toEqual([201, id, true]);
    expect((await findAccountByEmail(app, 'rosalind@lighthouse.example'))?.is_disabled).toBe(0);
  });

  test('finds users by filters, in pages, with the requested attributes', async () => {
    const app = await testApp(dialect);
    const { send, add } = await createDirectory(app);
    for (const name of ['amy', 'bea', 'cleo'])
      await add(name, { externalId: `X-${name}`, displayName: name.toUpperCase() });
    const names = async (query: string) => {
      const { totalResults, Resources } = (await send('GET', `/Users?${query}`)).json();
      return [totalResults, Resources.map(({ userName }: { userName: string }) => userName?.split('@')[0])];
    };
    const filter = (text: string) => `filter=${encodeURIComponent(text)}`;
    expect(await names('')).toEqual([3, ['amy', 'bea', 'cleo']]);
    expect(await names('startIndex=2&count=1')).toEqual([3, ['bea']]);
    expect(await names('startIndex=-5&count=2')).toEqual([3, ['amy', 'bea']]);
    expect(await names('count=0')).toEqual([3, []]);
    expect(await names('startIndex=9')).toEqual([3, []]);
    // Entra ID tests a connection by a name that doesn't exist.
    expect(await names(filter('userName eq "0ab7c4de-none"'))).toEqual([0, []]);
    expect(await names(filter('USERNAME Eq "AMY@lighthouse.example"'))).toEqual([1, ['amy']]);
    expect(await names(filter('externalId eq "X-bea"'))).toEqual([1, ['bea']]);
    expect(await names(filter('externalId eq "x-bea"'))).toEqual([0, []]);
    expect(await names(filter('emails[type eq "work"].value eq "cleo@lighthouse.example"'))).toEqual([1, ['cleo']]);
    expect(
      await names(filter('urn:ietf:params:scim:schemas:core:2.0:User:displayName sw "b" or userName sw "c"')),
    ).toEqual([2, ['bea', 'cleo']]);
    expect(await names(`${filter('active eq true and not (userName co "amy")')}&count=1&startIndex=2`)).toEqual([
      2,
      ['cleo'],
    ]);
    expect(await names(filter('meta.created gt "2030-01-01T00:00:00Z"'))).toEqual([0, []]);
    const [narrow] = (await send('GET', '/Users?count=1&attributes=userName,name.givenName')).json().Resources;
    expect(Object.keys(narrow).sort()).toEqual(['id', 'schemas', 'userName']);
    const [wide] = (await send('GET', '/Users?count=1&excludedAttributes=emails,meta.created,id')).json().Resources;
    expect(Object.keys(wide).sort()).toEqual([
      'active',
      'displayName',
      'externalId',
      'id',
      'meta',
      'schemas',
      'userName',
    ]);
    expect(Object.keys(wide.meta)).not.toContain('created');
    for (const text of [
      'userName',
      'userName eq',
      'userName eq "a',
      'a eq 1 b',
      '(a pr',
      'a[b pr',
      'userName gt true',
      'a eq nil',
    ]) {
      const refused = await send('GET', `/Users?${filter(text)}`);
      expect([text, refused.statusCode, refused.json().scimType]).toEqual([text, 400, 'invalidFilter']);
    }
    for (const text of ['('.repeat(50), `a pr${' or a pr'.repeat(200)}`]) {
      expect((await send('GET', `/Users?${filter(text)}`)).json().scimType).toBe('invalidFilter');
    }
  });

  test.each<[title: string, operation: object, expected: object]>([
    [
      'Entra ID capitalizes op and sends texts as booleans',
      { op: 'Replace', path: 'active', value: 'False' },
      { active: false },
    ],
    ['Okta sends no path with an object', { op: 'replace', value: { active: false } }, { active: false }],
    [
      'Entra ID sends names with dots in a value',
      { op: 'Add', value: { 'name.givenName': 'Ada' } },
      { name: { givenName: 'Ada' } },
    ],
    [
      'Entra ID sends a URN before the name',
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'Countess' },
      { displayName: 'Countess' },
    ],
    [
      'a path with brackets changes the matching element',
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@lighthouse.example' },
      { emails: [{ value: 'new@lighthouse.example', type: 'work', primary: true }] },
    ],
    [
      'a path with brackets creates the element',
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'ada@home.example' },
      {
        emails: [
          { value: 'ops@lighthouse.example', type: 'work', primary: true },
          { value: 'ada@home.example', type: 'home' },
        ],
      },
    ],
    [
      'attributes of extensions are ignored',
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Optics' },
      { active: true },
    ],
    [
      'Okta changes the user name',
      { op: 'replace', path: 'userName', value: 'other@lighthouse.example' },
      { userName: 'other@lighthouse.example' },
    ],
  ])('%s', async (_title, operation, expected) => {
    const app = await testApp(dialect);
    const { add, patch } = await createDirectory(app);
    const { id } = await add('ops');
    const patched = await patch(`/Users/${id}`, operation);
    expect([patched.statusCode, patched.json()]).toEqual([200, expect.objectContaining(expected)]);
  });

  test.each<[operation: object, type: string]>([
    [{ op: 'swap', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "fax"]', value: { value: 'x' } }, 'noTarget'],
    [{ op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: 7 }, 'invalidValue'],
    [{ op: 'replace', path: 'emails', value: [{ value: 'ada@elsewhere.example', primary: true }] }, 'invalidValue'],
    [
      { op: 'add', path: 'emails', value: Array.from({ length: 21 }, (_, n) => ({ value: `a${n}@b.example` })) },
      'invalidValue',
    ],
  ])('refuses the operation %j', async (operation, type) => {
    const app = await testApp(dialect);
    const { add, patch, send } = await createDirectory(app);
    const { id } = await add('ops');
    const before = (await send('GET', `/Users/${id}`)).json();
    const refused = await patch(`/Users/${id}`, operation);
    expect([refused.statusCode, refused.json().scimType]).toEqual([400, type]);
    expect((await send('GET', `/Users/${id}`)).json()).toEqual(before);
  });
});
