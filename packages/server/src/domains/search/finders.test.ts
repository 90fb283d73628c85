import { apps_get, builds_list, crashIssues_list } from '@mooring/contract';
import type { Fixtures } from '@mooring/contract/fixtures';
import { expect, test } from 'vitest';
import type { TestApp } from '../../../test/harness/app.ts';
import { fixtureCopies } from '../../../test/harness/fixtures.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { User } from '../../context.ts';
import { DAY } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';

interface Found {
  kind: string;
  title: string;
  detail: string;
  path: Record<string, string>;
}

const params = { owner_name: 'ada', app_name: 'compass' };
const inApps = ['release', 'issue', 'build'];

const search = async (app: TestApp, token: string, q: string): Promise<Found[]> =>
  (await app.call('GET', '/v0.1/search', { token, query: { q, limit: '20' } })).json().values;

/** Collects search words for each kind of resource in the fixtures. */
async function collectTerms({ ada }: Fixtures) {
  const { values: issues } = await ada.call(crashIssues_list, { params, query: {} });
  const { values: builds } = await ada.call(builds_list, { params, query: {} });
  const [issue, build] = [issues[0], builds[0]];
  if (!issue || !build) throw new Error('The fixtures have an issue and a build.');
  return { issue, build };
}

/** Adds many newer resources to an app of the user: copies of the fixtures with other words. */
async function addNewest({ addApp, database }: TestApp, user: User, count: number): Promise<void> {
  const { id: app_id } = await addApp(user, 'newest');
  await database.transaction(async (db) => {
    const first = <Row>(rows: Row[]): Row => rows[0] as Row;
    const release = first(await db.query((q) => q.selectFrom('releases').selectAll().limit(1)));
    const build = first(await db.query((q) => q.selectFrom('builds').selectAll().limit(1)));
    const issue = first(await db.query((q) => q.selectFrom('crash_issues').selectAll().limit(1)));
    const group = first(await db.query((q) => q.selectFrom('crash_groups').selectAll().limit(1)));
    await db.query((q) => q.insertInto('crash_groups').values({ ...group, app_id, id: '9', search_key: '9' }));
    const versions = { version: '9', short_version: '9' };
    for (let n = 1; n <= count; n += 500) {
      const numbers = Array.from({ length: 500 }, (_, at) => n + at);
      const at = (id: number) => release.uploaded_at + 365 * DAY + id;
      const releases = numbers.map((id) => ({ ...release, app_id, id, ...versions, uploaded_at: at(id) }));
      const builds = numbers.map((id) => ({
        ...build,
        ...{ app_id, id, job_id: newId(), branch: '9', commit_sha: '9', queued_at: at(id) },
      }));
      const issues = numbers.map((id) => ({ ...issue, app_id, id: newId(), group_id: '9', last_at: at(id) }));
      await db.query((q) => q.insertInto('releases').values(releases));
      await db.query((q) => q.insertInto('builds').values(builds));
      await db.query((q) => q.insertInto('crash_issues').values(issues));
    }
  });
}

