import { type EndpointSpec, endpoints, healthVersion, Subscriptions_Save } from '@mooring/contract';
import { exampleRequest, type Fixtures } from '@mooring/contract/fixtures';
import { expect, test } from 'vitest';
import type { TestApp } from '../harness/app.ts';
import { fixtureCopies } from '../harness/fixtures.ts';
import { eachDatabase } from '../harness/services/databases.ts';

/** Lists that existing clients read unpaged, but that can also be searched and sorted. */
const unpaged = endpoints.filter(({ query }) => {
  const takes = Object.keys(query?.properties ?? {});
  const isPaged = takes.includes('cursor') || takes.includes('$skipToken');
  return ['search', 'sort', 'order'].every((name) => takes.includes(name)) && !isPaged;
});
const listSorts = ({ query }: EndpointSpec): string[] =>
  (query?.properties.sort as { enum?: string[] } | undefined)?.enum ?? [];

const reader = (app: TestApp, { ids, ada }: Fixtures) => {
  const request = (spec: EndpointSpec, query: Record<string, string>) => {
    const [path = '', exampleQuery] = exampleRequest(spec, { ids }).url.split('?');
    return app.call('GET', path, {
      token: ada.token,
      query: { ...Object.fromEntries(new URLSearchParams(exampleQuery)), ...query },
    });
  };
  const read = async (spec: EndpointSpec, query: Record<string, string>): Promise<Record<string, string>[]> => {
    const answer = (await request(spec, query)).json();
    return answer.value ?? answer;
  };
  return { request, read };
};

/** Longer than the last four characters of a token, which are random and searchable, too. */
const names = ['Ärger', 'ÅSANE', 'Čajnik', 'ØRESUND', 'Привет', 'zebra', 'Alpha'];

/** Request body that adds a row with this name; the email address of an invitation has no accents. */
const bodies: Record<string, (name: string, n: number) => object> = {
  appApiTokens_list: (description) => ({ description }),
  serviceAccountTokens_list: (description) => ({ description }),
  userApiTokens_list: (description) => ({ description }),
  appInvitations_list: (_, n) => ({ user_email: `Guest-${n}@example.com` }),
  orgInvitations_listPending: (_, n) => ({ user_email: `Guest-${n}@example.com` }),
  serviceAccounts_list: (display_name, n) => ({ display_name, name: `robot-${n}` }),
  teams_listAll: (display_name, n) => ({ display_name, name: `team-${n}` }),
};

/** Enough rows to have an order. */
async function addRows(app: TestApp, { ids, ada }: Fixtures): Promise<void> {
  const added = unpaged.flatMap((spec) => {
    const body = bodies[spec.id];
    return body ? [{ path: exampleRequest(spec, { ids }).url.split('?')[0] ?? '', body }] : [];
  });
  expect(added).toHaveLength(Object.keys(bodies).length);
  for (const { path, body } of added) {
    for (const [n, name] of names.entries()) {
      const answer = await app.call('POST', path, { token: ada.token, body: body(name, n) });
      expect([path, answer.statusCode < 300, answer.body]).toEqual([path, true, answer.body]);
    }
  }
  for (const [n, displayName] of names.entries()) {
    const subscriptionId = `0000000${n}-0000-4000-8000-000000000000`;
    const body = { displayName, owner: 'lighthouse', tenantId: subscriptionId };
    await ada.call(Subscriptions_Save, { params: { subscriptionId }, query: healthVersion, body });
  }
}

const textFields = ['description', 'display_name', 'displayName', 'email'];
const getText = (row: Record<string, string> | undefined): string =>
  textFields.map((name) => row?.[name]).find((text) => text) ?? '';

eachDatabase('every unpaged list', (dialect) => {
  const openCopy = fixtureCopies(dialect);

  test('returns all items in both orders', async () => {
    const { app, fixtures } = await openCopy();
    await addRows(app, fixtures);
    const { read } = reader(app, fixtures);
    for (const spec of unpaged) {
      const usual = await read(spec, {});
      expect([spec.id, usual.length]).not.toEqual([spec.id, 0]);
      expect([spec.id, await read(spec, { sort: listSorts(spec)[0] ?? '' })]).toEqual([spec.id, usual]);
      for (const sort of listSorts(spec)) {
        const all = await read(spec, { sort, order: 'asc' });
        expect([spec.id, sort, new Set(all.map((row) => JSON.stringify(row)))]).toEqual([
          spec.id,
          sort,
          new Set(usual.map((row) => JSON.stringify(row))),
        ]);
        expect([spec.id, sort, await read(spec, { sort, order: 'desc' })]).toEqual([spec.id, sort, all.toReversed()]);
      }
    }
  });

  test('finds names regardless of case and accents', async () => {
    const { app, fixtures } = await openCopy();
    await addRows(app, fixtures);
    const { read } = reader(app, fixtures);
    const named = unpaged.filter(({ id }) => id === 'Subscriptions_List' || (id in bodies && !/nvitation/.test(id)));
    for (const spec of named) {
      for (const [search, name] of [
        ['ärger', 'Ärger'],
        ['ARGER', 'Ärger'],
        ['A\u030Arger', 'Ärger'],
        ['åsane', 'ÅSANE'],
        ['asane', 'ÅSANE'],
        ['cajnik', 'Čajnik'],
        ['øresund', 'ØRESUND'],
        ['ПРИВЕТ', 'Привет'],
      ] as const) {
        const found = await read(spec, { search });
        expect([spec.id, search, found.map(getText)]).toEqual([spec.id, search, [name]]);
      }
      const sort = listSorts(spec).find((key) => textFields.includes(key)) ?? '';
      const order = (await read(spec, { sort })).map(getText);
      const latin = ['Alpha', 'Ärger', 'ÅSANE', 'Čajnik', 'zebra'];
      expect([spec.id, order.filter((name) => latin.includes(name))]).toEqual([spec.id, latin]);
    }
  });

  test('returns matches only, and none for text with special characters', async () => {
    const { app, fixtures } = await openCopy();
    const { request, read } = reader(app, fixtures);
    for (const spec of unpaged) {
      const [first] = await read(spec, {});
      const found = await read(spec, { search: getText(first).toUpperCase() });
      expect([spec.id, found]).toEqual([spec.id, expect.arrayContaining([first])]);
      for (const search of ['%%%', '\\', "' or 1=1 --", '☃'.repeat(100)]) {
        expect([spec.id, search, await read(spec, { search })]).toEqual([spec.id, search, []]);
      }
      const refused: Record<string, string>[] = [
        { search: 'a'.repeat(101) },
        { search: 'a b c d e f g h i' },
        { sort: 'password_hash' },
      ];
      for (const query of refused) {
        expect([spec.id, query, (await request(spec, query)).statusCode]).toEqual([spec.id, query, 400]);
      }
    }
  });
});

test('includes lists of teams, invitations, tokens, service accounts and subscriptions', () => {
  expect(unpaged.map(({ id }) => id).sort()).toEqual([
    'Subscriptions_List',
    'adminUserTokens_list',
    'appApiTokens_list',
    'appInvitations_list',
    'orgInvitations_listPending',
    'serviceAccountTokens_list',
    'serviceAccounts_list',
    'teams_listAll',
    'userApiTokens_list',
  ]);
});
