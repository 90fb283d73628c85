import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import law from '../.dependency-cruiser.mjs';

const root = path.join(import.meta.dirname, '..');

/** A house in which every rule is broken once: file → what it imports. */
const crooked: Record<string, string[]> = {
  'packages/contract/src/a.ts': ['./b.ts', '../../server/src/kernel/clock.ts', './nowhere.ts'],
  'packages/contract/src/b.ts': ['./a.ts', './accounts/users.examples.ts'],
  'packages/contract/src/accounts/users.examples.ts': [],
  'packages/server/src/app.ts': [],
  'packages/server/src/context.ts': ['./domains/audit/index.ts'],
  'packages/server/src/kernel/clock.ts': ['../config.ts'],
  'packages/server/src/config.ts': ['./app.ts'],
  'packages/server/src/db/statement.ts': ['../http/mount.ts'],
  'packages/server/src/db/migrations/0001-first.ts': ['../statement.ts'],
  'packages/server/src/http/mount.ts': ['../../test/harness/app.ts'],
  'packages/server/test/harness/app.ts': [],
  'packages/server/src/domains/audit/index.ts': ['../accounts/index.ts'],
  'packages/server/src/domains/audit/audit.ts': ['../../http/mount.ts'],
  'packages/server/src/domains/mail/index.ts': ['../accounts/index.ts'],
  'packages/server/src/domains/avatars/index.ts': ['../accounts/index.ts'],
  'packages/server/src/domains/accounts/index.ts': ['../tokens/index.ts', '../audit/audit.ts'],
  'packages/server/src/domains/accounts/users.ts': ['../../db/statement.ts', '../tokens/tokens.store.ts'],
  'packages/server/src/domains/tokens/index.ts': ['../health/index.ts'],
  'packages/server/src/domains/health/index.ts': [],
  'packages/server/src/domains/tokens/tokens.store.ts': ['../../http/mount.ts'],
  'packages/server/src/maintenance/backup.ts': ['../domains/audit/index.ts'],
  'packages/server/src/jobs/worker.ts': ['../maintenance/backup.ts'],
  'packages/cli/src/main.ts': ['../../server/src/kernel/clock.ts'],
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-law-'));
  for (const [file, imports] of Object.entries(crooked)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    const lines = imports.map((target) => `import '${target}';`);
    writeFileSync(path.join(folder, file), `${lines.join('\n')}\nexport {};\n`);
  }
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json', 'package.json']) {
    cpSync(path.join(root, file), path.join(folder, file));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function brokenRules(): string[] {
  const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  const report = execFileSync(
    process.execPath,
    [cruiser, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'packages'],
    options,
  );
  const { summary } = JSON.parse(report) as { summary: { violations: { rule: { name: string } }[] } };
  return [...new Set(summary.violations.map(({ rule }) => rule.name))].sort();
}

test('every rule of the import law is noticed when it is broken', () => {
  expect(brokenRules()).toEqual(law.forbidden.map(({ name }) => name).sort());
});