eachDatabase('content of apps, searched and summarized', (dialect) => {
  const copy = fixtureCopies(dialect);

  test('finds releases, issues, builds, health events and operations, by their own words and those of their app', async () => {
    const { app, fixtures } = await copy();
    const { token } = fixtures.ada;
    const { issue, build } = await collectTerms(fixtures);
    const found = async (q: string, kind: string) => (await search(app, token, q)).filter((one) => one.kind === kind);

    expect(await found('compass 1.4.0', 'release')).toMatchObject([
      { title: expect.stringContaining('1.4.0 (140)'), path: { ...params, release_id: '1' } },
    ]);
    expect(await found(issue.exception_type.toUpperCase(), 'issue')).toContainEqual(
      expect.objectContaining({ path: { ...params, issue_id: issue.id } }),
    );
    expect(await found(build.sourceVersion.slice(0, 8), 'build')).toContainEqual(
      expect.objectContaining({ path: { ...params, build_id: String(build.id) } }),
    );
    const [event] = await found('MAIL', 'health_event');
    expect(event?.path.tracking_id).toBeTruthy();
    expect(await found('releases_list', 'operation')).toContainEqual(
      expect.objectContaining({ detail: 'GET /v0.1/apps/{owner_name}/{app_name}/releases' }),
    );
    // The name of an app finds only the app, not its resources.
    expect((await search(app, token, 'compass')).filter(({ kind }) => kind === 'release' || kind === 'build')).toEqual(
      [],
    );
  });

  test('shows content of an app only to users who can read the app', async () => {
    const { app, fixtures } = await copy();
    const { issue, build } = await collectTerms(fixtures);
    const { id } = await fixtures.ada.call(apps_get, { params });
    const terms = ['1.4.0', issue.exception_type, build.sourceVersion, 'compass 140'];
    const ref = { id, ownerId: fixtures.ada.id, ownerName: 'ada', name: 'compass' };
    const iris = await app.addUser('iris');
    const token = await app.userToken(iris);
    const kinds = async () => {
      const all = await Promise.all(terms.map((term) => search(app, token, term)));
      const here = all.flat().filter(({ kind, path }) => inApps.includes(kind) && path.owner_name === 'ada');
      return [...new Set(here.map(({ kind }) => kind))].sort();
    };
    expect(await kinds()).toEqual([]);
    await app.addMember(ref, iris, 'tester');
    expect(await kinds()).toEqual([]);
    await app.addMember(ref, iris, 'viewer');
    expect(await kinds()).toEqual(['build', 'issue', 'release']);
    await app.addMember(ref, iris, 'tester');
    expect(await kinds()).toEqual([]);
  });

  test.each(['little', 'much', 'nearly all'])(
    'a user who sees %s of the fixtures finds what each kind of access shows',
    async (sees) => {
      const { app, fixtures } = await copy();
      const { issue, build } = await collectTerms(fixtures);
      const { id } = await fixtures.ada.call(apps_get, { params });
      const ref = { id, ownerId: fixtures.ada.id, ownerName: 'ada', name: 'compass' };
      const iris = await app.addUser('iris');
      const owner = sees === 'little' ? await app.addUser('other') : iris;
      await addNewest(app, owner, sees === 'nearly all' ? 3500 : 500);
      const [token, readOnly] = [await app.userToken(iris), await app.userToken(iris, { scope: ['viewer'] })];
      const terms = ['1.4.0', issue.exception_type, build.sourceVersion, '1.2.3', '%', '_', "'"];
      const seen = async (as: string) => {
        const all = (await Promise.all(terms.map((term) => search(app, as, term)))).flat();
        const here = all.filter(({ kind }) => inApps.includes(kind));
        return [...new Set(here.map(({ kind, path }) => `${kind} of ${path.app_name}`))].sort();
      };
      const ofCompass = ['build of compass', 'issue of compass', 'release of compass'];
      const ofOrg = 'release of tide-table';
      expect(await seen(token)).toEqual([]);
      await app.addMember(ref, iris, 'viewer');
      expect([await seen(token), await seen(readOnly)]).toEqual([ofCompass, ofCompass]);
      const org = (await app.call('GET', '/v0.1/orgs/lighthouse', { token: fixtures.ada.token })).json();
      const lighthouse = { ...org, displayName: 'Lighthouse', avatarUrl: undefined, createdAt: 0, updatedAt: 0 };
      await app.addToOrg(lighthouse, iris, 'member');
      expect(await seen(token)).toEqual(ofCompass);
      const call = (method: string, url: string, body?: object) =>
        app.call(method, url, { token: fixtures.ada.token, body });
      await call('POST', '/v0.1/orgs/lighthouse/teams', { name: 'keepers', display_name: 'Keepers' });
      await call('POST', '/v0.1/orgs/lighthouse/teams/keepers/apps', { name: 'tide-table' });
      await call('POST', '/v0.1/orgs/lighthouse/teams/keepers/users', { user_email: iris.email });
      expect(await seen(token)).toEqual([...ofCompass, ofOrg]);
      await call('DELETE', '/v0.1/orgs/lighthouse/teams/keepers/users/iris');
      expect(await seen(token)).toEqual(ofCompass);
      await call('PATCH', '/v0.1/orgs/lighthouse/users/iris', { role: 'admin' });
      expect(await seen(token)).toEqual([...ofCompass, ofOrg]);
      await call('DELETE', '/v0.1/orgs/lighthouse/users/iris');
      await call('DELETE', '/v0.1/apps/ada/compass/users/iris@example.com');
      expect([await seen(token), await seen(readOnly)]).toEqual([[], []]);
    },
  );

  test('finds no health events of others, and nothing with an app token', async () => {
    const { app, fixtures } = await copy();
    const subscription = '5d1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b22';
    const tenant = '6d1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b22';
    const [iris, grace] = [await app.addUser('iris'), await app.addUser('grace-of-the-north')];
    await app.addSubscription(subscription, 'iris', tenant);
    const region = { impactedRegion: 'North', impactedSubscriptions: [subscription] };
    const impact = [{ impactedService: 'Lamp', impactedRegions: [region] }];
    await app.publish('LAMP-7', { title: 'Lamps 100%_out', impact });
    const ids = async (token: string, q: string) =>
      (await search(app, token, q)).filter(({ kind }) => kind === 'health_event').map(({ path }) => path.tracking_id);
    const [ofIris, ofGrace] = [await app.userToken(iris), await app.userToken(grace)];
    for (const q of ['lamps', 'LAMP-7', '%_o']) {
      expect([q, await ids(ofIris, q), await ids(ofGrace, q)]).toEqual([q, ['LAMP-7'], []]);
    }
    expect(await ids(ofIris, '0__o')).toEqual([]);
    const { id } = await fixtures.ada.call(apps_get, { params });
    const ref = { id, ownerId: fixtures.ada.id, ownerName: 'ada', name: 'compass' };
    const ada = { ...iris, id: fixtures.ada.id, name: 'ada', email: 'ada@example.com' };
    const response = await app.call('GET', '/v0.1/search', {
      token: await app.appToken(ref, ada),
      query: { q: 'compass' },
    });
    expect([response.statusCode, response.json().values]).toEqual([403, undefined]);
  });

  test('lists the apps of an organization with their latest release, only to users who can read them', async () => {
    const { app, fixtures } = await copy();
    const listSummaries = async (token: string) => {
      const response = await app.call('GET', '/v0.1/orgs/lighthouse/app_glances', { token });
      return response.statusCode === 200 ? response.json<{ values: { name: string }[] }>().values : response.statusCode;
    };
    expect(await listSummaries(fixtures.ada.token)).toContainEqual(
      expect.objectContaining({
        name: 'tide-table',
        latest_release: expect.objectContaining({ id: 1, short_version: '1.2.3' }),
        open_crashes: 0,
        alerting_rules: 0,
      }),
    );
    const iris = await app.addUser('iris');
    expect(await listSummaries(await app.userToken(iris))).toBe(404);
    const { id } = (await app.call('GET', '/v0.1/orgs/lighthouse', { token: fixtures.ada.token })).json();
    const org = { id, name: 'lighthouse', displayName: 'Lighthouse', avatarUrl: undefined, createdAt: 0, updatedAt: 0 };
    await app.addToOrg(org, iris, 'member');
    expect(await listSummaries(await app.userToken(iris))).toEqual([]);
  });
});
