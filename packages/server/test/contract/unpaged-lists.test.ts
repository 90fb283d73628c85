import { type EndpointSpec, endpoints, healthVersion, Subscriptions_Save } from '@mooring/contract';
import { exampleRequest, type World } from '@mooring/contract/world';
import { expect, test } from 'vitest';
import type { TestApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/databases.ts';
import { worldCopies } from '../harness/world.ts';

/** Lists that existing clients read unpaged, and that can be searched and sorted since. */
const unpaged = endpoints.filter(({ query }) => {
  const takes = Object.keys(query?.properties ?? {});
  const isPaged = takes.includes('cursor') || takes.includes('$skipToken');
  return ['search', 'sort', 'order'].every((name) => takes.includes(name)) && !isPaged;
});
const sortsOf = ({ query }: EndpointSpec): string[] =>
  (query?.properties.sort as { enum?: string[] } | undefined)?.enum ?? [];

const reader = (app: TestApp, { ids, ada }: World) => {
  const ask = (spec: EndpointSpec, query: Record<string, string>) => {
    const [path = '', given] = exampleRequest(spec, { ids }).url.split('?');
    return app.call('GET', path, {
      token: ada.token,
      query: { ...Object.fromEntries(new URLSearchParams(given)), ...query },
    });
  };
  const read = async (spec: EndpointSpec, query: Record<string, string>): Promise<Record<string, string>[]> => {
    const answer = (await ask(spec, query)).json();
    return answer.value ?? answer;
  };
  return { ask, read };
};

/** Longer than the last four characters of a token, which are random and searched, too. */
const names = ['Ärger', 'ÅSANE', 'Čajnik', 'ØRESUND', 'Привет', 'zebra', 'Alpha'];

/** What is posted to a list so that it has a row of that name; the e-mail address of an invitation has no accents. */
const bodies: Record<string, (name: string, n: number) => object> = {
  appApiTokens_list: (description) => ({ description }),
  serviceAccountTokens_list: (description) => ({ description }),
  userApiTokens_list: (description) => ({ description }),
  appInvitations_list: (_, n) => ({ user_email: `Guest-${n}@example.com` }),
  orgInvitations_listPending: (_, n) => ({ user_email: `Guest-${n}@example.com` }),
  serviceAccounts_list: (display_name, n) => ({ display_name, name: `robot-${n}` }),
  teams_listAll: (display_name, n) => ({ display_name, name: `team-${n}` }),
};

/** Enough rows to be in one order or another. */
async function addRows(app: TestApp, { ids, ada }: World): Promise<void> {
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

const words = ['description', 'display_name', 'displayName', 'email'];
const wordOf = (row: Record<string, string> | undefined): string =>
  words.map((name) => row?.[name]).find((text) => text) ?? '';

eachDatabase('every list that is answered unpaged', (dialect) => {
  const openCopy = worldCopies(dialect);

  test('shows everything in each order, and the other way round', async () => {
    const { app, world } = await openCopy();
    await addRows(app, world);
    const { read } = reader(app, world);
    for (const spec of unpaged) {
      const usual = await read(spec, {});
      expect([spec.id, usual.length]).not.toEqual([spec.id, 0]);
      expect([spec.id, await read(spec, { sort: sortsOf(spec)[0] ?? '' })]).toEqual([spec.id, usual]);
      for (const sort of sortsOf(spec)) {
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

  test('finds names without regard to case and accents', async () => {
    const { app, world } = await openCopy();
    await addRows(app, world);
    const { read } = reader(app, world);
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
        expect([spec.id, search, found.map(wordOf)]).toEqual([spec.id, search, [name]]);
      }
      const sort = sortsOf(spec).find((key) => words.includes(key)) ?? '';
      const order = (await read(spec, { sort })).map(wordOf);
      const latin = ['Alpha', 'Ärger', 'ÅSANE', 'Čajnik', 'zebra'];
      expect([spec.id, order.filter((name) => latin.includes(name))]).toEqual([spec.id, latin]);
    }
  });

  test('is narrowed to what has the words, and to nothing by text that means nothing to a database', async () => {
    const { app, world } = await openCopy();
    const { ask, read } = reader(app, world);
    for (const spec of unpaged) {
      const [first] = await read(spec, {});
      const found = await read(spec, { search: wordOf(first).toUpperCase() });
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
        expect([spec.id, query, (await ask(spec, query)).statusCode]).toEqual([spec.id, query, 400]);
      }
    }
  });
});

test('lists of teams, invitations, tokens, service accounts and subscriptions are among them', () => {
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
