import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { crash, crashApp } from '../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';

const pay = {
  appVersion: '1.4.0',
  appBuild: '140',
  exceptionType: 'java.lang.IllegalStateException',
  exceptionClassName: 'org.example.shop.Cart',
  exceptionMethod: 'pay',
};

eachDatabase('What was said elsewhere of a group', (dialect) => {
  async function opened() {
    const shop = await crashApp(dialect);
    const tell = async (...groups: object[]) => {
      const { statusCode, json } = await shop.call('POST', 'awaited_crash_groups', { body: { groups } });
      return { statusCode, ...json() };
    };
    const issues = async () => (await shop.get('crash_issues')).values;
    const groups = async () => (await shop.get(`crash_issues/${(await issues())[0].id}`)).groups;
    const announced = async () =>
      (await shop.app.database.query((q) => q.selectFrom('announcements').select('type'))).map(({ type }) => type);
    return { ...shop, tell, issues, groups, announced };
  }

  test('holds from its first report on, and it opens again in a newer version only', async () => {
    const { send, tell, issues, groups, announced } = await opened();
    expect(
      await tell({ ...pay, state: 'closed', annotation: 'Mended' }, { ...pay, appVersion: '1.3.0', state: 'open' }),
    )
      // One that is open without a note is as any that comes.
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

  test('is known by version, so that a version that was closed elsewhere closes no other', async () => {
    const { send, tell, issues, groups } = await opened();
    await tell({ ...pay, state: 'closed' }, { ...pay, appVersion: '1.5.0', state: 'closed' });
    await send(randomUUID(), crash({ version: '1.3.0' }), crash(), crash({ version: '1.5.0' }));
    expect(await issues()).toMatchObject([{ state: 'open' }]);
    expect(await groups()).toMatchObject([{ status: 'closed' }, { status: 'closed' }, { status: 'open' }]);
  });

  test('holds at once for one that is here, and leaves a note that is here where there was none', async () => {
    const { send, tell, issues, groups, call } = await opened();
    await send(randomUUID(), crash());
    const [{ crash_group_id: id }] = await groups();
    await call('PATCH', `errors/errorGroups/${id}`, { body: { state: 'open', annotation: 'Ours' } });
    expect(await tell({ ...pay, state: 'ignored' }, { ...pay, exceptionMethod: 'refund', state: 'ignored' })).toEqual({
      statusCode: 200,
      applied: 1,
      waiting: 1,
    });
    expect(await issues()).toMatchObject([{ state: 'ignored' }]);
    expect(await groups()).toMatchObject([{ status: 'ignored', annotation: 'Ours' }]);
    // The same again changes nothing.
    expect(await tell({ ...pay, state: 'ignored', annotation: 'Theirs' })).toMatchObject({ applied: 1, waiting: 0 });
    expect(await groups()).toMatchObject([{ status: 'ignored', annotation: 'Theirs' }]);
  });

  test('tells those apart by their message that have no code of the app', async () => {
    const { send, tell, issues } = await opened();
    const bare = (message: string) => ({
      ...crash(),
      threads: [],
      exception: { type: 'java.lang.OutOfMemoryError', message, frames: [] },
    });
    const other = { appVersion: '1.4.0', appBuild: '140', exceptionType: 'java.lang.OutOfMemoryError' };
    await tell({ ...other, exceptionMessage: 'no room', state: 'ignored' });
    await send(randomUUID(), bare('no heap'), bare('no room'));
    const states = (await issues()).map(({ message, state }: { message: string; state: string }) => [message, state]);
    expect(Object.fromEntries(states)).toEqual({ 'no heap': 'open', 'no room': 'ignored' });
  });

  test('is refused without a group, and from whoever may only look', async () => {
    const { tell, app, ref, url } = await opened();
    expect(await tell()).toMatchObject({ statusCode: 400 });
    expect(await tell({ ...pay, state: 'mended' })).toMatchObject({ statusCode: 400 });
    const eve = await app.addUser('eve');
    await app.addMember(ref, eve, 'viewer');
    const token = await app.userToken(eve);
    const body = { groups: [{ ...pay, state: 'closed' }] };
    const { statusCode } = await app.call('POST', url('awaited_crash_groups'), { token, body });
    expect(statusCode).toBe(403);
  });
});
