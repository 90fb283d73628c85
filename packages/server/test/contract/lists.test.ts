import { type EndpointSpec, endpoints } from '@mooring/contract';
import { exampleRequest, type World } from '@mooring/contract/world';
import { expect, test } from 'vitest';
import type { TestApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/databases.ts';
import { worldCopies } from '../harness/world.ts';

interface Page {
  values: object[];
  next_cursor?: string;
  total?: number;
}

/** Every list that can be searched and sorted; those of other clients have no cursor. */
const lists = endpoints.filter(({ query }) => query && 'sort' in query.properties && 'cursor' in query.properties);
const sortsOf = ({ query }: EndpointSpec): string[] =>
  (query?.properties.sort as { enum?: string[] } | undefined)?.enum ?? [];

/** In whichever shape an operation has for errors. */
const messageOf = (body: { message?: string; error?: { message: string } }) => body.error?.message ?? body.message;

const reader = (app: TestApp, { ids, ada }: World) => {
  const ask = (spec: EndpointSpec, query: Record<string, string>) =>
    app.call('GET', exampleRequest(spec, { ids }).url.split('?')[0] ?? '', { token: ada.token, query });
  async function readAll(spec: EndpointSpec, query: Record<string, string>): Promise<Page[]> {
    const pages: Page[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.next_cursor) {
      pages.push((await ask(spec, { ...query, ...(cursor ? { cursor } : {}) })).json());
    }
    return pages;
  }
  return { ask, readAll };
};

const valuesOf = (pages: Page[]) => pages.flatMap(({ values }) => values);

eachDatabase('every list that can be searched and sorted', (dialect) => {
  const openCopy = worldCopies(dialect);

  test('shows everything once in each order, whatever the page, and the other way round', async () => {
    const { app, world } = await openCopy();
    const { readAll } = reader(app, world);
    for (const spec of lists) {
      for (const sort of sortsOf(spec)) {
        const all = valuesOf(await readAll(spec, { sort, order: 'asc', limit: '200' }));
        const pages = await readAll(spec, { sort, order: 'asc', limit: '3' });
        expect([spec.id, sort, valuesOf(pages)]).toEqual([spec.id, sort, all]);
        expect([spec.id, new Set(all.map((value) => JSON.stringify(value))).size]).toEqual([spec.id, all.length]);
        const back = valuesOf(await readAll(spec, { sort, order: 'desc', limit: '200' }));
        expect([spec.id, sort, back]).toEqual([spec.id, sort, all.toReversed()]);
        expect([spec.id, all.length]).not.toEqual([spec.id, 0]);
        for (const [at, { total }] of pages.entries()) {
          const isCounted = at === 0 && !spec.id.endsWith('Audit_list');
          expect([spec.id, total]).toEqual([spec.id, isCounted ? all.length : undefined]);
        }
      }
    }
  });

  test('is searched for text that means nothing to a database, and refuses searches that are too long', async () => {
    const { app, world } = await openCopy();
    const { ask } = reader(app, world);
    const hostile = [
      '%%%',
      '__',
      '\\',
      '\\%',
      "' or 1=1 --",
      '"; drop table apps',
      '☃'.repeat(100),
      '\ud83d\ude00',
      '\u0301',
      '*',
      '[a-z]',
    ];
    for (const spec of lists) {
      for (const search of hostile) {
        const answer = await ask(spec, { search });
        expect([spec.id, search, answer.statusCode]).toEqual([spec.id, search, 200]);
        if (search !== '\u0301') expect([spec.id, search, answer.json().values.length]).toEqual([spec.id, search, 0]);
      }
      expect([spec.id, (await ask(spec, { search: 'a'.repeat(101) })).statusCode]).toEqual([spec.id, 400]);
      const long = (await ask(spec, { search: 'a b c d e f g h i' })).json();
      expect([spec.id, messageOf(long)]).toEqual([spec.id, 'search takes at most 8 words; leave some away.']);
    }
  });

  test('refuses a cursor of another order, and one that nobody gave out', async () => {
    const { app, world } = await openCopy();
    const { ask } = reader(app, world);
    const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const spec of lists) {
      const [sort = ''] = sortsOf(spec);
      const refusal = async (query: Record<string, string>) => {
        const answer = await ask(spec, query);
        return [spec.id, answer.statusCode, messageOf(answer.json())];
      };
      const other = `cursor belongs to a list in another order than ${sort} asc; leave it away to start anew.`;
      const broken = 'cursor is not one that this server gave out; leave it away to start from the first page.';
      for (const cursor of [cursorOf(`${sort} desc`, 'a', 'b'), cursorOf('secret asc', 1, 'b')]) {
        expect(await refusal({ sort, order: 'asc', cursor })).toEqual([spec.id, 400, other]);
      }
      for (const cursor of [
        'x',
        cursorOf(`${sort} asc`),
        cursorOf(`${sort} asc`, {}, 'b'),
        cursorOf(`${sort} asc`, 'a', 1),
      ]) {
        expect(await refusal({ sort, order: 'asc', cursor })).toEqual([spec.id, 400, broken]);
      }
      expect((await ask(spec, { sort: 'password_hash' })).statusCode).toBe(400);
    }
  });
});

test('lists of the server are among them', () => {
  expect(lists.map(({ id }) => id).sort()).toEqual([
    'adminAudit_list',
    'adminJobs_list',
    'adminMails_list',
    'adminQuotas_list',
    'adminUsers_list',
    'appAudit_list',
    'apps_listAccess',
    'crashIssues_list',
    'distributionGroups_listTesters',
    'distributionGroups_listTestersForOrg',
    'orgAudit_list',
    'orgWebhookDeliveries_list',
    'organizations_listMembers',
    'userApps_list',
    'webhookDeliveries_list',
  ]);
});
