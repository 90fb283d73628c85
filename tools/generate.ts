import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callers, endpoints, mayCall, openApiDocument } from '@mooring/contract';
import { commands } from '../acceptance/clients/appcenter-cli/commands.ts';
import { calls, throttled } from '../acceptance/clients/arm-resourcehealth/calls.ts';
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

const permissions = `# Who may do what

Made from the endpoint table by \`npm run generate\`; \`packages/contract/src/permissions.ts\` has the rule, and a test walks
every operation with every caller and kind of token against it.

● with any token that the caller has · ◐ only with Full Access, not with a Read-Only token · empty: refused.
A column counts in the organization, or on the app or subscription, that the path names: an admin of an organization is
manager of all its apps, and other roles give nothing on apps by themselves; whoever belongs to the owner of a subscription
is its reader, and an operator is somebody whom an administrator lets publish health events. An app token stands in the column of its permission on its one
app, Full Access as manager and Read-Only as viewer, and is refused by every operation that is not on that app.

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

const appcenterCli = `# appcenter-cli 3.0.4

Made from \`commands.ts\` by \`npm run generate\`; change it there. The suite installs the client from npm, unmodified, by the
lock file in this folder, and runs every command of the table against the real server, over https; what it prints is compared.

\`\`\`sh
export APPCENTER_ENDPOINT=https://localhost:8443 NODE_EXTRA_CA_CERTS=<data>/tls/ca.crt MOBILE_CENTER_TELEMETRY=off
export APPCENTER_PORTAL_ENDPOINT=$APPCENTER_ENDPOINT APPCENTER_LOGIN_ENDPOINT=$APPCENTER_ENDPOINT/settings/tokens
appcenter login --env local    # make a token on the page that opens, and paste it; or add --token
\`\`\`

The address has no slash at its end. Without \`--token\`, a script sets \`APPCENTER_ACCESS_TOKEN\` and \`APPCENTER_ENV=local\`.

**Works:** ${commands
  .filter(({ works }) => works.length > 0)
  .map(({ name }) => `\`${name}\``)
  .join(', ')}.

## What the client does wrong

| command | what it does wrong | what happens here |
|---|---|---|
${commands
  .flatMap(({ defects }) => defects)
  .map(({ line, defect }) => `| \`${line}\` | ${defect?.client} | ${defect?.here} |`)
  .join('\n')}

## What this server does not serve yet

| command | why it fails |
|---|---|
${commands
  .flatMap(({ missing }) => missing)
  .map(({ line, missing }) => `| \`${line}\` | ${missing} |`)
  .join('\n')}
`;

const armResourceHealth = `# @azure/arm-resourcehealth 4.0.0

Made from \`calls.ts\` by \`npm run generate\`; change it there. The suite installs the client from npm, unmodified, by the
lock file in this folder, and runs every call of the tables with its own pipeline against the real server, over https.

\`\`\`js
const client = new MicrosoftResourceHealth(credential, subscriptionId, {
  endpoint: 'https://localhost:8443',
  apiVersion: '2024-02-01', // or, for the client's own 2022-10-01: MOORING_HEALTH_API_VERSIONS=2022-10-01
  tlsOptions: { ca: fs.readFileSync('<data>/tls/ca.crt', 'utf8') },
});
\`\`\`

The server needs \`MOORING_VENDOR_NAME=Microsoft\`. \`credential\` is anything with \`getToken()\`: a user API token of this server,
or an access token. The address must be https, since the client sends no token otherwise.

| call | shows |
|---|---|
${calls
  .filter(({ fails }) => !fails)
  .map(({ line, shows }) => `| \`${line}\` | ${shows} |`)
  .join('\n')}
| \`eventsOperations.listBySubscriptionId()\` | ${throttled} |

What is refused is a \`RestError\` with \`statusCode\`, \`code\`, \`message\`, and the whole answer as \`details\`:

| call | statusCode | code | what is wrong |
|---|---|---|---|
${calls
  .flatMap(({ line, shows, fails }) => (fails ? [{ line, shows, ...fails }] : []))
  .map(({ line, shows, statusCode, code }) => `| \`${line}\` | ${statusCode} | \`${code}\` | ${shows} |`)
  .join('\n')}

\`impactedResources\`, \`fetchEventDetails\`, availability statuses and metadata are not served.
`;

/** Committed, so that a change of the API or of the settings is seen in review; `--check` fails when they are stale. */
const files: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApiDocument(endpoints, version), null, 2)}\n`,
  'docs/configuration.md': configuration,
  'docs/permissions.md': permissions,
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
