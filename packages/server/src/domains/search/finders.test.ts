import { apps_get, builds_list, crashIssues_list } from '@mooring/contract';
import type { World } from '@mooring/contract/world';
import { expect, test } from 'vitest';
import type { TestApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { worldCopies } from '../../../test/harness/world.ts';

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

/** What is in apps, by words that the world has in each kind. */
async function wordsOf({ ada }: World) {
  const { values: issues } = await ada.call(crashIssues_list, { params, query: {} });
  const { values: builds } = await ada.call(builds_list, { params, query: {} });
  const [issue, build] = [issues[0], builds[0]];
  if (!issue || !build) throw new Error('The world has an issue and a build.');
  return { issue, build };
}

eachDatabase('what is in apps, searched and at a glance', (dialect) => {
  const copy = worldCopies(dialect);

  test('finds releases, issues, builds, health events and operations, by their own words and those of their app', async () => {
    const { app, world } = await copy();
    const { token } = world.ada;
    const { issue, build } = await wordsOf(world);
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
    // The name of an app alone finds the app, not everything that is in it.
    expect((await search(app, token, 'compass')).filter(({ kind }) => kind === 'release' || kind === 'build')).toEqual(
      [],
    );
  });

  test('shows what is in an app to those who may look into it, and to nobody else', async () => {
    const { app, world } = await copy();
    const { issue, build } = await wordsOf(world);
    const { id } = await world.ada.call(apps_get, { params });
    const words = ['1.4.0', issue.exception_type, build.sourceVersion, 'compass 140'];
    const ref = { id, ownerId: world.ada.id, ownerName: 'ada', name: 'compass' };
    const iris = await app.addUser('iris');
    const token = await app.userToken(iris);
    const kinds = async () => {
      const all = await Promise.all(words.map((word) => search(app, token, word)));
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

  test('the apps of an organization are told of with their latest release, and only to those who may look into them', async () => {
    const { app, world } = await copy();
    const glances = async (token: string) => {
      const answer = await app.call('GET', '/v0.1/orgs/lighthouse/app_glances', { token });
      return answer.statusCode === 200 ? answer.json<{ values: { name: string }[] }>().values : answer.statusCode;
    };
    expect(await glances(world.ada.token)).toContainEqual(
      expect.objectContaining({
        name: 'tide-table',
        latest_release: expect.objectContaining({ id: 1, short_version: '1.2.3' }),
        open_crashes: 0,
        alerting_rules: 0,
      }),
    );
    const iris = await app.addUser('iris');
    expect(await glances(await app.userToken(iris))).toBe(404);
    const { id } = (await app.call('GET', '/v0.1/orgs/lighthouse', { token: world.ada.token })).json();
    const org = { id, name: 'lighthouse', displayName: 'Lighthouse', avatarUrl: undefined, createdAt: 0, updatedAt: 0 };
    await app.addToOrg(org, iris, 'member');
    expect(await glances(await app.userToken(iris))).toEqual([]);
  });
});
