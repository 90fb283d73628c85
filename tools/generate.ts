import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  callers,
  endpoints,
  getTokenPermission,
  MooringYml,
  mayCall,
  needsCredential,
  openApiDocument,
} from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import { commands } from '../packages/cli/src/commands/index.ts';
import { globalOptions } from '../packages/cli/src/framework/command.ts';
import { formatUsage, optionRows } from '../packages/cli/src/framework/help.ts';
import { settings } from '../packages/server/src/settings.ts';
import { writeGeneratedFiles } from './generated-files.ts';
import { readableJson } from './readable-json.ts';
import { webhookDocs } from './webhook-docs.ts';

const root = path.join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'packages/server/package.json'), 'utf8'));

const configuration = `# Settings

Configure the server with environment variables:

\`\`\`sh
export MOORING_PUBLIC_URL=https://mooring.example.com
mooring serve
\`\`\`

The server reads them once, at start. If a value is invalid, it lists all invalid values and exits with code 2. An empty value counts as
unset. The Debian package reads the variables from \`/etc/mooring/mooring.env\`. [Operate](operating.md) explains them by task.

\`npm run generate\` writes this page from the files \`*.settings.ts\` of the server, and \`config.ts\`.

| variable | default | description |
|---|---|---|
${Object.values(settings)
  .map(({ variable, formerVariable, default: fallback, description }) => {
    const former = formerVariable ? ` Former name: \`${formerVariable}\`.` : '';
    const shown = fallback.startsWith('`') || fallback === 'unset' ? fallback : fallback ? `\`${fallback}\`` : 'none';
    return `| \`${variable}\` | ${shown} | ${description}${former} |`;
  })
  .join('\n')}
`;

/** Requirements of operations beyond a role. */
const requirements = new Map<string, string[]>();
for (const spec of endpoints) {
  const rules = [
    ...(spec.only === 'person' ? ['a user, not an app token'] : []),
    ...(spec.needsUnlimited ? ['a credential without permissions, apps or deployments to which it is limited'] : []),
    ...(spec.raises ?? []).map(({ to, what }) => `${to}, for ${what}`),
    ...(spec.alsoNeeds ? [spec.alsoNeeds] : []),
  ];
  for (const rule of rules)
    requirements.set(rule, [...(requirements.get(rule) ?? []), `\`${spec.method} ${spec.path}\``]);
}

const permissions = `# Permissions

Look up the role that an operation requires. Each column is a role in the organization, app or subscription that the path names.

| mark | meaning |
|---|---|
| ● | allowed, with any token |
| ◐ | allowed, but not with a Read-Only token |
| empty | refused |

- An admin of an organization is manager of all its apps. Other roles in an organization include no permission on apps.
- Readers of a subscription are its owner, members of the organization that owns it, and users who were added as readers. Operators may
  publish health events; administrators appoint them.
- An app token acts as manager of its app with Full Access, and as viewer with Read-Only. All operations outside of that app refuse it.
- A token with permissions also needs the one in the last column, and never gets more than its user or app has. Each permission
  includes reading in its area. In an area that it only reads, the token acts like a Read-Only token.

## Limit a token

A pipeline that uploads releases of one app needs no more than that:

\`\`\`
mooring tokens create --permissions releases:write,releases:distribute,symbols:write --apps lighthouse/compass --networks 203.0.113.0/24
\`\`\`

The console has the same form under **API tokens → New API token → Permissions**, and says in one sentence what the token can do. A token
that is limited to apps can't call operations outside of apps, and one that is limited to CodePush deployments only those that name one of
them. A limited token creates only tokens with its limits or narrower ones. Permissions and limits never change; revoke the token instead.

The actions are \`read\`, \`write\`, \`delete\` and, for releases, \`distribute\`. Beware of \`org:write\` and \`apps:write\`: they can change the
members of an organization or app.

## Operations

Some operations have further requirements:

| requirement | operations |
|---|---|
${[...requirements].map(([requirement, operations]) => `| ${requirement} | ${operations.join('<br>')} |`).join('\n')}

\`npm run generate\` writes this page from the endpoint table and \`packages/contract/src/permissions.ts\`. A test calls every operation
with every role and kind of token.

| operation | ${callers.map((caller) => caller.replace(':', ' ').replace('anybody', 'anyone')).join(' | ')} | permission |
|---|${callers.map(() => ':-:|').join('')}---|
${endpoints
  .map((spec) => {
    const cells = callers.map((caller) =>
      mayCall(spec, caller, 'viewer') ? '●' : mayCall(spec, caller, 'all') ? '◐' : '',
    );
    const permission = !needsCredential(spec) || spec.describesCaller ? '' : `\`${getTokenPermission(spec)}\``;
    return `| \`${spec.method} ${spec.path}\` | ${cells.join(' | ')} | ${permission} |`;
  })
  .join('\n')}
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const optionList = (options: Parameters<typeof optionRows>[0]): string =>
  optionRows(options)
    .map(([option, summary]) => `| \`${cell(option)}\` | ${cell(summary)} |`)
    .join('\n');
