import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const source = path.join(import.meta.dirname, '../..');

/** Migrations are frozen, and import nothing that may change. */
const exceptions = ['kernel/text/json.ts', 'db/migrations/0048-searched-text.ts'];

test('code parses JSON only with a codec or kernel/text/json.ts, so that no value is implicitly any', () => {
  const files = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const callers = files.filter((file) => readFileSync(path.join(source, file), 'utf8').includes('JSON.parse('));
  expect(callers.sort()).toEqual(exceptions.toSorted());
});
