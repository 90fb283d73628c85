import { expect, onTestFinished, test } from 'vitest';
import { startSmtp } from '../../../../../test-support/smtp.ts';
import { withGroups } from '../../../test/harness/groups.ts';
import { countQueries } from '../../../test/harness/queries.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { DAY } from '../../kernel/clock.ts';

const org = '/v0.1/orgs/lighthouse';
const compassUrl = '/v0.1/apps/lighthouse/compass';
const beta = `${compassUrl}/distribution_groups/beta`;
const common = `${org}/distribution_groups/common`;
const acceptAll = '/v0.1/user/invitations/distribution_groups/accept';

eachDatabase('members of distribution groups', (dialect) => {
  test('join immediately if they have access to the app, and are pending otherwise, with or without an account', async () => {
    const { add, ask: request, members, mailsTo } = await withGroups(dialect);
    // Mary is in the organization, which allows no access to its apps.
    expect(await add(beta, 'GRACE@example.com', 'mary@example.com', 'New+person%1@example.com')).toEqual([
      { status: 200, user_email: 'GRACE@example.com', invite_pending: false },
      { status: 200, user_email: 'mary@example.com', invite_pending: true },
      { status: 200, user_email: 'New+person%1@example.com', invite_pending: true },
    ]);
    expect(await members(beta)).toEqual([
      ['grace@example.com', false],
      ['mary@example.com', true],
      ['New+person%1@example.com', true],
    ]);
    const { body } = await request('GET', `${beta}/members`);
    expect(body[0]).toEqual({
      id: expect.any(String),
      name: 'grace',
      display_name: 'grace',
      email: 'grace@example.com',
      can_change_password: true,
      invite_pending: false,
    });
    // Invitations do not reveal whether an address has an account.
    expect(body[1]).toEqual({ email: 'mary@example.com', display_name: 'mary@example.com', invite_pending: true });
    const confirmed = await request('GET', `${beta}/members?exclude_pending_invitations=true`);
    expect(confirmed.body).toEqual([body[0]]);
    expect(await mailsTo('grace@example.com')).toEqual([]);
    const [mail] = await mailsTo('New+person%1@example.com');
    expect(mail?.subject).toBe('ada invites you to test the app lighthouse/compass');
    expect(mail?.text).toMatch(/^https:\/\/mooring\.example\.com\/invitations\/group\/\w{43}$/m);
  });

  test('of a shared group join immediately if they are in the organization', async () => {
    const { add, tokens, permission, mailsTo } = await withGroups(dialect);
    expect(await permission(tokens.mary, 'sextant')).toBe(404);
    const results = await add(common, 'mary@example.com', 'eve@example.com');
    expect(results.map(({ invite_pending }) => invite_pending)).toEqual([false, true]);
    expect([await permission(tokens.mary, 'sextant'), await permission(tokens.eve)]).toEqual(['tester', 404]);
    expect((await mailsTo('eve@example.com'))[0]?.subject).toBe(
      'ada invites you to test apps of the organization lighthouse',
    );
  });

  test('accept all their invitations together, and may test from the next request on, and do nothing else', async () => {
    const { app, add, accept, members, tokens, permission, ask: request, names } = await withGroups(dialect);
    await add(beta, 'Eve@Example.com');
    await add(common, 'eve@example.com');
    expect(await permission(tokens.eve)).toBe(404);
    expect(await accept(tokens.grace)).toBe(204);
    expect(await permission(tokens.eve)).toBe(404);
    expect(await accept(tokens.eve)).toBe(204);
    expect([await permission(tokens.eve), await permission(tokens.eve, 'sextant')]).toEqual(['tester', 'tester']);
    expect(await names('/v0.1/apps', tokens.eve)).toEqual(['compass', 'sextant']);
    expect([await members(beta), await members(common)]).toEqual([
      [['eve@example.com', false]],
      [['eve@example.com', false]],
    ]);
    for (const [method, url, body] of [
      ['GET', `${compassUrl}/users`],
      ['GET', `${compassUrl}/distribution_groups`],
      ['PATCH', compassUrl, { description: 'mine' }],
      ['DELETE', compassUrl],
      ['POST', `${beta}/members`, { user_emails: ['mary@example.com'] }],
    ] as const) {
      expect([url, (await request(method, url, body, tokens.eve)).status]).toEqual([url, 403]);
    }
    expect((await request('GET', org, undefined, tokens.eve)).status).toBe(404);
    const accepted = await app.database.query((q) =>
      q.selectFrom('audit_events').select(['subject_name', 'actor_name', 'after']).where('action', '=', 'group.accept'),
    );
    expect(accepted.map(({ subject_name, actor_name }) => [subject_name, actor_name])).toEqual([
      ['lighthouse/compass/beta', 'eve'],
      ['lighthouse/common', 'eve'],
    ]);
    expect(await accept(tokens.eve)).toBe(204);
  });

  test('who get an account later are pending until they accept', async () => {
    const { app, add, accept, permission } = await withGroups(dialect);
    await add(beta, 'joan@example.com');
    const joan = await app.userToken(await app.addUser('joan'));
    expect(await permission(joan)).toBe(404);
    expect(await accept(joan)).toBe(204);
    expect(await permission(joan)).toBe('tester');
  });

  test('show the token from an email until it is verified, also once sign-up is closed', async () => {
    const { app, add, accept, permission, tokens, ask: request, eve } = await withGroups(dialect);
    const root = await app.userToken(await app.addUser('root', { isAdmin: true }));
    await request('PATCH', `/v0.1/admin/users/${eve.id}`, { is_email_verified: false }, root);
    await add(beta, 'eve@example.com');
    await add(common, 'eve@example.com', 'new@example.com');
    const refused = await request('POST', acceptAll, {}, tokens.eve);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('link in the invitation email'),
    ]);
    expect(await accept(tokens.eve, { invitation_token: 'guess' })).toBe(404);
    const others = await app.mailedToken('new@example.com', 'group');
    expect(await accept(tokens.eve, { invitation_token: others })).toBe(403);
    expect(await permission(tokens.eve)).toBe(404);
    const own = await app.mailedToken('eve@example.com', 'group');
    expect(await accept(tokens.eve, { invitation_token: own })).toBe(204);
    expect([await permission(tokens.eve), await permission(tokens.eve, 'sextant')]).toEqual(['tester', 'tester']);
    expect(await accept(tokens.eve, { invitation_token: own })).toBe(404);
    const stored = JSON.stringify([
      await app.database.query((q) => q.selectFrom('audit_events').selectAll()),
      await app.database.query((q) => q.selectFrom('distribution_group_invitations').selectAll()),
    ]);
    expect(stored).not.toContain(own);
    expect(stored).not.toContain(others);
  });

  test('accept within seven days; then they are pending until they are invited or sent the email again', async () => {
    const { app, add, accept, ask: request, members, tokens } = await withGroups(dialect, { openSignUp: true });
    await add(beta, 'eve@example.com');
    const first = await app.mailedToken('eve@example.com', 'group');
    const offered = async (token: string) => (await request('GET', `/v0.1/invitations/group/${token}`, {}, '')).status;
    app.advance(7 * DAY - 1);
    expect([await offered(first), (await add(beta, 'eve@example.com'))[0]?.status]).toEqual([200, 409]);
    app.advance(1);
    expect([await offered(first), await accept(tokens.eve, { invitation_token: first })]).toEqual([404, 404]);
    expect(await members(beta)).toEqual([['eve@example.com', true]]);
    expect(await add(beta, 'eve@example.com')).toMatchObject([{ invite_pending: true }]);
    const second = await app.mailedToken('eve@example.com', 'group');
    app.advance(8 * DAY);
    expect(await accept(tokens.eve, { invitation_token: second })).toBe(404);
    await request('POST', `${beta}/resend_invite`, { user_emails: ['eve@example.com'] });
    const third = await app.mailedToken('eve@example.com', 'group');
    expect(await accept(tokens.eve, { invitation_token: third })).toBe(204);
  });

  test('cannot accept an expired invitation without its link either', async () => {
    const { app, add, accept, permission, tokens } = await withGroups(dialect);
    await add(beta, 'eve@example.com');
    app.advance(7 * DAY);
    expect([await accept(tokens.eve), await permission(tokens.eve)]).toEqual([204, 404]);
  });

  test('that cannot be added are reported one by one, and the others are added', async () => {
    const { add, ask: request, members, adas } = await withGroups(dialect);
    await request('POST', `${org}/service_accounts`, { display_name: 'robot' }, adas);
    await add(beta, 'grace@example.com', 'new@example.com');
    const results = await add(
      beta,
      'nobody',
      '',
      'x'.repeat(300),
      'Grace@example.com',
      'NEW@example.com',
      'robot@service.invalid',
      'last@example.com',
    );
    const message = (text: string) => expect.stringContaining(text);
    expect(results).toEqual([
      { status: 400, code: 'BadRequest', user_email: 'nobody', message: '"nobody" is not an email address.' },
      { status: 400, code: 'BadRequest', user_email: '', message: message('not an email') },
      { status: 400, code: 'BadRequest', user_email: 'x'.repeat(300), message: message('not an email') },
      { status: 409, code: 'Conflict', user_email: 'Grace@example.com', message: message('already in the group beta') },
      { status: 409, code: 'Conflict', user_email: 'NEW@example.com', message: message('invited to the group beta') },
      { status: 400, code: 'BadRequest', user_email: 'robot@service.invalid', message: message("can't be a tester") },
      { status: 200, user_email: 'last@example.com', invite_pending: true },
    ]);
    expect((await members(beta)).map(([email]) => email)).toEqual([
      'grace@example.com',
      'last@example.com',
      'new@example.com',
    ]);
  });

  test('sent twice in one request are added once, get one email, and appear twice in the response', async () => {
    const { add, mailsTo, members } = await withGroups(dialect);
    const results = await add(beta, 'new@example.com', 'NEW@example.com', 'new@example.com');
    expect(results.map(({ status, user_email }) => [status, user_email])).toEqual([
      [200, 'new@example.com'],
      [200, 'NEW@example.com'],
      [200, 'new@example.com'],
    ]);
    expect([(await mailsTo('new@example.com')).length, (await members(beta)).length]).toEqual([1, 1]);
  });

  test('come in lists of 1 to 500; the rest of the body is validated as a whole', async () => {
    const { ask: request, status } = await withGroups(dialect);
    const url = `${beta}/members`;
    expect(await request('POST', url, { user_emails: [] })).toEqual({ status: 200, body: [] });
    expect(await request('POST', url, {})).toEqual({ status: 200, body: [] });
    const many = Array.from({ length: 501 }, (_, n) => `p${n}@example.com`);
    expect(await status('POST', url, { user_emails: many })).toBe(400);
    expect(await status('POST', url, { user_emails: 'grace@example.com' })).toBe(400);
    expect(await status('POST', url, { user_emails: [7] })).toBe(400);
  });

  test('are added 200 at a time with a few queries each, regardless of the group size', async () => {
    const { app, ask: request } = await withGroups(dialect);
    const cost = (name: string, count: number) => {
      const user_emails = Array.from({ length: count }, (_, n) => `${name}${n}@example.com`);
      return countQueries(app, async () =>
        expect((await request('POST', `${beta}/members`, { user_emails })).status).toBe(200),
      );
    };
    await cost('first', 1);
    const one = await cost('a', 1);
    const hundred = await cost('b', 101);
    expect(await cost('c', 201)).toBe(hundred + (hundred - one));
    // PostgreSQL needs one more statement, to lock the email limit of an address.
    expect(hundred - one).toBe((dialect === 'postgres' ? 5 : 4) * 100);
  });

  test('are removed one by one, with their invitations, from the next request on', async () => {
    const { add, accept, remove, members, tokens, permission } = await withGroups(dialect);
    await add(beta, 'eve@example.com', 'new@example.com', 'grace@example.com');
    await accept(tokens.eve);
    expect(await permission(tokens.eve)).toBe('tester');
    expect(await remove(beta, 'EVE@example.com', 'nobody@example.com', 'New@example.com', 'eve@example.com')).toEqual([
      { status: 200, user_email: 'EVE@example.com' },
      {
        status: 404,
        code: 'NotFound',
        user_email: 'nobody@example.com',
        message: 'No member of the group beta "nobody@example.com" found, or you don\'t have access to it.',
      },
      { status: 200, user_email: 'New@example.com' },
      { status: 200, user_email: 'eve@example.com' },
    ]);
    expect([await permission(tokens.eve), await members(beta)]).toEqual([404, [['grace@example.com', false]]]);
    expect(await accept(tokens.eve)).toBe(204);
    expect(await permission(tokens.eve)).toBe(404);
  });

  test('of a shared group are removed all or none', async () => {
    const { add, ask: request, members, reason, tokens, permission } = await withGroups(dialect);
    await add(common, 'mary@example.com', 'new@example.com');
    const url = `${common}/members/bulk_delete`;
    const body = { user_emails: ['mary@example.com', 'nobody@example.com', 'noone@example.com'] };
    expect(await reason('POST', url, body)).toEqual([
      404,
      'No member of the group common "nobody@example.com, noone@example.com" found, or you don\'t have access to it.',
    ]);
    expect([(await members(common)).length, await permission(tokens.mary)]).toEqual([2, 'tester']);
    const gone = await request('POST', url, { user_emails: ['mary@example.com', 'NEW@example.com'] });
    expect(gone).toEqual({ status: 204, body: undefined });
    expect([await members(common), await permission(tokens.mary)]).toEqual([[], 404]);
  });

  test('who are pending get a new email with a new link, and no others do', async () => {
    const { app, add, ask: request, status, mailsTo } = await withGroups(dialect);
    await add(beta, 'grace@example.com', 'New@example.com', 'other@example.com');
    const first = await app.mailedToken('New@example.com', 'group');
    const url = `${beta}/resend_invite`;
    const body = { user_emails: ['new@example.com', 'NEW@example.com', 'grace@example.com'] };
    expect(await request('POST', url, body)).toEqual({ status: 204, body: undefined });
    expect(await status('POST', url, { user_emails: ['other@example.com', 'nobody@example.com'] })).toBe(404);
    expect(await status('POST', url, {})).toBe(204);
    const counts = [];
    for (const email of ['New@example.com', 'grace@example.com', 'other@example.com', 'nobody@example.com']) {
      counts.push((await mailsTo(email)).length);
    }
    expect(counts).toEqual([2, 0, 1, 0]);
    expect(await app.mailedToken('New@example.com', 'group')).not.toBe(first);
    expect(await status('POST', `${common}/resend_invite`, { user_emails: ['grace@example.com'] })).toBe(404);
  });

  test('who were invited and then added have no invitation left', async () => {
    const { app, add, accept, members, remove, compass, mary, tokens, permission } = await withGroups(dialect);
    await add(beta, 'mary@example.com');
    expect(await members(beta)).toEqual([['mary@example.com', true]]);
    await app.addMember(compass, mary, 'viewer');
    expect(await add(beta, 'mary@example.com')).toMatchObject([{ status: 200, invite_pending: false }]);
    expect(await members(beta)).toEqual([['mary@example.com', false]]);
    await remove(beta, 'mary@example.com');
    await accept(tokens.mary);
    expect([await members(beta), await permission(tokens.mary)]).toEqual([[], 'viewer']);
  });

  test.each([
    ['the organization', `${org}/users/mary`],
    ['the app', `${compassUrl}/users/mary@example.com`],
  ])('who leave %s lose their open invitations', async (_what, url) => {
    const { app, add, accept, ask: request, members, compass, mary, tokens, permission } = await withGroups(dialect);
    await add(beta, 'mary@example.com');
    await app.addMember(compass, mary, 'viewer');
    expect((await request('DELETE', url)).status).toBe(204);
    expect(await members(beta)).toEqual([]);
    await accept(tokens.mary);
    expect([await members(beta), await permission(tokens.mary)]).toEqual([[], 404]);
  });

  test('get their email once, after the commit, even if the server restarts before sending it', async () => {
    const smtp = await startSmtp();
    onTestFinished(smtp.stop);
    const { app, add } = await withGroups(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await add(beta, 'new+1@example.com', 'nobody', 'new+2@example.com');
    expect(smtp.received).toEqual([]);
    const restarted = await app.another();
    await restarted.runJobs();
    await app.runJobs();
    expect(smtp.received.flatMap(({ to }) => to).sort()).toEqual(['new+1@example.com', 'new+2@example.com']);
  });

  test('invited twice at the same time are pending once and get one email', async () => {
    const { app, add, mailsTo } = await withGroups(dialect);
    const responses = await atOnce(app, [() => add(beta, 'new@example.com'), () => add(beta, 'new@example.com')]);
    expect(responses.map(([result]) => result?.status)).toEqual([200, 409]);
    expect(await mailsTo('new@example.com')).toHaveLength(1);
    expect(await app.logged()).not.toContain('unexpected error');
  });

  test.each([
    ['grace@example.com', true],
    ['grace@example.com', false],
    ['new@example.com', true],
    ['new@example.com', false],
  ])('%s, added while the group is deleted (first: %s), get an error that says so', async (email, addsFirst) => {
    const { app, ask: request } = await withGroups(dialect);
    const add = async () => (await request('POST', `${beta}/members`, { user_emails: [email] })).status;
    const remove = async () => (await request('DELETE', beta)).status;
    const statuses = await atOnce(app, addsFirst ? [add, remove] : [remove, add]);
    expect(statuses).toEqual(addsFirst ? [200, 204] : [204, 404]);
    expect(await app.logged()).not.toContain('unexpected error');
  });

  test('are invited in the name of the creator of the app token', async () => {
    const { app, compass, grace, ask: request, mailsTo } = await withGroups(dialect);
    await app.addMember(compass, grace, 'manager');
    const token = await app.appToken(compass, grace);
    const body = { user_emails: ['new@example.com'] };
    expect((await request('POST', `${beta}/members`, body, token)).body[0].status).toBe(200);
    expect((await mailsTo('new@example.com'))[0]?.subject).toBe('grace invites you to test the app lighthouse/compass');
  });
});
