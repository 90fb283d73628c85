import { type EndpointSpec, endpoints } from '@mooring/contract';
import { exampleRequest, type World } from '@mooring/contract/world';
import { expect, test } from 'vitest';
import type { TestApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/databases.ts';
import { worldCopies } from '../harness/world.ts';

/** Lists that existing clients read unpaged, and that can be searched and sorted since. */
const unpaged = endpoints.filter(({ query }) => {
  const takes = Object.keys(query?.properties ?? {});
  return ['search', 'sort', 'order'].every((name) => takes.includes(name)) && !takes.includes('cursor');
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

const words = ['description', 'display_name', 'displayName', 'email'];
const wordOf = (row: Record<string, string> | undefined): string =>
  words.map((name) => row?.[name]).find((text) => text) ?? '';

eachDatabase('every list that is answered unpaged', (dialect) => {
  const openCopy = worldCopies(dialect);

  test('shows everything in each order, and the other way round', async () => {
    const { app, world } = await openCopy();
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
