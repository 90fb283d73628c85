import { type EndpointSpec, endpoints } from '@mooring/contract';
import { exampleRequest, type Fixtures, shown } from '@mooring/contract/fixtures';
import { expect, test } from 'vitest';
import type { TestApp } from '../harness/app.ts';
import { fixtureCopies } from '../harness/fixtures.ts';
import { eachDatabase } from '../harness/services/databases.ts';

interface Page {
  values: object[];
  next_cursor?: string;
  total?: number;
}

/** Every list that can be searched and sorted; lists for existing clients have no cursor. */
const lists = endpoints.filter(({ query }) => query && 'sort' in query.properties && 'cursor' in query.properties);
const listSorts = ({ query }: EndpointSpec): string[] =>
  (query?.properties.sort as { enum?: string[] } | undefined)?.enum ?? [];

/** In the error format of the operation. */
const getMessage = (body: { message?: string; error?: { message: string } }) => body.error?.message ?? body.message;

/** The parameters without which a list cannot be read. */
const requiredQuery = (spec: EndpointSpec): Record<string, string> =>
  Object.fromEntries((spec.query?.required ?? []).map((name) => [name, shown(spec, name)]));

const reader = (app: TestApp, { ids, ada }: Fixtures) => {
  const request = (spec: EndpointSpec, query: Record<string, string>) =>
    app.call('GET', exampleRequest(spec, { ids }).url.split('?')[0] ?? '', {
      token: ada.token,
      query: { ...requiredQuery(spec), ...query },
    });
  async function readAll(spec: EndpointSpec, query: Record<string, string>): Promise<Page[]> {
    const pages: Page[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.next_cursor) {
      pages.push((await request(spec, { ...query, ...(cursor ? { cursor } : {}) })).json());
    }
    return pages;
  }
  return { request, readAll };
};

const listValues = (pages: Page[]) => pages.flatMap(({ values }) => values);

eachDatabase('every list that can be searched and sorted', (dialect) => {
  const openCopy = fixtureCopies(dialect);

  test('returns each item once in both orders, at any page size', async () => {
    const { app, fixtures } = await openCopy();
    const { readAll } = reader(app, fixtures);
    for (const spec of lists) {
      for (const sort of listSorts(spec)) {
        const all = listValues(await readAll(spec, { sort, order: 'asc', limit: '200' }));
        const pages = await readAll(spec, { sort, order: 'asc', limit: '3' });
        expect([spec.id, sort, listValues(pages)]).toEqual([spec.id, sort, all]);
        expect([spec.id, new Set(all.map((value) => JSON.stringify(value))).size]).toEqual([spec.id, all.length]);
        const back = listValues(await readAll(spec, { sort, order: 'desc', limit: '200' }));
        expect([spec.id, sort, back]).toEqual([spec.id, sort, all.toReversed()]);
        expect([spec.id, all.length]).not.toEqual([spec.id, 0]);
        for (const [at, { total }] of pages.entries()) {
          const isCounted = at === 0 && !spec.id.endsWith('Audit_list');
          expect([spec.id, total]).toEqual([spec.id, isCounted ? all.length : undefined]);
        }
      }
    }
  });

  test('searches for text with special characters, and refuses long searches', async () => {
    const { app, fixtures } = await openCopy();
    const { request } = reader(app, fixtures);
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
        const answer = await request(spec, { search });
        expect([spec.id, search, answer.statusCode]).toEqual([spec.id, search, 200]);
        if (search !== '\u0301') expect([spec.id, search, answer.json().values.length]).toEqual([spec.id, search, 0]);
      }
      expect([spec.id, (await request(spec, { search: 'a'.repeat(101) })).statusCode]).toEqual([spec.id, 400]);
      const long = (await request(spec, { search: 'a b c d e f g h i' })).json();
      expect([spec.id, getMessage(long)]).toEqual([spec.id, 'search accepts at most 8 words. Remove some.']);
    }
  });

  test('refuses an invalid cursor, and one of another order', async () => {
    const { app, fixtures } = await openCopy();
    const { request } = reader(app, fixtures);
    const encodeCursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const spec of lists) {
      const [sort = ''] = listSorts(spec);
      const refusal = async (query: Record<string, string>) => {
        const answer = await request(spec, query);
        return [spec.id, answer.statusCode, getMessage(answer.json())];
      };
      const other = `cursor belongs to a list with a different order, not ${sort} asc. Omit it to start from the first page.`;
      const broken = 'Invalid cursor. Omit it to start from the first page.';
      for (const cursor of [encodeCursor(`${sort} desc`, 'a', 'b'), encodeCursor('secret asc', 1, 'b')]) {
        expect(await refusal({ sort, order: 'asc', cursor })).toEqual([spec.id, 400, other]);
      }
      for (const cursor of [
        'x',
        encodeCursor(`${sort} asc`),
        encodeCursor(`${sort} asc`, {}, 'b'),
        encodeCursor(`${sort} asc`, 'a', 1),
      ]) {
        expect(await refusal({ sort, order: 'asc', cursor })).toEqual([spec.id, 400, broken]);
      }
      expect((await request(spec, { sort: 'password_hash' })).statusCode).toBe(400);
    }
  });
});

test('includes lists of the server', () => {
  expect(lists.map(({ id }) => id).sort()).toEqual([
    'adminAudit_list',
    'adminFactorRule_preview',
    'adminJobs_list',
    'adminMails_list',
    'adminQuotas_list',
    'adminSignInRule_preview',
    'adminUsers_list',
    'appAudit_list',
    'apps_listAccess',
    'crashIssues_list',
    'distributionGroups_listTesters',
    'distributionGroups_listTestersForOrg',
    'feedback_list',
    'orgAudit_list',
    'orgFactorRule_preview',
    'orgSignInRule_preview',
    'orgWebhookDeliveries_list',
    'organizations_listMembers',
    'userApps_list',
    'webhookDeliveries_list',
  ]);
});
