import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { sendLogs } from '../../../test/harness/background-work.ts';
import { crash } from '../../../test/harness/crashes.ts';
import { connections, startTracker } from '../../../test/harness/services/bug-trackers.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { tx } from '../../db/tx.ts';
import { HOUR } from '../../kernel/clock.ts';
import { pageTrackersWithTickets } from './bug-trackers.store.ts';
import { trackerCheck } from './bug-trackers.ts';
import { followTickets, ticketsFollow } from './ticket-states.ts';
import { ticketMake, ticketsRead } from './tickets.ts';

const B = '/v0.1/apps/ada/compass';

/** Ada manages compass, Grace develops it, and Eve views it. */
async function withCompass(dialect: DialectName, settings: Parameters<typeof testApp>[1] = {}) {
  const app = await testApp(dialect, {
    outboundAllow: ['127.0.0.0/8'],
    publicUrl: 'https://mooring.example.com',
    ...settings,
  });
  const [ada, grace, eve] = [await app.addUser('ada'), await app.addUser('grace'), await app.addUser('eve')];
  const compass = await app.addApp(ada, 'compass');
  await app.addMember(compass, grace, 'developer');
  await app.addMember(compass, eve, 'viewer');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace), eve: await app.userToken(eve) };
  const request = async (method: string, path: string, body?: object, token = tokens.grace) => {
    const response = await app.call(method, `${B}/${path}`, { token, body });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  const connect = async (body: object) => {
    const response = await request('PUT', 'bugtracker', body);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    await app.runJobs();
    return (await request('GET', 'bugtracker')).body;
  };
  const send = async (...logs: object[]) => {
    await sendLogs(app, compass.id, logs);
    await app.runJobs();
  };
  const groups = async (): Promise<string[]> =>
    (await request('GET', 'crash_groups')).body.crash_groups.map(
      (group: { crash_group_id: string }) => group.crash_group_id,
    );
  const ticket = (groupId: string) => request('GET', `bugtracker/crashGroup/${groupId}`);
  const make = (groupId: string) => request('POST', `bugtracker/crashGroup/${groupId}`, {});
  const follow = async (app: TestApp) => {
    app.advance(ticketsFollow.every ?? 0);
    await followTickets(systemCtx(app.deps));
    await app.runJobs();
  };
  return { app, compass, ada, tokens, request, connect, send, groups, ticket, make, follow };
}

