import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { connections, startTracker } from '../../../test/harness/bug-trackers.ts';
import { crash } from '../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { sendLogs } from '../../../test/harness/happenings.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/connection.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { followTickets } from './ticket-states.ts';

const B = '/v0.1/apps/ada/compass';

/** ada manages compass, grace develops it, and eve views it. */
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
  const ask = async (method: string, path: string, body?: object, token = tokens.grace) => {
    const answer = await app.call(method, `${B}/${path}`, { token, body });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  const connect = async (body: object) => {
    const answer = await ask('PUT', 'bugtracker', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await app.runJobs();
    return (await ask('GET', 'bugtracker')).body;
  };
  const send = async (...logs: object[]) => {
    await sendLogs(app, compass.id, logs);
    await app.runJobs();
  };
  const groups = async (): Promise<string[]> =>
    (await ask('GET', 'crash_groups')).body.crash_groups.map(
      (group: { crash_group_id: string }) => group.crash_group_id,
    );
  const ticket = (groupId: string) => ask('GET', `bugtracker/crashGroup/${groupId}`);
  const make = (groupId: string) => ask('POST', `bugtracker/crashGroup/${groupId}`, {});
  const follow = async (app: TestApp) => {
    app.advance(15 * MINUTE);
    await followTickets(systemCtx(app.deps));
    await app.runJobs();
  };
  return { app, compass, ada, tokens, ask, connect, send, groups, ticket, make, follow };
}

eachDatabase('a bug tracker', (dialect) => {
  test.each(['github', 'gitlab', 'vsts', 'jira'] as const)(
    'of the kind %s gets a ticket by its published interface, once, and tells when it is closed and opened',
    async (type) => {
      const { app, connect, send, groups, ticket, make, follow, ask, tokens } = await withCompass(dialect);
      const { tickets, wrong, troubles, base_url } = await startTracker(type);
      const connected = await connect({ ...connections[type], base_url });
      expect([connected.state, connected.trouble]).toEqual(['enabled', undefined]);
      await send(crash({ message: '@everyone ```\n/close {noformat} <b>' }));
      const [group = ''] = await groups();
      expect((await ticket(group)).status).toBe(404);
      // It was made, but nobody heard of it; when it is tried again it is found.
      troubles.push('cut off');
      expect((await make(group)).body).toMatchObject({ state: 'waiting', mobile_center_id: group });
      await app.runJobs();
      expect((await ticket(group)).body).toMatchObject({ state: 'waiting', trouble: expect.any(String) });
      app.advance(HOUR);
      await app.runJobs();
      const made = (await ticket(group)).body;
      const [kept] = tickets;
      expect([made.state, made.bug_tracker_type, tickets.length]).toEqual(['open', type, 1]);
      expect(made.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.+41$/);
      const issue = (await ask('GET', 'crash_issues')).body.values[0];
      expect(kept?.title).toMatch(/^Crash: java\.lang\.IllegalStateException: @everyone/);
      expect(kept?.text).toContain(`https://mooring.example.com/users/ada/apps/compass/crashes/${issue.id}`);
      expect(kept?.text).toContain('org.example.shop.Cart.pay');
      // What a device sent stands there as code alone.
      const outside: Record<typeof type, RegExp> = {
        github: /(`{4,})\n[\s\S]*\n\1\n/,
        gitlab: /(`{4,})\n[\s\S]*\n\1\n/,
        vsts: /<pre>[^<]*<\/pre>/,
        jira: /\{noformat\}\n(?:(?!\{noformat)[\s\S])*\n\{noformat\}/,
      };
      const rest = (kept?.text ?? '').replace(outside[type], '');
      expect(rest).not.toMatch(/everyone|close|<b>/);
      expect((await make(group)).body).toMatchObject({ state: 'open', url: made.url });
      const given = await app.call('GET', '/v0.1/user/export/serviceConnections', { token: tokens.grace });
      const service = { displayName: connections[type].project, serviceType: type, isValid: true };
      expect(given.json()).toMatchObject(type === 'jira' || type === 'gitlab' ? [service] : []);
      for (const [isClosed, state] of [
        [true, 'closed'],
        [false, 'open'],
      ] as const) {
        if (kept) kept.isClosed = isClosed;
        await follow(app);
        expect((await ticket(group)).body.state).toBe(state);
        expect((await ask('GET', 'crash_issues')).body.values[0].state).toBe(state);
      }
      tickets.length = 0;
      await follow(app);
      expect((await ticket(group)).body).toMatchObject({ state: 'failed', trouble: expect.stringContaining('gone') });
      expect((await make(group)).body.state).toBe('waiting');
      await app.runJobs();
      expect([(await ticket(group)).body.state, tickets.length]).toEqual(['open', 1]);
      expect(wrong).toEqual([]);
    },
  );

  test('gets a ticket with the first crash of an issue, whatever its version, and none for a second one', async () => {
    const { app, connect, send, groups, ticket, ask } = await withCompass(dialect);
    const { tickets, base_url } = await startTracker('github');
    await send(crash({ method: 'before' }));
    await connect({ ...connections.github, base_url, event_types: ['newCrashGroupCreated'] });
    await send(crash(), crash());
    await send(crash({ version: '2.0.0' }));
    await app.runJobs();
    expect(tickets.length).toBe(1);
    const states = await Promise.all((await groups()).map(async (id) => (await ticket(id)).body.state ?? 'none'));
    expect(states.toSorted()).toEqual(['none', 'open', 'open']);
    // Issues that become one keep the ticket.
    const issues = (await ask('GET', 'crash_issues')).body.values as { id: string; method: string }[];
    const [before, pay] = ['before', 'pay'].map((method) => issues.find((issue) => issue.method === method)?.id);
    await ask('POST', `crash_issues/${before}/merge`, { issue_ids: [pay] });
    for (const id of await groups()) expect((await ticket(id)).body.state).toBe('open');
  });

  test('that refuses the token says so, without it; what it cannot answer now is asked later', async () => {
    const { app, connect, ask, send, groups, make, ticket, tokens } = await withCompass(dialect);
    const { base_url, troubles, token, tickets } = await startTracker('github');
    const refused = await connect({ ...connections.github, base_url, token: 'wrong-token' });
    expect(refused).toMatchObject({ state: 'unauthorized', trouble: expect.stringContaining('401') });
    await connect({ ...connections.github, base_url });
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
      JSON.stringify(await ask('GET', 'bugtracker', undefined, tokens.eve)),
      JSON.stringify(await recorded(app, 'bug_tracker.')),
      JSON.stringify(await app.database.query((q) => q.selectFrom('bug_trackers').selectAll())),
      await app.logged(),
    ];
    for (const one of shown) expect(one).not.toMatch(new RegExp(`${token}|wrong-token`));
  });

  test('keeps its token for the same address only, and goes with the owner of the app', async () => {
    const { app, ada, ask, connect, tokens, send, groups, make, ticket } = await withCompass(dialect);
    const [first, second] = [await startTracker('github'), await startTracker('github')];
    const { token: _, ...without } = connections.github;
    await connect({ ...connections.github, base_url: first.base_url });
    expect((await connect({ ...without, base_url: `${first.base_url}/` })).state).toBe('enabled');
    const elsewhere = await ask('PUT', 'bugtracker', { ...without, base_url: second.base_url });
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
      expect.stringContaining('connected with none'),
    ]);
    expect(await app.database.query((q) => q.selectFrom('tickets').selectAll())).toEqual([]);
  });

  test('is reached only where it may be, and set up by developers; who may only read changes nothing', async () => {
    const { ask, tokens, app, connect, send, groups } = await withCompass(dialect, { outboundAllow: [] });
    const body = connections.github;
    for (const [wrong, message] of [
      [{ ...body, base_url: 'http://tracker.example.com' }, 'https://'],
      [{ ...body, base_url: 'https://10.0.0.1' }, 'not a public address'],
      [{ ...body, base_url: 'https://tracker.example.com/?x=1' }, 'query'],
      [{ ...body, project: '../..' }, 'owner/repository'],
      [{ ...body, project: 'compass' }, 'owner/repository'],
      [{ ...connections.jira }, 'where your Jira is'],
      [{ ...body, token: undefined }, 'token'],
    ] as const) {
      const answer = await ask('PUT', 'bugtracker', wrong);
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
    }
    await send(crash());
    const [group = ''] = await groups();
    const missing = await ask('POST', `bugtracker/crashGroup/${group}`, {});
    expect([missing.status, missing.body.message]).toEqual([409, expect.stringContaining('connect one first')]);
    const connected = await connect({ ...body, base_url: 'https://localhost' });
    expect(connected.trouble).toContain('not a public address');
    await ask('POST', `bugtracker/crashGroup/${group}`, {});
    await app.runJobs();
    expect((await ask('GET', `bugtracker/crashGroup/${group}`, undefined, tokens.eve)).body.state).toBe('failed');
    for (const [method, path] of [
      ['PUT', 'bugtracker'],
      ['POST', 'bugtracker/check'],
      ['POST', `bugtracker/crashGroup/${group}`],
      ['DELETE', `bugtracker/crashGroup/${group}`],
      ['DELETE', 'bugtracker'],
    ] as const) {
      expect([method, path, (await ask(method, path, body, tokens.eve)).status]).toEqual([method, path, 403]);
    }
    expect((await ask('DELETE', `bugtracker/crashGroup/${group}`)).status).toBe(204);
    expect((await ask('DELETE', 'bugtracker')).status).toBe(204);
    expect((await ask('GET', 'bugtracker')).status).toBe(404);
    expect((await recorded(app, 'bug_tracker.')).map(({ action }) => action)).toEqual([
      'bug_tracker.connect',
      'bug_tracker.disconnect',
    ]);
  });
});
