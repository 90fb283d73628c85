import { expect, test } from 'vitest';
import { createApk } from '../../../../../tools/samples/packages.ts';
import { withGroups } from '../../../test/harness/groups.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx, type User } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { listGroupDeviceRows, saveDevice } from './devices/devices.store.ts';
import { listReleaseDevices } from './devices/resigning.store.ts';
import { androidHash } from './packages/android/apk.ts';
import { listLatestForUser, listReleasesForUser, listUserGroupIds } from './releases.store.ts';
import { findLatestForMember } from './updates/in-app-updates.store.ts';
import { listGroupsWithBuild } from './updates/private-updates.store.ts';

const hash = androidHash('com.example.compass', '1.4.0', '140');

eachDatabase('a release for the group Collaborators', (dialect) => {
  test('reaches administrators, team members and users of the app, until they lose access', async () => {
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
    await app.call('PUT', `${base}/releases/uploads?file_name=app.apk`, {
      token: tokens.ada,
      body: createApk(),
      headers,
    });
    await app.runJobs();
    const distribution = { destinations: [{ name: 'Collaborators' }], notify_testers: false };
    expect(await ask('PATCH', `${base}/releases/1`, distribution)).toMatchObject({ status: 200 });

    /** Runs every query that decides who has a release. */
    const listReached = async () => {
      const appId = compass.id;
      const names: string[] = [];
      for (const { id: userId, name } of [ada, eve, grace, mary] as User[]) {
        const counts = [
          await listReleasesForUser.all(db, { appId, userId }),
          await listUserGroupIds.all(db, { appId, userId }),
          await listLatestForUser.all(db, { userId }),
          await findLatestForMember.all(db, { appId, userId }),
          await listGroupsWithBuild.all(db, { appId, hash, userId }),
        ].map((rows) => rows.length);
        expect(new Set(counts).size, `${name}: ${counts}`).toBe(1);
        if (counts[0] === 1) names.push(name);
      }
      const udids = (rows: { udid: string }[]) => rows.map(({ udid }) => udid).sort();
      const devices = udids(await listReleaseDevices.all(db, { appId, releaseId: 1, limit: 10 }));
      expect(udids(await listGroupDeviceRows.all(db, { groupId: appId }))).toEqual(devices);
      expect(devices).toHaveLength(names.length);
      const members = (await ask('GET', `${base}/distribution_groups/Collaborators/members`)).body;
      expect(members.map(({ name }: { name: string }) => name)).toEqual(names);
      return names;
    };
    expect(await listReached()).toEqual(['ada', 'grace', 'mary']);

    expect(await ask('DELETE', '/v0.1/orgs/lighthouse/teams/pilots/users/mary')).toMatchObject({ status: 204 });
    expect(await listReached()).toEqual(['ada', 'grace']);
    await app.addMember(compass, eve, 'viewer');
    expect(await listReached()).toEqual(['ada', 'eve', 'grace']);

    await app.addOrg(ada, 'jetty');
    expect(await ask('POST', `${base}/transfer/jetty`, {})).toMatchObject({ status: 200 });
    base = '/v0.1/apps/jetty/compass';
    const { body } = await ask('GET', `${base}/users`);
    const stayed = body.map(({ name }: { name: string }) => name);
    expect(stayed).toContain('ada');
    expect((await listReached()).sort()).toEqual(stayed.sort());
    expect((await ask('GET', `${base}/distribution_groups/Collaborators`)).body.id).toBe(compass.id);
  });
});