eachDatabase('a bug tracker', (dialect) => {
  test.each(['github', 'gitlab', 'vsts', 'jira'] as const)(
    'of type %s gets a ticket through its public API, once, and detects when it is closed and reopened',
    async (type) => {
      const { app, connect, send, groups, ticket, make, follow, request, tokens } = await withCompass(dialect);
      const { tickets, wrong, troubles, base_url } = await startTracker(type);
      const connected = await connect({ ...connections[type], base_url });
      expect([connected.state, connected.trouble]).toEqual(['enabled', undefined]);
      const expectedSettings: Record<typeof type, object> = {
        github: { github_repo_id: 1296269, github_repo_name: 'Ada/Compass', github_label: 'crash' },
        gitlab: { gitlab_project_id: 7, gitlab_project_name: 'Harbour/apps/compass' },
        vsts: { vsts_project_id: 'a1b2', vsts_project_name: 'Compass app', vsts_account_name: 'harbour' },
        jira: { jira_project_id: 10_001, jira_project_name: 'Shop' },
      };
      expect(connected.settings).toMatchObject({ type, ...expectedSettings[type] });
      await send(crash({ message: '@everyone ```\n/close {noformat} <b>' }));
      const [group = ''] = await groups();
      expect((await ticket(group)).status).toBe(404);
      // The ticket was created, but the response was lost; the retry finds it.
      troubles.push('cut off');
      expect((await make(group)).body).toMatchObject({ state: 'waiting', mobile_center_id: group });
      await app.runJobs();
      expect((await ticket(group)).body).toMatchObject({ state: 'waiting', trouble: expect.any(String) });
      app.advance(HOUR);
      await app.runJobs();
      const made = (await ticket(group)).body;
      const [created] = tickets;
      expect([made.state, made.bug_tracker_type, tickets.length]).toEqual(['open', type, 1]);
      expect(made.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.+41$/);
      const issue = (await request('GET', 'crash_issues')).body.values[0];
      expect(created?.title).toMatch(/^Crash: java\.lang\.IllegalStateException: @everyone/);
      expect(created?.text).toContain(`https://mooring.example.com/users/ada/apps/compass/crashes/${issue.id}`);
      expect(created?.text).toContain('org.example.shop.Cart.pay');
      // Data from devices only appears as code.
      const outside: Record<typeof type, RegExp> = {
        github: /(`{4,})\n[\s\S]*\n\1\n/,
        gitlab: /(`{4,})\n[\s\S]*\n\1\n/,
        vsts: /<pre>[^<]*<\/pre>/,
        jira: /\{noformat\}\n(?:(?!\{noformat)[\s\S])*\n\{noformat\}/,
      };
      const rest = (created?.text ?? '').replace(outside[type], '');
      expect(rest).not.toMatch(/everyone|close|<b>/);
      expect((await make(group)).body).toMatchObject({ state: 'open', url: made.url });
      const exported = await app.call('GET', '/v0.1/user/export/serviceConnections', { token: tokens.grace });
      const service = { displayName: connections[type].project, serviceType: type, isValid: true };
      expect(exported.json()).toMatchObject(type === 'jira' || type === 'gitlab' ? [service] : []);
      for (const [isClosed, state] of [
        [true, 'closed'],
        [false, 'open'],
      ] as const) {
        if (created) created.isClosed = isClosed;
        await follow(app);
        expect((await ticket(group)).body.state).toBe(state);
        expect((await request('GET', 'crash_issues')).body.values[0].state).toBe(state);
      }
      // Changes here are only sent to the tracker if configured.
      const setIssue = (state: string) => request('PATCH', `crash_issues/${issue.id}`, { state });
      const isThere = () => tickets[0]?.isClosed;
      await setIssue('closed');
      await app.runJobs();
      await follow(app);
      expect([isThere(), (await ticket(group)).body.state]).toEqual([false, 'open']);
      const { closes_tickets } = await connect({ ...connections[type], base_url, closes_tickets: true });
      expect([connected.closes_tickets, closes_tickets]).toEqual([false, true]);
      for (const [state, isClosed] of [
        ['closed', true],
        ['open', false],
      ] as const) {
        await setIssue(state);
        await app.runJobs();
        expect([isThere(), (await ticket(group)).body.state]).toEqual([isClosed, state]);
      }
      // Checking the connection also updates the states.
      if (created) created.isClosed = true;
      app.advance(1);
      await request('POST', 'bugtracker/check', {});
      await app.runJobs();
      expect((await request('GET', 'crash_issues')).body.values[0].state).toBe('closed');
      // If both sides changed, the tracker wins; ignored issues are not sent.
      if (created) created.isClosed = false;
      await setIssue('ignored');
      await app.runJobs();
      expect((await request('GET', 'crash_issues')).body.values[0].state).toBe('open');
      await setIssue('closed');
      await app.runJobs();
      expect(isThere()).toBe(true);
      await setIssue('ignored');
      await follow(app);
      expect(isThere()).toBe(true);
      tickets.length = 0;
      await follow(app);
      expect((await ticket(group)).body).toMatchObject({
        state: 'failed',
        trouble: expect.stringContaining('no longer exists'),
      });
      expect((await make(group)).body.state).toBe('waiting');
      await app.runJobs();
      expect([(await ticket(group)).body.state, tickets.length]).toEqual(['open', 1]);
      expect(wrong).toEqual([]);
    },
  );

  test('gets a ticket for the first crash of an issue, in any version, and none for the second', async () => {
    const { app, connect, send, groups, ticket, request } = await withCompass(dialect);
    const { tickets, base_url } = await startTracker('github');
    await send(crash({ method: 'before' }));
    await connect({ ...connections.github, base_url, event_types: ['newCrashGroupCreated'] });
    await send(crash(), crash());
    await send(crash({ version: '2.0.0' }));
    await app.runJobs();
    expect(tickets.length).toBe(1);
    const states = await Promise.all((await groups()).map(async (id) => (await ticket(id)).body.state ?? 'none'));
    expect(states.toSorted()).toEqual(['none', 'open', 'open']);
    // Merged issues keep the ticket.
    const issues = (await request('GET', 'crash_issues')).body.values as { id: string; method: string }[];
    const [before, pay] = ['before', 'pay'].map((method) => issues.find((issue) => issue.method === method)?.id);
    await request('POST', `crash_issues/${before}/merge`, { issue_ids: [pay] });
    for (const id of await groups()) expect((await ticket(id)).body.state).toBe('open');
  });

  test('closes the ticket with its group and reopens it when the crash occurs again, and checks no other issues', async () => {
    const { app, connect, send, groups, make, request } = await withCompass(dialect);
    const { tickets, asked, base_url } = await startTracker('github');
    await connect({ ...connections.github, base_url, closes_tickets: true });
    await send(crash());
    await send(crash({ method: 'other' }));
    const ids = await groups();
    for (const id of ids) await make(id);
    await app.runJobs();
    const names = new Map(tickets.map((one) => [one.title, one]));
    expect(names.size).toBe(1);
    asked.length = 0;
    const [group = ''] = ids;
    await request('PATCH', `crash_groups/${group}`, { annotation: 'seen' });
    await app.runJobs();
    expect(asked).toEqual([]);
    await request('PATCH', `crash_groups/${group}`, { status: 'closed' });
    await app.runJobs();
    expect(asked.map((line) => line.split(' ')[0])).toEqual(['GET', 'PATCH']);
    expect(tickets.map(({ isClosed }) => isClosed).sort()).toEqual([false, true]);
    await send(crash({ version: '9.0.0' }), crash({ version: '9.0.0', method: 'other' }));
    expect(tickets.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    // Waiting for trackers must not block local jobs.
    expect([trackerCheck, ticketMake, ticketsRead].map(({ lane }) => lane)).toEqual(['remote', 'remote', 'remote']);
  });

  test('reports a rejected token, without showing it; retries temporary failures later', async () => {
    const { app, connect, request, send, groups, make, ticket, tokens, follow } = await withCompass(dialect);
    const { base_url, troubles, refusals, token, tickets, asked } = await startTracker('github');
    const refused = await connect({ ...connections.github, base_url, token: 'wrong-token' });
    expect(refused).toMatchObject({ state: 'unauthorized', trouble: expect.stringContaining('401') });
    await connect({ ...connections.github, base_url });
    // The next check shows that it works.
    const check = async () => {
      app.advance(1);
      await request('POST', 'bugtracker/check', {});
      await app.runJobs();
      const { state, trouble: lastError } = (await request('GET', 'bugtracker')).body;
      return [state, lastError];
    };
    refusals.push(401);
    expect(await check()).toEqual(['unauthorized', expect.stringContaining('401')]);
    expect(await check()).toEqual(['enabled', undefined]);
    // No requests are sent without tickets.
    asked.length = 0;
    await follow(app);
    expect(asked).toEqual([]);
    await send(crash());
    const [group = ''] = await groups();
    troubles.push(503, 422);
    await make(group);
    await app.runJobs();
    expect((await ticket(group)).body.state).toBe('waiting');
    app.advance(HOUR);
    await app.runJobs();
    expect((await ticket(group)).body).toMatchObject({ state: 'failed', trouble: expect.stringContaining('422') });
    expect((await make(group)).body.state).toBe('waiting');
    await app.runJobs();
    expect([(await ticket(group)).body.state, tickets.length]).toEqual(['open', 1]);
    const shown = [
      JSON.stringify(await request('GET', 'bugtracker', undefined, tokens.eve)),
      JSON.stringify(await recorded(app, 'bug_tracker.')),
      JSON.stringify(await app.database.query((q) => q.selectFrom('bug_trackers').selectAll())),
      await app.logged(),
    ];
    for (const one of shown) expect(one).not.toMatch(new RegExp(`${token}|wrong-token`));
    // Also not with a rejected token.
    await connect({ ...connections.github, base_url, token: 'wrong-token' });
    asked.length = 0;
    await follow(app);
    expect(asked).toEqual([]);
    await connect({ ...connections.github, base_url });
    await follow(app);
    expect(asked).toContain('GET /repos/ada/compass/issues/41');
  });

  test('is queried for existing tickets while connected, one app after the other', async () => {
    const { app, ada } = await withCompass(dialect);
    const apps: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) apps.push((await app.addApp(ada, name)).id);
    const states = [
      ['enabled', 'open'],
      ['enabled', 'waiting'],
      ['unauthorized', 'open'],
      ['enabled', 'closed'],
      ['enabled', 'failed'],
      ['enabled', 'open'],
    ] as const;
    const [first, , , second, , third] = apps.sort();
    await tx(systemCtx(app.deps), async ({ db }) => {
      // In reverse, because results are not ordered by creation.
      for (const [at, [state, ticketState]] of [...states.entries()].reverse()) {
        const app_id = apps[at] ?? '';
        const tracker = {
          app_id,
          id: app_id,
          type: 'github',
          base_url: 'https://tracker.example.com',
          project: 'ada/compass',
          user_name: null,
          token: 'sealed',
          label: null,
          item_type: null,
          is_automatic: 0,
          follows_state: 0,
          closes_tickets: 0,
          state,
          trouble: null,
          found: '{}',
          checked_at: null,
          connected_by: null,
        } as const;
        await db.query((q) => q.insertInto('bug_trackers').values(tracker));
        const ticket = {
          ...{ id: app_id, app_id, subject: 'issue' as const, issue_id: app_id, group_id: app_id, title: 'Crash' },
          ...{ state: ticketState, url: null },
          ...{ remote_id: '1', trouble: null, created_at: 0, tried_at: null, held_until: 0, checked_at: 0 },
        };
        await db.query((q) => q.insertInto('tickets').values(ticket));
      }
      // A database reads small tables in physical order.
      await db.query((q) => ({ compile: () => sql<never>`ANALYZE bug_trackers`.compile(q) }));
    });
    const page = async (after: string) =>
      (await pageTrackersWithTickets.all(app.database, { after, limit: 2 })).map(({ app_id }) => app_id);
    expect(await page('')).toEqual([first, second]);
    expect(await page(second ?? '')).toEqual([third]);
  });

  test('keeps its token for the same URL only, and is disconnected by a transfer of the app', async () => {
    const { app, ada, request, connect, tokens, send, groups, make, ticket } = await withCompass(dialect);
    const [first, second] = [await startTracker('github'), await startTracker('github')];
    const { token: _, ...without } = connections.github;
    await connect({ ...connections.github, base_url: first.base_url });
    expect((await connect({ ...without, base_url: `${first.base_url}/` })).state).toBe('enabled');
    const elsewhere = await request('PUT', 'bugtracker', { ...without, base_url: second.base_url });
    expect([elsewhere.status, elsewhere.body.message, second.asked]).toEqual([
      400,
      expect.stringContaining('token'),
      [],
    ]);
    await send(crash());
    const [group = ''] = await groups();
    await make(group);
    await app.runJobs();
    await connect({ ...connections.github, base_url: second.base_url });
    expect((await ticket(group)).status).toBe(404);
    await app.addOrg(ada, 'harbour');
    await app.call('POST', `${B}/transfer/harbour`, { token: tokens.ada, body: {} });
    const after = await app.call('GET', '/v0.1/apps/harbour/compass/bugtracker', { token: tokens.ada });
    expect([after.statusCode, after.json().code, after.json().message]).toEqual([
      404,
      404,
      expect.stringContaining('has no bug tracker'),
    ]);
    expect(await app.database.query((q) => q.selectFrom('tickets').selectAll())).toEqual([]);
  });

  test('can only have an allowed URL, and is connected by developers; viewers cannot change it', async () => {
    const { request, tokens, app, connect, send, groups } = await withCompass(dialect, { outboundAllow: [] });
    const body = connections.github;
    for (const [wrong, message] of [
      [{ ...body, base_url: 'http://tracker.example.com' }, 'https://'],
      [{ ...body, base_url: 'https://10.0.0.1' }, 'not a public address'],
      [{ ...body, base_url: 'https://tracker.example.com/?x=1' }, 'query'],
      [{ ...body, project: '../..' }, 'owner/repository'],
      [{ ...body, project: 'compass' }, 'owner/repository'],
      [{ ...connections.jira }, 'the URL of your Jira'],
      [{ ...body, token: undefined }, 'token'],
    ] as const) {
      const response = await request('PUT', 'bugtracker', wrong);
      expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(message)]);
    }
    await send(crash());
    const [group = ''] = await groups();
    const missing = await request('POST', `bugtracker/crashGroup/${group}`, {});
    expect([missing.status, missing.body.message]).toEqual([409, expect.stringContaining('Connect one first')]);
    const connected = await connect({ ...body, base_url: 'https://localhost' });
    expect(connected.trouble).toContain('not a public address');
    await request('POST', `bugtracker/crashGroup/${group}`, {});
    await app.runJobs();
    expect((await request('GET', `bugtracker/crashGroup/${group}`, undefined, tokens.eve)).body.state).toBe('failed');
    for (const [method, path] of [
      ['PUT', 'bugtracker'],
      ['POST', 'bugtracker/check'],
      ['POST', `bugtracker/crashGroup/${group}`],
      ['DELETE', `bugtracker/crashGroup/${group}`],
      ['DELETE', 'bugtracker'],
    ] as const) {
      expect([method, path, (await request(method, path, body, tokens.eve)).status]).toEqual([method, path, 403]);
    }
    expect((await request('DELETE', `bugtracker/crashGroup/${group}`)).status).toBe(204);
    expect((await request('DELETE', 'bugtracker')).status).toBe(204);
    expect((await request('GET', 'bugtracker')).status).toBe(404);
    expect((await recorded(app, 'bug_tracker.')).map(({ action }) => action)).toEqual([
      'bug_tracker.connect',
      'bug_tracker.disconnect',
    ]);
  });
});
