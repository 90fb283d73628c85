import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { endpoints } from '@mooring/contract';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const find = (pattern: string | string[]): string[] =>
  globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' });
const files = find(['{packages,acceptance,tools,test-support,bench,docs,deploy}/**/*', '*']);
const tests = files.filter((file) => file.endsWith('.test.ts'));
const names = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The rows of all tables in a text, as cells. */
const parseTables = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));

/** Documents shorten the path of a test as long as it is unique. */
const namedTests = (name: string): string[] =>
  tests.filter((file) => path.matchesGlob(`/${file}`, `/**/${name}`) || file === name);

test('every protection of the threat model names tests, and each of them exists', () => {
  // The first table lists attackers.
  const [, sections = ''] = read('docs/threat-model.md').split('\n## Requests and credentials\n');
  const rows = parseTables(sections).filter(([asset]) => asset !== 'asset or entry point');
  const shown = rows.map(([asset = '', , tested = '']) => ({ asset, tests: names(tested) }));
  expect(shown.length).toBeGreaterThan(90);
  expect(shown.filter((row) => row.tests.length === 0)).toEqual([]);
  const unclear = shown.flatMap((row) => row.tests).filter((name) => namedTests(name).length !== 1);
  expect(unclear).toEqual([]);
});

test('ADR 0008 lists exactly the operations that accept a call without a body, with their clients', () => {
  const exceptions = endpoints.flatMap(({ method, path: address, request }) => {
    const omitted = request && 'bodyOmittedBy' in request ? request.bodyOmittedBy : undefined;
    return omitted ? [`| \`${method} ${address}\` | ${omitted.client}, \`${omitted.command}\` |`] : [];
  });
  const listed = read('docs/adr/0008-status-codes.md')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^\| `(POST|PUT|PATCH) /.test(line));
  expect(exceptions.length).toBeGreaterThan(0);
  expect(listed.sort()).toEqual(exceptions.sort());
});

/** Named locks, and statements that lock rows. */
function locksInCode(): string[] {
  const files = globSync('packages/server/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const statements = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:export )?const (lock[A-Z]\w+) = (?:statement|async \(db)/gm)].map(
      ([, name = '']) => name,
    ),
  );
  const union = /export type LockName =([^;]+);/.exec(read('packages/server/src/db/locks.ts'))?.[1] ?? '';
  return [...statements, ...[...union.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name)];
}

test('each lock is in the table of locks, with an existing test', () => {
  const rows = parseTables(read('docs/testing.md').split('\n## ')[2] ?? '').filter(([lock]) => lock?.startsWith('`'));
  const listed = rows.flatMap(([lock = '']) => names(lock));
  const locks = locksInCode();
  expect(locks.length).toBeGreaterThan(30);
  expect(locks.filter((lock) => !listed.includes(lock))).toEqual([]);
  const missing = rows
    .flatMap(([, , shownBy = '']) => names(shownBy))
    .filter((name) => namedTests(`packages/server/${name}`).length !== 1);
  expect(missing).toEqual([]);
});

test('files that documents mention exist, and links between documents work', () => {
  const documents = find(['{docs,packages,acceptance,bench}/**/*.md', '{README,CONTRIBUTING,SECURITY}.md']);
  expect(documents.length).toBeGreaterThan(60);
  const missing = documents.flatMap((document) => {
    const text = read(document).replace(/```[\s\S]*?```/g, '');
    // A name that starts with a dot is an extension.
    const named = [...text.matchAll(/`([\w@*{}][\w@.*{},/-]*[.](?:ts|tsx|mjs|json|md))`/g)].map(
      ([, name = '']) => name,
    );
    const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) =>
      path.join(path.dirname(document), to).replace(/\/$/, ''),
    );
    const gone = named.filter((name) => !files.some((file) => path.matchesGlob(`/${file}`, `/**/${name}`)));
    return [...gone, ...linked.filter((to) => !files.includes(to))].map((name) => `${document}: ${name}`);
  });
  expect(missing).toEqual([]);
});

/** The anchor of a heading on Git hosts. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

test('links to headings of documents work', () => {
  const documents = find(['{docs,packages,acceptance,bench}/**/*.md', '*.md']);
  const withoutCode = (file: string): string => read(file).replace(/```[\s\S]*?```/g, '');
  const anchors = new Map(
    documents.map((file) => [
      file,
      [...withoutCode(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading)),
    ]),
  );
  const links = documents.flatMap((file) =>
    [...withoutCode(file).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, to = '', anchor = '']) => ({
      file,
      target: to === '' ? file : path.join(path.dirname(file), to),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(({ target, anchor }) => !anchors.get(target)?.includes(anchor))).toEqual([]);
});
