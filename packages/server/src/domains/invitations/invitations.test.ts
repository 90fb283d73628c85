import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';

const org = '/v0.1/orgs/lighthouse';
const ofOrg = `${org}/invitations`;
const ofApp = '/v0.1/apps/ada/compass/invitations';
const grace = 'grace@example.com';

/** Ada with an organization and an app, and Grace, who is a member of neither. */
async function createFixtures(dialect: DialectName) {
  const app = await testApp(dialect, { publicUrl: 'https://mooring.example.com' });
  const ada = await app.addUser('ada', { isAdmin: true });
  const user = await app.addUser('grace');
  const lighthouse = await app.addOrg(ada, 'lighthouse');
  const compass = await app.addApp(ada, 'compass');
  const [adas, graces] = [await app.userToken(ada), await app.userToken(user)];
  const status = async (method: string, url: string, token: string, body?: object) =>
    (await app.call(method, url, { token, body })).statusCode;
  return {
    app,
    ada,
    user,
    lighthouse,
    compass,
    adas,
    graces,
    status,
    invite: (url: string, body: object = { user_email: grace }) => status('POST', url, adas, body),
    answer: async (kind: 'org' | 'app', operation: 'accept' | 'reject', token = graces, email = grace) =>
      status('POST', `/v0.1/user/invitations/${kind}s/${await app.mailedToken(email, kind)}/${operation}`, token, {}),
    get: async (url: string, token = adas) => (await app.call('GET', url, { token })).json(),
  };
}

const actions = async (app: TestApp) =>
  (await app.database.query((q) => q.selectFrom('audit_events').selectAll().orderBy('id')))
    .filter(({ action }) => action.startsWith('invitation.'))
    .map(({ action, subject_name, actor_name }) => [action, subject_name, actor_name]);

