import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const server = path.join(root, 'packages/server/src');

const sources = globSync('packages/server/src/{domains,http,jobs,blobs,outbound,uploads}/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

/** A store of `accounts`, and of `tokens` above it, with a statement per line; marked ones must not compile. */
const violations = `import type { Db } from '${server}/db/open.ts';
import { accessTo } from '${server}/db/statement.ts';
import { accountsTables, query, statement } from '${server}/domains/accounts/accounts.tables.ts';
import { statement as tokensStatement, tokensTables } from '${server}/domains/tokens/tokens.tables.ts';

export const own = statement((q) => q.selectFrom('users').select('id'));
export const above = statement((q) => q.selectFrom('apps').select('id')); // refused
export const deletesAbove = statement((q) => q.deleteFrom('distribution_group_members')); // refused
export const beside = statement((q) => q.selectFrom('jobs').select('id')); // refused
export const joins = statement((q) => q.selectFrom('users').innerJoin('apps', 'apps.owner_id', 'users.id').select('users.id')); // refused
export const ownQuery = (db: Db) => query(db, (q) => q.selectFrom('sessions').select('id'));
export const aboveByQuery = (db: Db) => query(db, (q) => q.selectFrom('api_tokens').select('id')); // refused
export const bareQuery = (db: Db) => db.query((q) => q.selectFrom('users').select('id')); // refused
export const published = tokensStatement((q) => q.selectFrom('people').innerJoin('app_names', 'app_names.owner_id', 'people.id').select('people.email'));
export const below = tokensStatement((q) => q.selectFrom('users').select('id')); // refused
export const unpublishedColumn = tokensStatement((q) => q.selectFrom('people').select('password_hash')); // refused
export const foreignAccess = accessTo(tokensTables, accountsTables); // refused
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-tables-'));
  const project = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: { typeRoots: [path.join(root, 'node_modules/@types')] },
    include: [],
    files: ['violations.store.ts'],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'violations.store.ts'), violations);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function refusedLines(): number[] {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    const lines = stdout.matchAll(/^(.*?)\((\d+),\d+\): error/gm);
    return [...new Set([...lines].map(([, file, line]) => (file?.endsWith('violations.store.ts') ? Number(line) : 0)))];
  }
}

test('rejects a store that reads a table of another domain or platform module instead of a published view', () => {
  const expected = violations.split('\n').flatMap((line, at) => (line.endsWith('// refused') ? at + 1 : []));
  expect(refusedLines()).toEqual(expected);
});

test('only tests run queries outside of stores', () => {
  const bare = sources.filter(({ text }) => /\bdb\.query\b/.test(text));
  expect(bare.map(({ file }) => file)).toEqual([]);
});

/** Names within `defineTables<{…}>` or `defineViews<{…}>` of all sources, each with the folder of its owner. */
const listDefined = (define: 'defineTables' | 'defineViews'): Map<string, string> =>
  new Map(
    sources.flatMap(({ file, text }) =>
      [...text.matchAll(new RegExp(`${define}<\\{(.*?)\\}>\\(`, 'gs'))].flatMap(([, body = '']) =>
        [...body.matchAll(/(?:^ {2}|^ )(\w+): /gm)].map(([, name = '']): [string, string] => [
          name,
          path.dirname(file),
        ]),
      ),
    ),
  );

const ownersByTable = listDefined('defineTables');
const ownersByView = listDefined('defineViews');

test('rejects SQL text with a table of another domain', () => {
  expect(ownersByTable.get('apps')).toBe('packages/server/src/domains/apps');
  const foreign = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bsql(?:<[^`]*?>)?`[^`]*`/g)].flatMap(([template]) =>
      [...template.matchAll(/\b(?:from|join|into|update)\s+(\w+)/g)].flatMap(([, name = '']) => {
        const owner = ownersByTable.get(name);
        return owner === undefined || file.startsWith(`${owner}/`) ? [] : `${file}: ${name}`;
      }),
    ),
  );
  expect(foreign).toEqual([]);
});

test('rejects writes to a view', () => {
  expect(ownersByView.get('people')).toBe('packages/server/src/domains/accounts');
  const written = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(?:insertInto|updateTable|deleteFrom|updateRow)\('(\w+)'/g)].flatMap(([, name = '']) =>
      ownersByView.has(name) ? `${file}: ${name}` : [],
    ),
  );
  expect(written).toEqual([]);
});
