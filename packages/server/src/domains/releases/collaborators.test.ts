import { expect, test } from 'vitest';
import { apkOf } from '../../../../../tools/packages.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { withGroups } from '../../../test/harness/groups.ts';
import { systemCtx, type User } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { listDevicesOfGroup, saveDevice } from './devices/devices.store.ts';
import { listDevicesOfRelease } from './devices/resigning.store.ts';
import { androidHash } from './packages/apk.ts';
import { listGroupIdsOf, listLatestGivenTo, listReleasesGivenTo } from './releases.store.ts';
import { findLatestOfMember } from './updates/in-app-updates.store.ts';
import { listGroupsWithBuild } from './updates/private-updates.store.ts';

const hash = androidHash('com.example.compass', '1.4.0', '140');

eachDatabase('a release for the group Collaborators', (dialect) => {
  test('reaches administrators, members of teams and users of the app, until they lose access', async () => {
    const { app, ask, ada, grace, mary, eve, compass, lighthouse, tokens } = await withGroups(dialect);
    const ctx = systemCtx(app.deps);
    const { db } = ctx;
    let base = '/v0.1/apps/lighthouse/compass';
    await app.addTeam(lighthouse, ada, 'pilots', { users: [mary], apps: [compass] });
    for (const [at, { id }] of [ada, grace, mary, eve].entries()) {
      const device = { model: 'iPhone14,5', os_build: '20A1', os_version: '16.0', serial: null, imei: null };
      await tx(ctx, ({ db }) => saveDevice.run(db, { ...device, user_id: id, udid: `udid-${at}`, registered_at: 1 }));
    }
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${base}/releases/uploads?file_name=app.apk`, { token: tokens.ada, body: apkOf(), headers });
    await app.runJobs();
    const given = { destinations: [{ name: 'Collaborators' }], notify_testers: false };
    expect(await ask('PATCH', `${base}/releases/1`, given)).toMatchObject({ status: 200 });

    /** Asks every query that decides who has a release. */
    const reached = async () => {
      const appId = compass.id;
      const names: string[] = [];
      for (const { id: userId, name } of [ada, eve, grace, mary] as User[]) {
        const answers = [
          await listReleasesGivenTo.all(db, { appId, userId }),
          await listGroupIdsOf.all(db, { appId, userId }),
          await listLatestGivenTo.all(db, { userId }),
          await findLatestOfMember.all(db, { appId, userId }),
          await listGroupsWithBuild.all(db, { appId, hash, userId }),
        ].map((rows) => rows.length);
        expect(new Set(answers).size, `${name}: ${answers}`).toBe(1);
        if (answers[0] === 1) names.push(name);
      }
      const udids = (rows: { udid: string }[]) => rows.map(({ udid }) => udid).sort();
      const devices = udids(await listDevicesOfRelease.all(db, { appId, releaseId: 1, limit: 10 }));
      expect(udids(await listDevicesOfGroup.all(db, { groupId: appId }))).toEqual(devices);
      expect(devices).toHaveLength(names.length);
      const members = (await ask('GET', `${base}/distribution_groups/Collaborators/members`)).body;
      expect(members.map(({ name }: { name: string }) => name)).toEqual(names);
      return names;
    };
    expect(await reached()).toEqual(['ada', 'grace', 'mary']);

    expect(await ask('DELETE', '/v0.1/orgs/lighthouse/teams/pilots/users/mary')).toMatchObject({ status: 204 });
    expect(await reached()).toEqual(['ada', 'grace']);
    await app.addMember(compass, eve, 'viewer');
    expect(await reached()).toEqual(['ada', 'eve', 'grace']);

    await app.addOrg(ada, 'jetty');
    expect(await ask('POST', `${base}/transfer/jetty`, {})).toMatchObject({ status: 200 });
    base = '/v0.1/apps/jetty/compass';
    const { body } = await ask('GET', `${base}/users`);
    const stayed = body.map(({ name }: { name: string }) => name);
    expect(stayed).toContain('ada');
    expect((await reached()).sort()).toEqual(stayed.sort());
    expect((await ask('GET', `${base}/distribution_groups/Collaborators`)).body.id).toBe(compass.id);
  });
});
