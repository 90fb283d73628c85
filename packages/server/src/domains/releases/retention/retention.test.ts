import { expect, test } from 'vitest';
import { createApk } from '../../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { DAY } from '../../../kernel/clock.ts';
import { applyRetention } from './retention.ts';

async function createFixtures(app: TestApp) {
  const ada = await app.addUser('ada');
  const org = await app.addOrg(ada, 'lighthouse');
  await app.addOrgApp(org, ada, 'compass');
  const B = '/v0.1/apps/lighthouse/compass';
  const token = await app.userToken(ada);
  const call = (method: string, url: string, body?: unknown, as = token) => app.call(method, url, { token: as, body });
  /** Uploads one release per day. */
  const upload = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const headers = { 'content-type': 'application/octet-stream' };
      const body = createApk({ version: 100 + n });
      await app.call('PUT', `${B}/releases/uploads?file_name=app.apk`, { token, body, headers });
      await app.runJobs();
      app.advance(DAY);
    }
  };
  const ids = async () => (await call('GET', `${B}/releases`)).json().map(({ id }: { id: number }) => id);
  const preview = async (rule: object) => {
    const { releases, size } = (await call('POST', `${B}/release_retention/preview`, rule)).json();
    return { ids: releases.map(({ id }: { id: number }) => id), size };
  };
  return { ada, B, org, token, call, upload, ids, preview };
}

const files = (app: TestApp) => Array.fromAsync(app.deps.blobs.list());

eachDatabase('a rule for releases', (dialect) => {
  test('deletes releases that neither its number nor its days retain, and never the latest of a group', async () => {
    const app = await testApp(dialect);
    const { B, call, upload, ids, preview } = await createFixtures(app);
    await upload(5);
    const { id } = (await call('POST', `${B}/distribution_groups`, { name: 'Crew' })).json();
    await call('POST', `${B}/releases/1/groups`, { id, notify_testers: false });
    expect(await preview({})).toEqual({ ids: [], size: 0 });
    expect((await preview({ keep_last: 2 })).ids).toEqual([3, 2]);
    expect((await preview({ keep_last: 2, keep_latest: false })).ids).toEqual([3, 2, 1]);
    expect((await preview({ keep_days: 3 })).ids).toEqual([2]);
    expect((await preview({ keep_last: 4, keep_days: 1 })).ids).toEqual([]);
    expect((await preview({ keep_last: 1, keep_days: 3 })).size).toBe(createApk({ version: 101 }).length);
    expect(await ids()).toEqual([5, 4, 3, 2, 1]);
    const rule = { keep_last: 2 };
    const set = (await call('PUT', `${B}/release_retention`, rule)).json();
    expect(set).toEqual({ keep_last: 2, keep_latest: true, source: 'app' });
    await applyRetention(systemCtx(app.deps));
    expect(await ids()).toEqual([5, 4, 1]);
    await app.runJobs();
    expect(await files(app)).toHaveLength(3);
    expect(await recorded(app, 'release.delete')).toHaveLength(2);
  });

  test('does not delete a release that is concurrently distributed to a group', async () => {
    const app = await testApp(dialect);
    const { B, call, upload, ids } = await createFixtures(app);
    await upload(2);
    const { id } = (await call('POST', `${B}/distribution_groups`, { name: 'Crew' })).json();
    await call('PUT', `${B}/release_retention`, { keep_last: 1 });
    const distribute = () => call('POST', `${B}/releases/1/groups`, { id, notify_testers: false });
    await atOnce<unknown>(app, [distribute, () => applyRetention(systemCtx(app.deps))]);
    expect(await ids()).toEqual([2, 1]);
  });

  test('of an organization applies to apps without one, and is deleted with its owner', async () => {
    const app = await testApp(dialect);
    const { B, call, upload, ids, ada } = await createFixtures(app);
    await upload(3);
    const org = '/v0.1/orgs/lighthouse/release_retention';
    const preview = async () => (await call('POST', `${org}/preview`, { keep_last: 1 })).json();
    const { apps, size } = await preview();
    expect(apps).toMatchObject([{ app_name: 'compass', releases: [{ id: 2 }, { id: 1 }], size }]);
    await call('PUT', org, { keep_last: 1 });
    expect((await call('GET', `${B}/release_retention`)).json()).toMatchObject({
      keep_last: 1,
      source: 'organization',
    });
    await call('PUT', `${B}/release_retention`, {});
    expect(await preview()).toEqual({ apps: [], size: 0 });
    await applyRetention(systemCtx(app.deps));
    expect(await ids()).toEqual([3, 2, 1]);
    await call('PUT', `${B}/release_retention`, { keep_last: 2 });
    await applyRetention(systemCtx(app.deps));
    expect(await ids()).toEqual([3, 2]);
    const mary = await app.addUser('mary');
    const stranger = await app.userToken(mary);
    const readOnly = await app.userToken(ada, { scope: ['viewer'] });
    const statuses = [
      (await call('PUT', org, { keep_last: 1 }, stranger)).statusCode,
      (await call('PUT', org, { keep_last: 1 }, readOnly)).statusCode,
      (await call('POST', `${org}/preview`, {}, stranger)).statusCode,
      (await call('PUT', `${B}/release_retention`, { keep_last: 0 })).statusCode,
      (await call('GET', `${B}/release_retention`, undefined, stranger)).statusCode,
    ];
    expect(statuses).toEqual([404, 403, 404, 400, 404]);
    await call('DELETE', B);
    await applyRetention(systemCtx(app.deps));
    const rules = await app.database.query((q) => q.selectFrom('release_retention').select('keep_last'));
    expect(rules).toEqual([{ keep_last: 1 }]);
  });

  test('is not required for deleting several releases in one request', async () => {
    const app = await testApp(dialect);
    const { B, call, upload, ids } = await createFixtures(app);
    await upload(3);
    const deleted = await call('POST', `${B}/releases/bulk_delete`, { release_ids: [3, 1, 9, 1] });
    expect(deleted.json()).toEqual({ deleted: [1, 3], not_found: [9] });
    expect(await ids()).toEqual([2]);
    expect((await call('POST', `${B}/releases/bulk_delete`, { release_ids: [9] })).statusCode).toBe(404);
    const many = Array.from({ length: 101 }, (_, at) => at + 1);
    expect((await call('POST', `${B}/releases/bulk_delete`, { release_ids: many })).statusCode).toBe(400);
    await app.runJobs();
    expect(await files(app)).toHaveLength(1);
  });
});
