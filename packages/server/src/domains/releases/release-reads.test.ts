import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { addManyPeople } from '../../../test/harness/bulk-users.ts';
import { countReads } from '../../../test/harness/queries.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { AppCtx } from '../../context.ts';
import { removeAppUser } from '../apps/index.ts';
import { distributeToGroup, distributeToTester } from './release-destinations.ts';
import { getGroupRelease, getLatestRelease, getRelease, updateRelease } from './releases.ts';

const RELEASES = 200;
const GROUPS = 100;
/** Groups that have every release. */
const GROUPS_WITH_RELEASES = 50;
const TESTERS = 1000;

const createRelease = (appId: string, id: number) => ({
  app_id: appId,
  id,
  version: String(id),
  short_version: '1.0',
  kind: 'apk',
  file_name: 'app.apk',
  size: 1,
  sha256: '',
  blob_key: `key-${id}`,
  icon_path: null,
  bundle_identifier: null,
  min_os: null,
  min_api_level: null,
  device_family: null,
  hashes: '[]',
  facts: '{}',
  notes: null,
  is_enabled: 1 as const,
  build: null,
  signatures: null,
  uploaded_at: 1,
});

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

eachDatabase('reading one of many releases', (dialect) => {
  test('does not cost more with more releases, groups and testers of the app', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const org = await app.addOrg(ada, 'lighthouse');
    const compass = await app.addOrgApp(org, ada, 'compass');
    await addManyPeople(app, org, TESTERS);
    const groupIds = numbers(GROUPS).map((at) => `group-${at}`);
    await app.database.transaction(async (db) => {
      const named = groupIds.map((id) => ({
        id,
        app_id: compass.id,
        org_id: null,
        name: id,
        name_key: id,
        display_name: null,
        is_public: 0 as const,
        created_at: 1,
      }));
      await db.query((q) => q.insertInto('distribution_groups').values(named));
      const links = groupIds.map((id) => ({ group_id: id, app_id: compass.id, name_key: id }));
      await db.query((q) => q.insertInto('distribution_group_apps').values(links));
      const users = await db.query((q) => q.selectFrom('users').select('id').where('id', '<>', ada.id));
      const members = users.map(({ id }) => ({ group_id: 'group-1', user_id: id }));
      await db.query((q) => q.insertInto('distribution_group_members').values(members));
      const releases = numbers(RELEASES).map((id) => createRelease(compass.id, id));
      await db.query((q) => q.insertInto('releases').values(releases));
      for (const { id } of releases) {
        const rows = groupIds.slice(0, GROUPS_WITH_RELEASES).map((group_id) => ({
          app_id: compass.id,
          release_id: id,
          group_id,
          is_mandatory: 0 as const,
          added_at: 1,
        }));
        await db.query((q) => q.insertInto('release_groups').values(rows));
      }
    });
    const ctx: AppCtx = { ...app.as(ada), app: compass, permission: 'manager' };

    // The release, its groups, and the groups where it is the latest.
    const latestReads = { statements: 5, rows: 1 + 2 * GROUPS_WITH_RELEASES };
    const olderReads = { statements: 5, rows: 1 + GROUPS_WITH_RELEASES };
    expect(await countReads(ctx, (ctx) => getRelease(ctx, RELEASES))).toEqual(latestReads);
    expect(await countReads(ctx, (ctx) => getRelease(ctx, 7))).toEqual(olderReads);
    expect((await getRelease(ctx, RELEASES)).destinations.every(({ isLatest }) => isLatest)).toBe(true);
    expect((await getRelease(ctx, 7)).destinations.some(({ isLatest }) => isLatest)).toBe(false);

    const isCheap = (reads: { statements: number; rows: number }) => {
      expect(reads.statements).toBeLessThanOrEqual(20);
      expect(reads.rows).toBeLessThanOrEqual(2 * GROUPS_WITH_RELEASES + 16);
    };
    isCheap(await countReads(ctx, (ctx) => getLatestRelease(ctx)));
    isCheap(await countReads(ctx, (ctx) => getGroupRelease(ctx, 'group-2', 'latest')));
    isCheap(await countReads(ctx, (ctx) => updateRelease(ctx, 7, { notes: 'Calm' })));
    const options = { isMandatory: false, notifyTesters: false };
    isCheap(await countReads(ctx, (ctx) => distributeToGroup(ctx, 7, 'group-99', options)));
    isCheap(await countReads(ctx, (ctx) => distributeToTester(ctx, 7, 'sailor-500@example.com', options)));
    expect((await getRelease(ctx, 7)).destinations.slice(-2)).toMatchObject([
      { name: 'group-99', isLatest: true },
      { name: 'sailor-500@example.com' },
    ]);

    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'developer');
    isCheap(await countReads(ctx, (ctx) => removeAppUser(ctx, 'grace@example.com')));
  });
});