const groups = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];

const commandLine = `# Command line

This page is generated from \`packages/cli/src/commands\` by \`npm run generate\`. \`mooring help <command>\` prints the same
text, and \`mooring completion bash\` (or zsh, fish) prints a completion script.

## Sign in

\`mooring login\` shows a code to confirm in any browser, or reads a token (\`--token-stdin\`) or a password (\`--user\`). It saves a profile in
\`~/.config/mooring/profiles.json\`, which only you can read. Use \`--profile\` for several servers or users. CI jobs set
\`MOORING_SERVER\` and \`MOORING_TOKEN\` instead. \`serve\`, \`doctor\`, \`backup\` and \`restore\` run on the machine of the server
with its settings; see [operating.md](operating.md).

## Arguments

A command about an app takes it as its first argument, as \`owner/app\`: \`mooring releases list ada/compass\`. Commands about
an app or an organization take either: \`mooring groups list ada/compass\`, \`mooring groups list lighthouse\`. Commands that
also work without an app or organization take an option: \`mooring audit list --app ada/compass\`. Earlier versions required
\`--app\`, \`--org\` or \`--subscription\` for some commands; these options still work in place of the first argument.

## Output

On a terminal, lists are tables. In a pipe, they are tab-separated lines without a header. \`--json\` prints the response of
the API. Notes and errors go to stderr. \`NO_COLOR\` turns colors off. Commands that delete something ask for confirmation on
a terminal, unless you pass \`--yes\`; scripts are not asked.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | failure; the message says why |
| 2 | wrong usage |
| 3 | not signed in |
| 4 | not found |

\`mooring tests run\` and \`mooring tests watch\` exit with the result of the test run; see [tests.md](tests.md).

## Global options

| option | description |
|---|---|
${optionList(globalOptions)}

${groups
  .map((group) => {
    const members = commands.filter(({ name }) => name.split(' ')[0] === group);
    const sections = members.map((one) => {
      const args = Object.entries(one.arguments).map(([name, { summary, choices }]) => {
        const only = choices && choices.length <= 20 ? ` (${choices.join(', ')})` : '';
        return `| ${cell(`\`<${name}>\``)} | ${cell(summary + only)} |`;
      });
      const rows = [...args, ...(Object.keys(one.options).length > 0 ? [optionList(one.options)] : [])];
      const table = rows.length > 0 ? `\n\n| | |\n|---|---|\n${rows.join('\n')}` : '';
      const aliases = one.aliases.map((alias) => ` Former name: \`mooring ${alias}\`.`).join('');
      const example = one.example ? `\n\n\`\`\`sh\n${one.example}\n\`\`\`` : '';
      return `\`${formatUsage(one)}\`\n\n${one.summary}.${aliases}${table}${example}`;
    });
    return `## ${group}\n\n${sections.join('\n\n')}`;
  })
  .join('\n\n')}
`;

const areFresh = writeGeneratedFiles({
  'docs/openapi.json': `${readableJson(openApiDocument({ endpoints, examples, version }))}\n`,
  'docs/mooring.schema.json': `${readableJson({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...MooringYml })}\n`,
  'docs/configuration.md': configuration,
  'docs/permissions.md': permissions,
  'docs/command-line.md': commandLine,
  'docs/webhooks.md': webhookDocs,
});
/** Generated from the tables of the suites, which no tool imports. */
const clients = spawnSync(
  process.execPath,
  [path.join(root, 'acceptance/documents/generate.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exit(areFresh && clients.status === 0 ? 0 : 1);
