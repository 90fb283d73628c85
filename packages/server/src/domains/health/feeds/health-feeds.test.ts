import { XMLParser } from 'fast-xml-parser';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { recorded } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { mailIn, north, south, withHooks } from '../../../../test/harness/services/hooks.ts';

const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => ['entry', 'category'].includes(name) });

async function withFeed(dialect: Parameters<typeof withHooks>[0], body: object = {}) {
  const fixtures = await withHooks(dialect);
  const made = (await fixtures.ask('POST', 'feeds', body, { token: fixtures.tokens.grace })).body;
  const toPath = (address: string) => new URL(address).pathname;
  const [atomPath, calendarPath] = [toPath(made.atomUrl), toPath(made.calendarUrl)];
  const atom = async () => {
    const { feed } = parser.parse((await fixtures.app.call('GET', atomPath)).body);
    return { ...feed, entry: feed.entry ?? [] };
  };
  const names = async () => (await atom()).entry.map(({ title }: { title: string }) => title);
  return { ...fixtures, made, atomPath, calendarPath, atom, names };
}

eachDatabase('feeds', (dialect) => {
  test('an Atom feed shows the newest events first, as their reader sees them', async () => {
    const { app, atom, atomPath, made } = await withFeed(dialect);
    expect(made.atomUrl).toMatch(/^https:\/\/mooring\.example\.com\/feeds\/[0-9A-Za-z]{32}\/events\.atom$/);
    await app.publish('ONE', { title: 'One', summary: 'Mail is <b>slow</b> & late', impact: mailIn('North') });
    app.advance(1000);
    await app.publish('TWO', { title: 'Two', impact: mailIn('North', { subscriptions: [north, south] }) });
    await app.publish('OTHER', { title: 'Not theirs', impact: mailIn('South', { subscriptions: [south] }) });
    const response = await app.call('GET', atomPath);
    expect(response.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(response.headers['cache-control']).toBe('private, max-age=60');
    expect(response.body).not.toContain(south);
    const feed = await atom();
    expect([feed.id, feed.title, feed.updated]).toEqual([
      `urn:uuid:${north}`,
      'Service health: Harbour',
      '2026-11-01T09:00:01.000Z',
    ]);
    expect(feed.link['@_href']).toBe(made.atomUrl);
    expect(feed.entry.map(({ title }: { title: string }) => title)).toEqual(['Two', 'One']);
    expect(feed.entry[1]).toMatchObject({
      id: 'tag:mooring.example.com,2024:health/ONE',
      published: '2026-11-01T09:00:00.000Z',
      category: [{ '@_term': 'ServiceIssue' }, { '@_term': 'Active' }, { '@_term': 'Mail' }],
      summary: { '#text': 'Mail is <b>slow</b> &amp; late', '@_type': 'html' },
    });
  });

  test('an Atom feed contains nothing that runs or loads, for any event text', async () => {
    const { app, atom } = await withFeed(dialect);
    const hostile =
      'Mail <b>rests</b><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:a()">x</a>';
    const deep = '<b>'.repeat(101);
    for (const field of ['summary', 'description', 'header']) await app.publish(field, { [field]: hostile });
    await app.publish('deep', { summary: deep });
    const texts = (await atom()).entry.map(({ summary }: { summary: { '#text': string } }) => summary['#text']);
    const safe = 'Mail <b>rests</b><a>x</a>';
    expect(texts.sort()).toEqual(['&lt;b&gt;'.repeat(101), safe, safe, safe]);
  });

  test('a calendar shows planned maintenance with its start, end and location', async () => {
    const { app, calendarPath } = await withFeed(dialect, { filter: "service eq 'Mail'" });
    const planned = {
      eventType: 'PlannedMaintenance',
      title: 'New disks; all of them',
      summary: 'Mail <i>pauses</i>.',
      impactStartTime: '2026-12-01T20:00:00Z',
      impactMitigationTime: '2026-12-01T22:00:00Z',
    } as const;
    await app.publish('ISSUE', { impact: mailIn('North') });
    await app.publish('ELSEWHERE', { ...planned });
    await app.publish('DISKS', { ...planned, impact: mailIn('North') });
    app.advance(5000);
    await app.publish('DISKS', { ...planned, impact: mailIn('North'), title: 'New disks' });
    const response = await app.call('GET', calendarPath);
    expect(response.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const events = new ICAL.Component(ICAL.parse(response.body)).getAllSubcomponents('vevent');
    expect(events).toHaveLength(1);
    const event = new ICAL.Event(events[0]);
    expect(event).toMatchObject({
      uid: 'DISKS@mooring.example.com',
      summary: 'New disks',
      description: 'Mail pauses.',
      location: 'North',
      sequence: 5,
    });
    expect([event.startDate.toJSDate().toISOString(), event.endDate.toJSDate().toISOString()]).toEqual([
      '2026-12-01T20:00:00.000Z',
      '2026-12-01T22:00:00.000Z',
    ]);
  });

  test('a filter and a maximum number of events limit a feed', async () => {
    const { app, names } = await withFeed(dialect, { filter: "region eq 'North'" });
    await app.publish('SOUTH', { title: 'South', impact: mailIn('South') });
    for (let count = 1; count <= 101; count += 1) {
      await app.publish(`E${count}`, { title: `E${count}`, impact: mailIn('North') });
      app.advance(1);
    }
    const shown = await names();
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([100, 'E101', 'E2']);
  });

  test('a reader receives 304 until an event changes', async () => {
    const { app, atomPath, withdraw } = await withFeed(dialect);
    const get = (headers = {}) => app.call('GET', atomPath, { headers });
    await app.publish('ONE');
    const fresh = await get();
    expect(fresh.headers['last-modified']).toBeUndefined();
    app.advance(2000);
    const { headers } = await get();
    expect(headers['last-modified']).toBe('Sun, 01 Nov 2026 09:00:00 GMT');
    const byTag = { 'if-none-match': `"other", W/${headers.etag}` };
    const byTime = { 'if-modified-since': String(headers['last-modified']) };
    for (const known of [byTag, byTime]) {
      const response = await get(known);
      expect([response.statusCode, response.body, response.headers.etag]).toEqual([304, '', headers.etag]);
    }
    // If both are sent, the ETag wins.
    expect((await get({ 'if-none-match': '"other"', ...byTime })).statusCode).toBe(200);
    await withdraw('ONE');
    expect((await get(byTag)).statusCode).toBe(200);
    app.advance(2000);
    expect((await get(byTime)).statusCode).toBe(200);
    expect((await get({ 'if-modified-since': 'yesterday' })).statusCode).toBe(200);
  });

  test('responds the same for a deleted feed, an unknown one, and one whose creator lost access', async () => {
    const { app, atomPath, calendarPath, made, ask, tokens, dropGrace } = await withFeed(dialect);
    const unknown = await app.call('GET', `/feeds/${'x'.repeat(32)}/events.atom`);
    const look = async (path: string) => {
      const { statusCode, body, headers } = await app.call('GET', path);
      return [statusCode, body, headers['content-type'], headers.etag];
    };
    const same = [404, unknown.body, unknown.headers['content-type'], undefined];
    expect(await look(`/feeds/${'x'.repeat(32)}/events.atom`)).toEqual(same);
    await dropGrace();
    expect([await look(atomPath), await look(calendarPath)]).toEqual([same, same]);
    await app.call('PUT', `/subscriptions/${north}/readers/grace?api-version=2024-02-01`, {
      token: await app.userToken(await app.addUser('root', { isAdmin: true })),
      body: {},
    });
    expect((await app.call('GET', atomPath)).statusCode).toBe(200);
    expect((await ask('DELETE', `feeds/${made.id}`, undefined, { token: tokens.grace })).status).toBe(204);
    expect([await look(atomPath), await look(calendarPath)]).toEqual([same, same]);
  });

  test('the secret of a feed appears in no log and no table', async () => {
    const { app, atomPath } = await withFeed(dialect);
    const secret = atomPath.split('/')[2] ?? '';
    await app.call('GET', atomPath);
    await app.call('GET', `/feeds/${secret}/nothing`);
    const rows = await app.database.query((q) => q.selectFrom('health_feeds').selectAll());
    const events = await app.database.query((q) => q.selectFrom('audit_events').selectAll());
    expect(secret).toHaveLength(32);
    expect(JSON.stringify([rows, events])).not.toContain(secret);
    expect(await app.logged()).not.toContain(secret);
  });

  test('every process sees a change immediately', async () => {
    const { app, atomPath, names } = await withFeed(dialect);
    const other = await app.another();
    expect((await other.http.inject(atomPath)).body).not.toContain('<entry>');
    await app.publish('ONE', { title: 'One' });
    expect((await other.http.inject(atomPath)).body).toContain('<title>One</title>');
    expect(await names()).toEqual(['One']);
  });

  test('audits creation and deletion of a feed, which do not affect others', async () => {
    const { app, ask, made, tokens } = await withFeed(dialect, { filter: "eventType eq 'ServiceIssue'" });
    const other = (await ask('POST', 'feeds', {}, { token: tokens.grace })).body;
    const list = async (token = tokens.grace) => (await ask('GET', 'feeds', undefined, { token })).body.value;
    expect((await list()).map(({ id }: { id: string }) => id).sort()).toEqual([made.id, other.id].sort());
    expect(await list(tokens.ada)).toEqual([]);
    expect((await ask('DELETE', `feeds/${made.id}`, undefined, { token: tokens.ada })).status).toBe(404);
    expect((await ask('DELETE', `feeds/${made.id}`, undefined, { token: tokens.grace })).status).toBe(204);
    expect((await ask('DELETE', `feeds/${made.id}`, undefined, { token: tokens.grace })).status).toBe(404);
    expect(await list()).toMatchObject([{ id: other.id, createdBy: 'grace' }]);
    const log = await recorded(app, 'feed.');
    const subscription = north;
    expect(log.map(({ action, subject, before, after }) => [action, subject.id, before, after])).toEqual([
      ['feed.create', made.id, undefined, { subscription, filter: "eventType eq 'ServiceIssue'" }],
      ['feed.create', other.id, undefined, { subscription, filter: '' }],
      ['feed.delete', made.id, { subscription }, undefined],
    ]);
    expect(new Set(log.map(({ subject }) => subject.kind))).toEqual(new Set(['feed']));
  });
});
