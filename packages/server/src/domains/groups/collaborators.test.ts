import { expect, test } from 'vitest';
import { createApk } from '../../../../../tools/samples/packages.ts';
import { withGroups } from '../../../test/harness/groups.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { createMissingCollaborators } from './collaborators.ts';
import { deleteGroupRow, insertGroup, insertGroupApp } from './groups.store.ts';

const compassUrl = '/v0.1/apps/lighthouse/compass';
const groups = `${compassUrl}/distribution_groups`;
const collaborators = `${groups}/Collaborators`;

eachDatabase('the group Collaborators', (dialect) => {
  test('comes with each app, has its ID, and lists the users who work on the app', async () => {
    const { app, ask: request, members, compass, grace, mary, tokens } = await withGroups(dialect);
    const created = await request('POST', '/v0.1/apps', {
      name: 'tide',
      display_name: 'Tide',
      os: 'iOS',
      platform: 'React-Native',
    });
    expect(created.status).toBe(201);
    expect((await request('GET', `/v0.1/apps/ada/tide/distribution_groups`)).body).toEqual([
      {
        id: created.body.id,
        name: 'Collaborators',
        display_name: 'Collaborators',
        origin: 'appcenter',
        is_public: false,
      },
    ]);
    expect(await members('/v0.1/apps/ada/tide/distribution_groups/collaborators')).toEqual([
      ['ada@example.com', false],
    ]);

    // Ada administers the organization and manages the app; she is listed once.
    expect(await members(collaborators)).toEqual([
      ['ada@example.com', false],
      ['grace@example.com', false],
    ]);
    await app.addMember(compass, mary, 'tester');
    expect((await members(collaborators)).map(([email]) => email)).not.toContain('mary@example.com');
    await app.addMember(compass, mary, 'viewer');
    expect((await members(collaborators)).map(([email]) => email)).toContain('mary@example.com');
    expect(await request('DELETE', `${compassUrl}/users/${grace.email}`)).toMatchObject({ status: 204 });
    expect((await members(collaborators)).map(([email]) => email)).toEqual(['ada@example.com', 'mary@example.com']);
    const found = await request('GET', `${collaborators}/members?limit=1`, undefined, tokens.mary);
    expect(found.status).toBe(200);
  });

  test('refuses to be renamed or deleted and to get other members, and can be public', async () => {
    const { ask: request, reason, names } = await withGroups(dialect);
    expect(await reason('PATCH', collaborators, { name: 'Crew' })).toEqual([
      409,
      expect.stringContaining("Can't rename"),
    ]);
    expect(await reason('DELETE', collaborators)).toEqual([409, expect.stringContaining("Can't delete")]);
    const refused = [409, expect.stringContaining('Invite users to the app')];
    const body = { user_emails: ['eve@example.com'] };
    expect(await reason('POST', `${collaborators}/members`, body)).toEqual(refused);
    expect(await reason('POST', `${collaborators}/members/bulk_delete`, body)).toEqual(refused);
    expect(await reason('POST', groups, { name: 'collaborators' })).toEqual([409, expect.stringContaining('already')]);
    expect((await request('PATCH', collaborators, { is_public: true })).body).toMatchObject({ is_public: true });
    expect(await names(groups)).toEqual(['beta', 'common']);
  });

  test('is created for apps of earlier versions, except where a group has the name', async () => {
    const { app, ask: request, compass, sextant } = await withGroups(dialect);
    const ctx = systemCtx(app.deps);
    const own = { id: ctx.newId(), app_id: sextant.id, org_id: null, name: 'Collaborators', name_key: 'collaborators' };
    await tx(ctx, async ({ db }) => {
      for (const { id } of [compass, sextant]) await deleteGroupRow.run(db, { id });
      await insertGroup.first(db, { ...own, display_name: null, is_public: 0, created_at: 1 });
      await insertGroupApp.first(db, { group_id: own.id, app_id: sextant.id, name_key: 'collaborators' });
    });
    expect((await request('GET', collaborators)).status).toBe(404);
    await createMissingCollaborators(ctx);
    await createMissingCollaborators(ctx);
    expect((await request('GET', collaborators)).status).toBe(200);
    const ofSextant = '/v0.1/apps/lighthouse/sextant/distribution_groups/Collaborators';
    expect((await request('GET', ofSextant)).body.id).toBe(own.id);
    expect((await request('DELETE', ofSextant)).status).toBe(204);
  });

  test('gets a release, with an email and updates for each collaborator', async () => {
    const { app, compass, tokens, ask: request, mailsTo } = await withGroups(dialect);
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${compassUrl}/releases/uploads?file_name=app.apk`, {
      token: tokens.ada,
      body: createApk(),
      headers,
    });
    await app.runJobs();
    const { status } = await request('PATCH', `${compassUrl}/releases/1`, {
      destinations: [{ name: 'Collaborators' }],
    });
    expect(status).toBe(200);
    app.advance(MINUTE);
    await app.runJobs();
    expect((await mailsTo('grace@example.com')).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('ready to test'),
    ]);
    expect(await mailsTo('mary@example.com')).toEqual([]);
    const listed = await request('GET', `${compassUrl}/releases?published_only=true`, undefined, tokens.grace);
    expect(listed.body).toMatchObject([{ id: 1, destinations: [{ id: compass.id, name: 'Collaborators' }] }]);
    const open = await request('GET', `${collaborators}/releases`, undefined, tokens.grace);
    expect(open.body).toMatchObject([{ id: 1 }]);
  });
});
