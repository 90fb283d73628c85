import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endpoints, openApiDocument } from '@mooring/contract';
import { settings } from '../packages/server/src/config.ts';

const root = path.join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'packages/server/package.json'), 'utf8'));

const configuration = `# Settings

Made from the table in \`packages/server/src/config.ts\` by \`npm run generate\`; change it there.
Settings are environment variables, read once at start. A wrong one stops the start with every problem listed at once
and exit code 2; an empty one counts as unset.

| variable | default | what it does |
|---|---|---|
${Object.values(settings)
  .map(({ variable, default: fallback, description }) => {
    const shown = fallback.startsWith('`') || fallback === 'unset' ? fallback : fallback && `\`${fallback}\``;
    return `| \`${variable}\` | ${shown} | ${description} |`;
  })
  .join('\n')}
`;

/** Committed, so that a change of the API or of the settings is seen in review; `--check` fails when they are stale. */
const files: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApiDocument(endpoints, version), null, 2)}\n`,
  'docs/configuration.md': configuration,
};

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (isCheck) {
    stale += 1;
    process.stderr.write(`${name} is stale; run \`npm run generate\` and commit it.\n`);
  } else {
    writeFileSync(file, text);
    process.stdout.write(`wrote ${name}\n`);
  }
}
process.exit(stale === 0 ? 0 : 1);
