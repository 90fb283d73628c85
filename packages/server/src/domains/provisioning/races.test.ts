import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { createDirectory } from '../../../test/harness/directory.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

const numbers = [1, 2, 3, 4, 5, 6];

eachDatabase('a directory', (dialect) => {
  test('loses no concurrent patch of a user or a group', async () => {
    const app = await testApp(dialect);
    const { add, patch, send } = await createDirectory(app);
    const { id } = await add('amy');
    const addEmail = (n: number) =>
      patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [{ value: `amy${n}@home.example` }] });
    const patched = await Promise.all(numbers.map(addEmail));
    expect(patched.map(({ statusCode }) => statusCode)).toEqual(numbers.map(() => 200));
    expect((await send('GET', `/Users/${id}`)).json().emails).toHaveLength(1 + numbers.length);

    const members = await Promise.all(numbers.map((n) => add(`member-${n}`)));
    const group = (await send('POST', '/Groups', { displayName: 'Crew' })).json();
    await Promise.all(
      members.map((member) =>
        patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: member.id }] }),
      ),
    );
    expect((await send('GET', `/Groups/${group.id}`)).json().members).toHaveLength(numbers.length);
  });

  test('creates a user once, however often it is sent at the same time', async () => {
    const app = await testApp(dialect);
    const { send } = await createDirectory(app);
    const userName = 'amy@lighthouse.example';
    const created = await Promise.all(numbers.map(() => send('POST', '/Users', { userName })));
    expect(created.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect((await send('GET', '/Users')).json().totalResults).toBe(1);
  });
});
