import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { crash, crashApp } from '../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

const pay = {
  appVersion: '1.4.0',
  appBuild: '140',
  exceptionType: 'java.lang.IllegalStateException',
  exceptionClassName: 'org.example.shop.Cart',
  exceptionMethod: 'pay',
};

eachDatabase('the imported state of a group', (dialect) => {
  async function opened() {
    const shop = await crashApp(dialect);
    const awaitGroups = async (...groups: object[]) => {
      const { statusCode, json } = await shop.call('POST', 'awaited_crash_groups', { body: { groups } });
      return { statusCode, ...json() };
    };
    const issues = async () => (await shop.get('crash_issues')).values;
    const groups = async () => (await shop.get(`crash_issues/${(await issues())[0].id}`)).groups;
    const announced = async () =>
      (await shop.app.database.query((q) => q.selectFrom('announcements').select('type'))).map(({ type }) => type);
    return { ...shop, awaitGroups, issues, groups, announced };
  }

  test('applies from its first report on, and the group reopens in a newer version only', async () => {
    const { send, awaitGroups, issues, groups, announced } = await opened();
    expect(
      await awaitGroups(
        { ...pay, state: 'closed', annotation: 'Mended' },
        { ...pay, appVersion: '1.3.0', state: 'open' },
      ),
    )
      // An open group without a note needs no entry.
      .toEqual({ statusCode: 200, applied: 0, waiting: 1 });
    await send(randomUUID(), crash(), crash());
    expect(await issues()).toMatchObject([
      { state: 'closed', annotation: 'Mended', closed_version: '1.4.0', count: 2 },
    ]);
    expect(await groups()).toMatchObject([{ status: 'closed', annotation: 'Mended' }]);
    expect(await announced()).toEqual([]);
    await send(randomUUID(), crash({ version: '1.3.0' }));
    expect(await issues()).toMatchObject([{ state: 'closed' }]);
    await send(randomUUID(), crash({ version: '1.5.0' }));
    expect(await issues()).toMatchObject([{ state: 'open', regressed_version: '1.5.0' }]);
  });

  test('applies to one version: closing it elsewhere closes no other version here', async () => {
    const { send, awaitGroups, issues, groups } = await opened();
    await awaitGroups({ ...pay, state: 'closed' }, { ...pay, appVersion: '1.5.0', state: 'closed' });
    await send(randomUUID(), crash({ version: '1.3.0' }), crash(), crash({ version: '1.5.0' }));
    expect(await issues()).toMatchObject([{ state: 'open' }]);
    expect(await groups()).toMatchObject([{ status: 'closed' }, { status: 'closed' }, { status: 'open' }]);
  });

  test('applies to an existing group immediately, and keeps an existing note if it has none', async () => {
    const { send, awaitGroups, issues, groups, call } = await opened();
    await send(randomUUID(), crash());
    const [{ crash_group_id: id }] = await groups();
    await call('PATCH', `errors/errorGroups/${id}`, { body: { state: 'open', annotation: 'Ours' } });
    expect(
      await awaitGroups({ ...pay, state: 'ignored' }, { ...pay, exceptionMethod: 'refund', state: 'ignored' }),
    ).toEqual({
      statusCode: 200,
      applied: 1,
      waiting: 1,
    });
    expect(await issues()).toMatchObject([{ state: 'ignored' }]);
    expect(await groups()).toMatchObject([{ status: 'ignored', annotation: 'Ours' }]);
    // Repeating the request changes nothing.
    expect(await awaitGroups({ ...pay, state: 'ignored', annotation: 'Theirs' })).toMatchObject({
      applied: 1,
      waiting: 0,
    });
    expect(await groups()).toMatchObject([{ status: 'ignored', annotation: 'Theirs' }]);
  });

  test('distinguishes groups without app code by their message', async () => {
    const { send, awaitGroups, issues } = await opened();
    const bare = (message: string) => ({
      ...crash(),
      threads: [],
      exception: { type: 'java.lang.OutOfMemoryError', message, frames: [] },
    });
    const other = { appVersion: '1.4.0', appBuild: '140', exceptionType: 'java.lang.OutOfMemoryError' };
    await awaitGroups({ ...other, exceptionMessage: 'no room', state: 'ignored' });
    await send(randomUUID(), bare('no heap'), bare('no room'));
    const states = (await issues()).map(({ message, state }: { message: string; state: string }) => [message, state]);
    expect(Object.fromEntries(states)).toEqual({ 'no heap': 'open', 'no room': 'ignored' });
  });

  test('rejects an empty list and callers with read-only access', async () => {
    const { awaitGroups, app, ref, url } = await opened();
    expect(await awaitGroups()).toMatchObject({ statusCode: 400 });
    expect(await awaitGroups({ ...pay, state: 'mended' })).toMatchObject({ statusCode: 400 });
    const eve = await app.addUser('eve');
    await app.addMember(ref, eve, 'viewer');
    const token = await app.userToken(eve);
    const body = { groups: [{ ...pay, state: 'closed' }] };
    const { statusCode } = await app.call('POST', url('awaited_crash_groups'), { token, body });
    expect(statusCode).toBe(403);
  });
});