eachDatabase('invitations', (dialect) => {
  test('to an organization: sends an email with a link that the invited user accepts once', async () => {
    const { app, lighthouse, adas, graces, invite, answer, get, status } = await createFixtures(dialect);
    expect(await invite(ofOrg, { user_email: 'Grace@Example.com', role: 'admin' })).toBe(204);
    expect(await get(ofOrg)).toEqual([
      { id: expect.any(String), email: 'Grace@Example.com', role: 'admin', expires_at: '2026-11-08T09:00:00.000Z' },
    ]);
    const [mail] = (await get('/v0.1/admin/mails')).values;
    expect(mail).toMatchObject({ to: 'Grace@Example.com', subject: 'ada invites you to the organization lighthouse' });
    const token = await app.mailedToken('Grace@Example.com', 'org');
    const { body } = await app.call('POST', `/v0.1/admin/mails/${mail.id}/reveal_link`, { token: adas, body: {} });
    expect(JSON.parse(body)).toEqual({ link: `https://mooring.example.com/invitations/org/${token}` });
    expect(await status('GET', org, graces)).toBe(404);
    expect(await answer('org', 'accept', graces, 'Grace@Example.com')).toBe(204);
    expect(await get(`${org}/users/grace`, graces)).toMatchObject({ role: 'admin' });
    expect(await answer('org', 'accept', graces, 'Grace@Example.com')).toBe(404);
    expect(await get(ofOrg)).toEqual([]);
    expect(await actions(app)).toEqual([
      ['invitation.create', 'Grace@Example.com', 'ada'],
      ['invitation.accept', 'Grace@Example.com', 'grace'],
    ]);
    const events = await app.database.query((q) => q.selectFrom('audit_events').selectAll());
    expect(events.filter(({ org_id }) => org_id === lighthouse.id).map(({ action }) => action)).toContain(
      'invitation.accept',
    );
    const stored = JSON.stringify([events, await app.database.query((q) => q.selectFrom('invitations').selectAll())]);
    expect(stored).not.toContain(token);
    expect(await app.logged()).not.toContain(token);
  });

  test.each([
    ['admin', 'manager'],
    ['collaborator', 'developer'],
    ['member', 'viewer'],
    [undefined, 'developer'],
  ])('to an app as %s grants %s, on the next request, and no access to organizations', async (role, permission) => {
    const { graces, invite, answer, get, status } = await createFixtures(dialect);
    expect(await status('GET', '/v0.1/apps/ada/compass', graces)).toBe(404);
    expect(await invite(ofApp, { user_email: grace, role })).toBe(204);
    expect(await answer('app', 'accept')).toBe(204);
    expect((await get('/v0.1/apps/ada/compass', graces)).member_permissions).toEqual([permission]);
    expect(await get('/v0.1/orgs', graces)).toEqual([]);
  });

  test('an app of an organization can be joined without joining the organization', async () => {
    const { adas, graces, invite, answer, get, status } = await createFixtures(dialect);
    const body = { display_name: 'Sextant', os: 'iOS', platform: 'Objective-C-Swift' };
    expect(await status('POST', `${org}/apps`, adas, body)).toBe(201);
    expect(await invite('/v0.1/apps/lighthouse/sextant/invitations')).toBe(204);
    expect(await answer('app', 'accept')).toBe(204);
    expect((await get('/v0.1/apps/lighthouse/sextant', graces)).member_permissions).toEqual(['developer']);
    expect(await status('GET', org, graces)).toBe(404);
  });

  test('invites a person without an account, who joins once they have one', async () => {
    const { app, invite, answer, get } = await createFixtures(dialect);
    await invite(ofOrg, { user_email: 'new+person%1@example.com' });
    await invite(ofApp, { user_email: 'new+person%1@example.com' });
    expect((await get(ofApp))[0]).toMatchObject({
      email: 'new+person%1@example.com',
      is_existing_user: false,
      invite_type: 'developer',
      permissions: ['developer'],
      app: { name: 'compass' },
      invited_by: { name: 'ada', email: 'ada@example.com' },
    });
    const user = await app.addUser('new');
    await app.database.transaction((db) =>
      db.query((q) =>
        q
          .updateTable('users')
          .set({ email: 'new+person%1@example.com', email_key: 'new+person%1@example.com' })
          .where('id', '=', user.id),
      ),
    );
    const token = await app.userToken(user);
    expect((await get(ofApp))[0].is_existing_user).toBe(true);
    expect(await answer('org', 'accept', token, 'new+person%1@example.com')).toBe(204);
    expect(await answer('app', 'accept', token, 'new+person%1@example.com')).toBe(204);
    expect(await get(`${org}/users/new`)).toMatchObject({ role: 'collaborator' });
  });

  test.each(['org', 'app'] as const)('only the invited user can answer an invitation to an %s', async (kind) => {
    const { app, graces, invite, answer } = await createFixtures(dialect);
    await invite(kind === 'org' ? ofOrg : ofApp);
    const eve = await app.userToken(await app.addUser('eve'));
    const token = await app.mailedToken(grace, kind);
    for (const operation of ['accept', 'reject']) {
      const url = `/v0.1/user/invitations/${kind}s/${token}/${operation}`;
      const refused = await app.call('POST', url, { token: eve, body: {} });
      expect([refused.statusCode, refused.json().error.message]).toEqual([
        403,
        'This invitation is for grace@example.com, but you are signed in as eve@example.com. Sign in with the invited address.',
      ]);
    }
    expect(await app.logged()).not.toContain(token);
    expect(await answer(kind, 'accept', graces)).toBe(204);
  });

  test.each(['org', 'app'] as const)('a declined invitation to an %s is deleted and grants nothing', async (kind) => {
    const { app, graces, invite, answer, get } = await createFixtures(dialect);
    await invite(kind === 'org' ? ofOrg : ofApp);
    expect(await answer(kind, 'reject')).toBe(204);
    expect(await answer(kind, 'reject')).toBe(404);
    expect(await answer(kind, 'accept')).toBe(404);
    expect([await get('/v0.1/orgs', graces), await get('/v0.1/apps', graces)]).toEqual([[], []]);
    expect((await actions(app)).at(-1)).toEqual(['invitation.reject', grace, 'grace']);
  });

  test('a link works for seven days and not for the other kind; an unknown one is a 404', async () => {
    const { app, adas, graces, invite, answer, status } = await createFixtures(dialect);
    await invite(ofOrg);
    await invite(ofApp);
    const wrong = `/v0.1/user/invitations/apps/${await app.mailedToken(grace, 'org')}/accept`;
    expect(await status('POST', wrong, graces, {})).toBe(404);
    expect(await status('POST', '/v0.1/user/invitations/orgs/unknown/accept', graces, {})).toBe(404);
    app.advance(7 * DAY - 1);
    expect(await answer('app', 'accept')).toBe(204);
    app.advance(1);
    expect(await answer('org', 'accept')).toBe(404);
    expect(await status('POST', `${ofOrg}/${grace}/resend`, adas)).toBe(204);
    expect(await answer('org', 'accept')).toBe(204);
  });

  test('of two users who accept one link concurrently, one succeeds', async () => {
    const { app, user, invite } = await createFixtures(dialect);
    const other = await app.another();
    for (const kind of ['org', 'app'] as const) {
      await invite(kind === 'org' ? ofOrg : ofApp);
      const url = `/v0.1/user/invitations/${kind}s/${await app.mailedToken(grace, kind)}/accept` as const;
      const headers = { 'x-api-token': await app.userToken(user) };
      const accept = (http: TestApp['http']) => () => http.inject({ method: 'POST', url, headers, payload: {} });
      const responses = await atOnce(app, [accept(app.http), accept(other.http), accept(app.http)]);
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([204, 404, 404]);
    }
    expect((await actions(app)).filter(([action]) => action === 'invitation.accept')).toHaveLength(2);
  });

  test('two concurrent invitations of the same person create one', async () => {
    const { app, graces, invite, get, status } = await createFixtures(dialect);
    const again = () => invite(ofOrg);
    expect(await atOnce(app, [again, again, again])).toEqual([204, 204, 204]);
    expect(await get(ofOrg)).toHaveLength(1);
    const mails = await app.database.query((q) => q.selectFrom('mails').select('text'));
    const responses: number[] = [];
    for (const { text } of mails) {
      const token = /invitations\/org\/(\w+)/.exec(text)?.[1];
      responses.push(await status('POST', `/v0.1/user/invitations/orgs/${token}/accept`, graces, {}));
    }
    expect(responses.sort()).toEqual([204, 404, 404]);
  });

  test('inviting again replaces the link and keeps the role unless a new one is sent', async () => {
    const { app, graces, invite, get, status } = await createFixtures(dialect);
    await invite(ofOrg, { user_email: grace, role: 'member' });
    const old = await app.mailedToken(grace, 'org');
    expect(await invite(ofOrg, { user_email: 'GRACE@example.com' })).toBe(204);
    expect((await get(ofOrg)).map(({ email, role }: Record<string, string>) => [email, role])).toEqual([
      ['GRACE@example.com', 'member'],
    ]);
    expect(await status('POST', `/v0.1/user/invitations/orgs/${old}/accept`, graces, {})).toBe(404);
    const fresh = await app.mailedToken('GRACE@example.com', 'org');
    expect(await status('POST', `/v0.1/user/invitations/orgs/${fresh}/accept`, graces, {})).toBe(204);
    expect((await actions(app)).map(([action]) => action)).toEqual([
      'invitation.create',
      'invitation.resend',
      'invitation.accept',
    ]);
  });

  test('resending works with an empty body of type JSON, with none at all, and with a role', async () => {
    const { app, adas, invite, get, answer, status } = await createFixtures(dialect);
    const url = `${ofOrg}/${encodeURIComponent(grace)}/resend`;
    expect(await status('POST', url, adas)).toBe(404);
    await invite(ofOrg);
    const old = await app.mailedToken(grace, 'org');
    const headers = { 'content-type': 'application/json' };
    expect((await app.call('POST', url, { token: adas, headers })).statusCode).toBe(204);
    expect(await app.mailedToken(grace, 'org')).not.toBe(old);
    expect(await status('POST', url, adas)).toBe(204);
    expect(await status('POST', url, adas, { role: 'nothing' })).toBe(400);
    expect(await status('POST', url, adas, { role: 'admin' })).toBe(204);
    expect((await get(ofOrg))[0].role).toBe('admin');
    expect(await answer('org', 'accept')).toBe(204);
  });

  test('a changed invitation grants the new role, with the same link', async () => {
    const { app, adas, graces, invite, answer, get, status } = await createFixtures(dialect);
    await invite(ofOrg);
    await invite(ofApp);
    expect(await status('PATCH', `${ofOrg}/GRACE@example.com`, adas, { role: 'member' })).toBe(204);
    expect(await status('PATCH', `${ofOrg}/${grace}`, adas, {})).toBe(204);
    expect(await status('PATCH', `${ofApp}/${grace}`, adas, { permissions: ['viewer', 'manager'] })).toBe(204);
    expect(await status('PATCH', `${ofApp}/${grace}`, adas, { permissions: [] })).toBe(400);
    expect(await status('PATCH', `${ofApp}/${grace}`, adas, { permissions: ['tester'] })).toBe(400);
    expect(await status('PATCH', `${ofOrg}/nobody@example.com`, adas, { role: 'member' })).toBe(404);
    expect(await status('PATCH', `${ofApp}/nobody@example.com`, adas, { permissions: ['viewer'] })).toBe(404);
    expect([await answer('org', 'accept'), await answer('app', 'accept')]).toEqual([204, 204]);
    expect((await get(`${org}/users/grace`)).role).toBe('member');
    expect((await get('/v0.1/apps/ada/compass', graces)).member_permissions).toEqual(['manager']);
    expect((await actions(app)).filter(([action]) => action === 'invitation.update')).toHaveLength(2);
  });

  test('a withdrawn invitation no longer works, with each way to withdraw it', async () => {
    const { app, adas, invite, answer, status } = await createFixtures(dialect);
    const ways = [
      ['org', 'DELETE', ofOrg, { user_email: 'Grace@example.com' }],
      ['org', 'POST', `${ofOrg}/${grace}/revoke`, {}],
      ['app', 'DELETE', `${ofApp}/${encodeURIComponent('Grace@example.com')}`, undefined],
    ] as const;
    for (const [kind, method, url, body] of ways) {
      expect(await invite(kind === 'org' ? ofOrg : ofApp)).toBe(204);
      expect(await status(method, url, adas, body)).toBe(204);
      expect(await status(method, url, adas, body)).toBe(404);
      expect(await answer(kind, 'accept')).toBe(404);
    }
    expect(await status('DELETE', ofOrg, adas)).toBe(400);
    expect((await actions(app)).filter(([action]) => action === 'invitation.revoke')).toHaveLength(3);
  });

  test('a user of an app can only be invited to a higher permission', async () => {
    const { app, user, compass, invite, answer } = await createFixtures(dialect);
    await app.addMember(compass, user, 'viewer');
    expect(await invite(ofApp, { user_email: grace, role: 'member' })).toBe(409);
    expect(await invite(ofApp, { user_email: grace, role: 'admin' })).toBe(204);
    expect(await answer('app', 'accept')).toBe(204);
    expect(await invite(ofApp, { user_email: grace, role: 'admin' })).toBe(409);
  });

  test('members are not invited, regardless of the case of their email', async () => {
    const { app, user, lighthouse, compass, adas, invite, status } = await createFixtures(dialect);
    await invite(ofOrg);
    await app.addToOrg(lighthouse, user, 'member');
    await app.addMember(compass, user, 'developer');
    expect(await invite(ofOrg, { user_email: 'GRACE@example.com' })).toBe(409);
    expect(await status('POST', `${ofOrg}/${grace}/resend`, adas)).toBe(409);
    expect(await invite(ofApp, { user_email: 'GRACE@example.com' })).toBe(409);
    expect(await status('POST', `${ofApp}/${grace}`, adas, {})).toBe(409);
    expect(await invite(ofApp, { user_email: 'ada@example.com' })).toBe(409);
  });

  test('accepting never lowers a role or permission', async () => {
    const { app, user, lighthouse, compass, graces, invite, answer, get } = await createFixtures(dialect);
    await invite(ofOrg, { user_email: grace, role: 'member' });
    await invite(ofApp, { user_email: grace, role: 'member' });
    await app.addToOrg(lighthouse, user, 'admin');
    await app.addMember(compass, user, 'manager');
    expect([await answer('org', 'accept'), await answer('app', 'accept')]).toEqual([204, 204]);
    expect((await get(`${org}/users/grace`)).role).toBe('admin');
    expect((await get('/v0.1/apps/ada/compass', graces)).member_permissions).toEqual(['manager']);
  });

  test('rejects an invalid email or role and sends no email', async () => {
    const { adas, invite, get, status } = await createFixtures(dialect);
    for (const body of [
      {},
      { user_email: 'x' },
      { user_email: 'a@b.c, d@e.f' },
      { user_email: grace, role: 'owner' },
    ]) {
      expect([body, await invite(ofOrg, body), await invite(ofApp, body)]).toEqual([body, 400, 400]);
    }
    expect(await status('POST', `${ofApp}/not-an-address`, adas, {})).toBe(400);
    expect((await get('/v0.1/admin/mails')).values).toEqual([]);
  });

  test('inviters see unanswered invitations as long as they see the target', async () => {
    const { app, ada, user, lighthouse, adas, graces, invite, answer, get, status } = await createFixtures(dialect);
    await app.addToOrg(lighthouse, user, 'admin');
    await app.addApp(user, 'sextant');
    const byGrace = (url: string, user_email: string) => status('POST', url, graces, { user_email });
    expect(await byGrace(ofOrg, 'one@example.com')).toBe(204);
    expect(await byGrace('/v0.1/apps/grace/sextant/invitations', ada.email)).toBe(204);
    await invite(ofOrg, { user_email: 'two@example.com' });
    expect(await get('/v0.1/invitations/sent', graces)).toMatchObject([
      { email: ada.email, app: { name: 'sextant' } },
      { email: 'one@example.com', organization: { name: 'lighthouse' } },
    ]);
    expect(await answer('app', 'accept', adas, ada.email)).toBe(204);
    expect(await status('DELETE', `${org}/users/grace`, graces)).toBe(204);
    expect(await get('/v0.1/invitations/sent', graces)).toEqual([]);
    expect(await get('/v0.1/invitations/sent')).toMatchObject([{ email: 'two@example.com' }]);
  });

  test('an app token invites to its app in the name of its creator', async () => {
    const { app, ada, compass, answer, get, status } = await createFixtures(dialect);
    const token = await app.appToken(compass, ada);
    expect(await status('POST', `${ofApp}/${grace}`, token, {})).toBe(204);
    expect((await get(ofApp))[0].invited_by.name).toBe('ada');
    expect(await answer('app', 'accept')).toBe(204);
  });

  test('only admins and managers invite, list and withdraw', async () => {
    const { app, user, lighthouse, compass, graces, status } = await createFixtures(dialect);
    await app.addToOrg(lighthouse, user, 'collaborator');
    await app.addMember(compass, user, 'developer');
    const body = { user_email: 'new@example.com' };
    expect(await status('POST', ofOrg, graces, body)).toBe(403);
    expect(await status('GET', ofOrg, graces)).toBe(403);
    expect(await status('DELETE', ofOrg, graces, body)).toBe(403);
    expect(await status('POST', ofApp, graces, body)).toBe(403);
    expect(await status('GET', ofApp, graces)).toBe(403);
  });

  test('are deleted with the organization or the app', async () => {
    const { app, adas, invite, answer, status } = await createFixtures(dialect);
    await invite(ofOrg);
    await invite(ofApp);
    expect(await status('DELETE', org, adas)).toBe(204);
    expect(await status('DELETE', '/v0.1/apps/ada/compass', adas)).toBe(204);
    expect([await answer('org', 'accept'), await answer('app', 'accept')]).toEqual([404, 404]);
    expect(await app.database.query((q) => q.selectFrom('invitations').select('id'))).toEqual([]);
  });

  test('are limited for each address, in any operation, without affecting other addresses', async () => {
    const { app, adas, invite, status } = await createFixtures(dialect);
    const [victim, other] = [{ user_email: 'Victim@example.com' }, { user_email: 'other@example.com' }];
    for (let n = 0; n < 10; n++) {
      expect([await invite(ofOrg, victim), await invite(ofApp, victim)]).toEqual([204, 204]);
    }
    const members = '/v0.1/apps/ada/compass/distribution_groups/beta/members';
    await status('POST', '/v0.1/apps/ada/compass/distribution_groups', adas, { name: 'beta' });
    const body = { user_emails: ['victim@Example.com', 'other@example.com'] };
    const results = (await app.call('POST', members, { token: adas, body })).json();
    expect(results.map((result: { status: number }) => result.status)).toEqual([429, 200]);
    const resend = `${ofOrg}/victim@example.com/resend`;
    const refused = await app.call('POST', ofOrg, { token: adas, body: victim });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      429,
      'Victim@example.com has received too many emails from this server within the hour. Try again later.',
    ]);
    expect([await invite(ofApp, victim), await status('POST', resend, adas, {}), await invite(ofOrg, other)]).toEqual([
      429, 429, 204,
    ]);
    app.advance(HOUR);
    expect(await invite(ofOrg, victim)).toBe(204);
  });

  test('are in the audit log of their target, with the offered role before and after', async () => {
    const { app, lighthouse, compass, ada, adas, invite, answer, status } = await createFixtures(dialect);
    const expires_at = '2026-11-08T09:00:00.000Z';
    await invite(ofOrg, { user_email: grace, role: 'member' });
    await status('POST', `${ofOrg}/${grace}/resend`, adas, { role: 'admin' });
    await status('PATCH', `${ofOrg}/${grace}`, adas, { role: 'collaborator' });
    await answer('org', 'accept');
    await invite(ofApp);
    await answer('app', 'reject');
    await invite(ofApp);
    await status('DELETE', `${ofApp}/${grace}`, adas);
    await invite(ofApp, { user_email: grace, role: 'member' });
    await answer('app', 'accept');
    const log = await recorded(app, 'invitation.');
    expect(log.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['invitation.create', undefined, { role: 'member', expires_at }],
      ['invitation.resend', { role: 'member' }, { role: 'admin', expires_at }],
      ['invitation.update', { role: 'admin' }, { role: 'collaborator' }],
      ['invitation.accept', undefined, { role: 'collaborator' }],
      ['invitation.create', undefined, { role: 'developer', expires_at }],
      ['invitation.reject', { role: 'developer' }, undefined],
      ['invitation.create', undefined, { role: 'developer', expires_at }],
      ['invitation.revoke', { role: 'developer' }, undefined],
      ['invitation.create', undefined, { role: 'viewer', expires_at }],
      ['invitation.accept', undefined, { role: 'viewer' }],
    ]);
    const ofLighthouse = { orgId: lighthouse.id, appId: null };
    const ofCompass = { orgId: ada.id, appId: compass.id };
    expect(log.map(({ orgId, appId }) => ({ orgId, appId }))).toEqual([
      ...Array.from({ length: 4 }, () => ofLighthouse),
      ...Array.from({ length: 6 }, () => ofCompass),
    ]);
    expect(new Set(log.map(({ subject }) => `${subject.kind} ${subject.name}`))).toEqual(
      new Set([`invitation ${grace}`]),
    );
    expect(new Set(log.slice(0, 4).map(({ subject }) => subject.id)).size).toBe(1);
  });

  test('are listed by email address, with the inviter and whether an account exists, and newest first for the inviter', async () => {
    const { app, ada, invite, get } = await createFixtures(dialect);
    for (const user_email of ['zoe@example.com', 'Anna@example.com', grace]) {
      await invite(ofOrg, { user_email });
      await invite(ofApp, { user_email });
    }
    const emails = (list: { email: string }[]) => list.map(({ email }) => email);
    const sorted = ['Anna@example.com', grace, 'zoe@example.com'];
    expect(emails(await get(ofOrg))).toEqual(sorted);
    const listed = await get(ofApp);
    expect(emails(listed)).toEqual(sorted);
    expect(listed[1]).toMatchObject({ is_existing_user: true, invited_by: { id: ada.id, name: 'ada' } });
    expect(listed[0]).toMatchObject({ is_existing_user: false });
    const sent = emails(await get('/v0.1/invitations/sent'));
    expect(sent).toEqual([grace, grace, 'Anna@example.com', 'Anna@example.com', 'zoe@example.com', 'zoe@example.com']);
    expect(await get('/v0.1/invitations/sent', await app.userToken(await app.addUser('eve')))).toEqual([]);
  });

  test('end when their inviter loses the permission, in an organization and in an app', async () => {
    const { app, lighthouse, compass, adas, status, get } = await createFixtures(dialect);
    const linus = await app.addUser('linus');
    const mary = await app.addUser('mary');
    const linuss = await app.userToken(linus);
    const inviteAll = async () => {
      await app.addToOrg(lighthouse, linus, 'admin');
      await app.addMember(compass, linus, 'manager');
      for (const url of [ofOrg, ofApp]) {
        expect(await status('POST', url, linuss, { user_email: mary.email, role: 'admin' })).toBe(204);
      }
    };
    const open = async () => [(await get(ofOrg)).length, (await get(ofApp)).length];
    const marys = await app.userToken(mary);
    const accept = async (kind: 'org' | 'app') =>
      status('POST', `/v0.1/user/invitations/${kind}s/${await app.mailedToken(mary.email, kind)}/accept`, marys, {});
    const user = '/v0.1/apps/ada/compass/users/linus@example.com';
    const losses = [
      [() => status('DELETE', `${org}/users/linus`, adas), [0, 1]],
      [() => status('PATCH', `${org}/users/linus`, adas, { role: 'collaborator' }), [0, 1]],
      [() => status('DELETE', user, adas), [1, 0]],
      [() => status('PATCH', user, adas, { permissions: ['developer'] }), [1, 0]],
      [() => status('PATCH', `/v0.1/admin/users/${linus.id}`, adas, { is_disabled: true }), [0, 0]],
    ] as const;
    for (const [lose, left] of losses) {
      await inviteAll();
      expect(await lose()).toBeLessThan(300);
      expect(await open()).toEqual(left);
      const accepted = [await accept('org'), await accept('app')];
      expect(accepted).toEqual(left.map((count) => (count === 1 ? 204 : 404)));
      for (const url of [`${org}/users/mary`, '/v0.1/apps/ada/compass/users/mary@example.com']) {
        await status('DELETE', url, adas);
      }
    }
  });

  test('cannot be used once the inviter has lost the permission, even if the invitation still exists', async () => {
    const { app, lighthouse, user, graces, status } = await createFixtures(dialect);
    const linus = await app.addUser('linus');
    await app.addToOrg(lighthouse, linus, 'admin');
    const linuss = await app.userToken(linus);
    expect(await status('POST', ofOrg, linuss, { user_email: user.email })).toBe(204);
    // Deletes the row without events, as an older version would.
    await app.database.transaction((db) =>
      db.query((q) => q.updateTable('org_members').set({ role: 'member' }).where('user_id', '=', linus.id)),
    );
    const path = `/v0.1/user/invitations/orgs/${await app.mailedToken(grace, 'org')}`;
    expect([await status('POST', `${path}/accept`, graces, {}), await status('GET', org, graces)]).toEqual([404, 404]);
  });

  test('to a removed user, and to a transferred app, are withdrawn and audited', async () => {
    const { app, ada, lighthouse, user, adas, graces, invite, get, answer, status } = await createFixtures(dialect);
    const sextant = '/v0.1/apps/lighthouse/sextant';
    await app.addOrgApp(lighthouse, ada, 'sextant');
    await app.addToOrg(lighthouse, user, 'member');
    expect(await invite(`${sextant}/invitations`, { user_email: grace, role: 'admin' })).toBe(204);
    expect(await status('DELETE', `${org}/users/grace`, adas)).toBe(204);
    expect([await get(`${sextant}/invitations`), await answer('app', 'accept')]).toEqual([[], 404]);

    await invite(ofApp, { user_email: grace, role: 'member' });
    expect(await answer('app', 'accept')).toBe(204);
    await invite(ofApp, { user_email: grace, role: 'admin' });
    expect(await status('DELETE', `/v0.1/apps/ada/compass/users/${grace}`, adas)).toBe(204);
    expect([await get(ofApp), await answer('app', 'accept')]).toEqual([[], 404]);

    await invite(ofApp);
    expect(await status('POST', '/v0.1/apps/ada/compass/transfer/lighthouse', adas, {})).toBe(200);
    expect(await get('/v0.1/apps/lighthouse/compass/invitations')).toEqual([]);
    expect([await answer('app', 'accept'), await status('GET', '/v0.1/apps/lighthouse/compass', graces)]).toEqual([
      404, 404,
    ]);
    const withdrawn = (await actions(app)).filter(([action]) => action === 'invitation.revoke');
    expect(withdrawn).toEqual(Array(3).fill(['invitation.revoke', grace, 'ada']));
  });
});
