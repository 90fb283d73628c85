import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callers, endpoints, MooringYml, mayCall, openApiDocument } from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import { commands } from '../packages/cli/src/commands/index.ts';
import { globalOptions } from '../packages/cli/src/framework/command.ts';
import { optionRows, usageOf } from '../packages/cli/src/framework/help.ts';
import { settings } from '../packages/server/src/config.ts';
import { appcenterCli, armResourceHealth } from './client-docs.ts';
import { migrating } from './migrating.ts';
import { readableJson } from './readable-json.ts';
import { webhookDocs } from './webhook-docs.ts';

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

const permissions = `# Who may do what

Made from the endpoint table by \`npm run generate\`; \`packages/contract/src/permissions.ts\` has the rule, and a test walks
every operation with every caller and kind of token against it.

● with any token that the caller has · ◐ only with Full Access, not with a Read-Only token · empty: refused.
A column counts in the organization, or on the app or subscription, that the path names: an admin of an organization is
manager of all its apps, and other roles give nothing on apps by themselves; whoever belongs to the owner of a subscription
is its reader, and an operator is somebody whom an administrator lets publish health events. An app token stands in the column of its permission on its one
app, Full Access as manager and Read-Only as viewer, and is refused by every operation that is not on that app.

Beside the table:

${endpoints
  .flatMap((spec) => {
    const rules = [
      ...(spec.only === 'person' ? ['people only, no app token'] : []),
      ...(spec.raises ?? []).map(({ to, what }) => `${to}, for ${what}`),
      ...(spec.alsoNeeds ? [spec.alsoNeeds] : []),
    ];
    return rules.length > 0 ? [`- \`${spec.method} ${spec.path}\` needs: ${rules.join('; ')}.`] : [];
  })
  .join('\n')}

| operation | ${callers.map((caller) => caller.replace(':', ' ')).join(' | ')} |
|---|${callers.map(() => ':-:|').join('')}
${endpoints
  .map((spec) => {
    const cells = callers.map((caller) =>
      mayCall(spec, caller, 'viewer') ? '●' : mayCall(spec, caller, 'all') ? '◐' : '',
    );
    return `| \`${spec.method} ${spec.path}\` | ${cells.join(' | ')} |`;
  })
  .join('\n')}
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const optionList = (options: Parameters<typeof optionRows>[0]): string =>
  optionRows(options)
    .map(([option, summary]) => `| \`${cell(option)}\` | ${cell(summary)} |`)
    .join('\n');
const families = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];

const commandLine = `# The command line

Made from the table of commands in \`packages/cli/src/commands\` by \`npm run generate\`; change it there.
\`mooring help <command>\` prints the same, and \`mooring completion bash\` (zsh, fish) completes it.

On a terminal, lists are tables; in a pipe they are lines with tabs and without a header, as scripts want them. With
\`--json\` every command prints the JSON of the API. Notes and errors go to stderr. \`NO_COLOR\` turns colours off.
Before something that cannot be undone a terminal is asked first, unless \`--yes\` is given; a script is not.

| exit code | meaning |
|---|---|
| 0 | ok |
| 1 | failed; the message says why |
| 2 | wrong usage |
| 3 | not signed in |
| 4 | not found |

\`mooring login\` opens the browser, or takes a token (\`--token-stdin\`) or a password (\`--user\`), and keeps what it gets in
\`~/.config/mooring/profiles.json\`, readable by its owner only. Several profiles live side by side (\`--profile\`).
\`MOORING_SERVER\` and \`MOORING_TOKEN\` do without one. \`doctor\`, \`backup\` and \`restore\` run on the machine of the server, with
its settings; see [operating.md](operating.md).

Every command takes these:

| option | what it does |
|---|---|
${optionList(globalOptions)}

${families
  .map((family) => {
    const members = commands.filter(({ name }) => name.split(' ')[0] === family);
    const sections = members.map((one) => {
      const args = Object.entries(one.arguments).map(([name, { summary, choices }]) => {
        const only = choices && choices.length <= 20 ? ` (${choices.join(', ')})` : '';
        return `| \`<${name}>\` | ${cell(summary + only)} |`;
      });
      const rows = [...args, ...(Object.keys(one.options).length > 0 ? [optionList(one.options)] : [])];
      const table = rows.length > 0 ? `\n\n| | |\n|---|---|\n${rows.join('\n')}` : '';
      return `\`${usageOf(one)}\`\n\n${one.summary}.${table}`;
    });
    return `## ${family}\n\n${sections.join('\n\n')}`;
  })
  .join('\n\n')}
`;

/** Committed, so that a change of the API or of the settings is seen in review; `--check` fails when they are stale. */
const files: Record<string, string> = {
  'docs/openapi.json': `${readableJson(openApiDocument({ endpoints, examples, version }))}\n`,
  'docs/mooring.schema.json': `${readableJson({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...MooringYml })}\n`,
  'docs/configuration.md': configuration,
  'docs/permissions.md': permissions,
  'docs/command-line.md': commandLine,
  'docs/migrating.md': migrating,
  'docs/webhooks.md': webhookDocs,
  'acceptance/clients/appcenter-cli/README.md': appcenterCli,
  'acceptance/clients/arm-resourcehealth/README.md': armResourceHealth,
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
