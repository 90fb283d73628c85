import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readDomainList } from './domain-list.mjs';

const root = path.join(import.meta.dirname, '..');

const tiers = {
  foundations: ['audit', 'accounts', 'health', 'ingest'],
  data: ['crashes'],
  products: ['releases', 'builds'],
};

const domainList = [
  ...Object.values(tiers)
    .flat()
    .map((name) => `import { ${name} } from './domains/${name}/index.ts';`),
  ...Object.entries(tiers).map(([tier, names]) => `const ${tier} = [${names.join(', ')}];`),
  'export const domains = [...foundations, ...data, ...products];\n',
].join('\n');

/** Breaks each rule once: file → its imports. */
const violations: Record<string, string[]> = {
  'packages/contract/src/a.ts': ['./b.ts', '../../server/src/kernel/clock.ts', './nowhere.ts'],
  'packages/contract/src/b.ts': ['./a.ts', './accounts/users.examples.ts'],
  'packages/contract/src/accounts/users.examples.ts': [],
  'packages/server/src/app.ts': [],
  'packages/server/src/context.ts': ['./domains/audit/index.ts'],
  'packages/server/src/kernel/clock.ts': ['../config.ts'],
  'packages/server/src/config.ts': ['./app.ts', './domains/audit/audit.ts'],
  'packages/server/src/domains/audit/audit.settings.ts': ['./audit.ts'],
  'packages/server/src/db/statement.ts': ['../http/mount.ts'],
  'packages/server/src/db/migrations/0001-first.ts': ['../statement.ts'],
  'packages/server/src/http/mount.ts': ['../../test/harness/app.ts'],
  'packages/server/test/harness/app.ts': [],
  'packages/server/src/domains/audit/index.ts': ['../accounts/index.ts'],
  'packages/server/src/domains/audit/audit.ts': ['../../http/mount.ts'],
  'packages/server/src/domains/accounts/index.ts': ['../releases/index.ts', '../audit/audit.ts'],
  'packages/server/src/domains/crashes/index.ts': ['../releases/index.ts'],
  'packages/server/src/domains/accounts/users.ts': ['../../db/statement.ts', '../releases/releases.store.ts'],
  'packages/server/src/domains/releases/index.ts': ['../builds/index.ts'],
  'packages/server/src/domains/releases/releases.store.ts': ['../../http/mount.ts', '../../db/tables.ts'],
  'packages/server/src/domains/releases/releases.tables.ts': ['./index.ts'],
  'packages/server/src/domains/releases/releases.ts': ['../audit/audit.tables.ts'],
  'packages/server/src/domains/audit/audit.tables.ts': [],
  'packages/server/src/db/tables.ts': [],
  'packages/server/src/domains/builds/index.ts': ['../releases/index.ts'],
  'packages/server/src/domains/health/listing/listing.ts': ['../pages/page-cache.ts', '../../releases/index.ts'],
  'packages/server/src/domains/health/pages/page-cache.ts': [],
  'packages/server/src/domains/ingest/validation/log.ts': ['../../../db/tables.ts'],
  'packages/server/src/domains/ingest/intake/queue.ts': ['../status/status.ts'],
  'packages/server/src/domains/ingest/status/status.ts': [],
  'packages/server/src/domains/ingest/index.ts': ['../crashes/index.ts'],
  'packages/server/src/maintenance/backup.ts': ['../domains/audit/index.ts'],
  'packages/server/src/telemetry/engine.ts': ['../db/tables.ts', '@duckdb/node-api'],
  'packages/server/src/workers/zip.ts': ['../db/tables.ts'],
  'packages/server/src/jobs/worker.ts': ['../maintenance/backup.ts'],
  'acceptance/api/users.test.ts': ['../../tools/start-server.ts'],
  'tools/start-server.ts': ['../packages/cli/src/main.ts', '../acceptance/harness/server.ts'],
  'acceptance/harness/server.ts': [],
  'tools/demo/fill.ts': ['../../test-support/smtp.ts'],
  'test-support/smtp.ts': [],
  'packages/cli/src/main.ts': ['../../server/src/kernel/clock.ts'],
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-rules-'));
  for (const [file, imports] of Object.entries(violations)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    const lines = imports.map((target) => `import '${target}';`);
    writeFileSync(path.join(folder, file), `${lines.join('\n')}\nexport {};\n`);
  }
  writeFileSync(path.join(folder, 'packages/server/src/domains.ts'), domainList);
  for (const file of ['.dependency-cruiser.mjs', 'tools/domain-list.mjs', 'tsconfig.json', 'package.json']) {
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
    [cruiser, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'packages', 'acceptance', 'tools'],
    options,
  );
  const { summary } = JSON.parse(report) as { summary: { violations: { rule: { name: string } }[] } };
  return [...new Set(summary.violations.map(({ rule }) => rule.name))].sort();
}

test('reports every broken dependency rule', async () => {
  const { default: rules } = (await import(pathToFileURL(path.join(folder, '.dependency-cruiser.mjs')).href)) as {
    default: { forbidden: { name: string }[] };
  };
  expect(brokenRules()).toEqual(rules.forbidden.map(({ name }) => name).sort());
});

test('orders domains by the list, and rejects a folder that is not in it', () => {
  expect(readDomainList(folder)).toEqual(tiers);
  const stray = path.join(folder, 'packages/server/src/domains/stray');
  mkdirSync(stray);
  onTestFinished(() => rmSync(stray, { recursive: true }));
  expect(() => readDomainList(folder)).toThrow(
    'The domain stray is missing from the lists in packages/server/src/domains.ts.',
  );
});
