import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const server = path.join(root, 'packages/server/src');

/** A store of `accounts` with a statement a line; those that say so must not compile. */
const crooked = `import type { Db } from '${server}/db/open.ts';
import { query, statement } from '${server}/domains/accounts/accounts.tables.ts';

export const own = statement((q) => q.selectFrom('users').select('id'));
export const above = statement((q) => q.selectFrom('apps').select('id')); // refused
export const deletesAbove = statement((q) => q.deleteFrom('distribution_group_members')); // refused
export const beside = statement((q) => q.selectFrom('jobs').select('id')); // refused
export const joins = statement((q) => q.selectFrom('users').innerJoin('apps', 'apps.owner_id', 'users.id').select('users.id')); // refused
export const ownQuery = (db: Db) => query(db, (q) => q.selectFrom('sessions').select('id'));
export const aboveByQuery = (db: Db) => query(db, (q) => q.selectFrom('api_tokens').select('id')); // refused
export const bareQuery = (db: Db) => db.query((q) => q.selectFrom('users').select('id')); // refused
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-tables-'));
  const project = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: { typeRoots: [path.join(root, 'node_modules/@types')] },
    include: [],
    files: ['crooked.store.ts'],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'crooked.store.ts'), crooked);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function refusedLines(): number[] {
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  try {
    execFileSync(tsc, ['-p', folder], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    const lines = stdout.matchAll(/^(.*?)\((\d+),\d+\): error/gm);
    return [...new Set([...lines].map(([, file, line]) => (file?.endsWith('crooked.store.ts') ? Number(line) : 0)))];
  }
}

test('a store that names a table of another domain above it, or of a room, does not compile', () => {
  const expected = crooked.split('\n').flatMap((line, at) => (line.endsWith('// refused') ? at + 1 : []));
  expect(refusedLines()).toEqual(expected);
});

test('nobody goes round the stores: bare queries are for tests', () => {
  const sources = globSync('packages/server/src/{domains,http,jobs,blobs,outbound}/**/*.ts', { cwd: root });
  const bare = sources.filter(
    (file) => !file.endsWith('.test.ts') && /\bdb\.query\b/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(bare).toEqual([]);
});
