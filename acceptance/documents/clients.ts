import { commands } from '../clients/appcenter-cli/commands.ts';
import { calls, throttled } from '../clients/arm-resourcehealth/calls.ts';

/** Results of the suites with real clients, which appear in several documents. */

export const appcenterWorks = commands
  .filter(({ works }) => works.length > 0)
  .map(({ name }) => `\`${name}\``)
  .join(', ');

export const appcenterDefects = `| command | defect | response of this server |
|---|---|---|
${commands
  .flatMap(({ defects }) => defects)
  .map(({ line, defect }) => `| \`${line}\` | ${defect?.client} | ${defect?.here} |`)
  .join('\n')}`;

const missing = commands.flatMap(({ missing }) => missing).map(({ line, missing }) => `| \`${line}\` | ${missing} |`);

/** Empty if this server supports all requests of the client. */
export const appcenterMissing =
  missing.length === 0
    ? ''
    : `Not supported by this server yet:\n\n${['| command | why it fails |', '|---|---|', ...missing].join('\n')}\n\n`;

export const armWorks = `| call | result |
|---|---|
${calls
  .filter(({ fails }) => !fails)
  .map(({ line, shows }) => `| \`${line}\` | ${shows} |`)
  .join('\n')}
| \`eventsOperations.listBySubscriptionId()\` | ${throttled} |`;

export const armRefused = `| call | statusCode | code | cause |
|---|---|---|---|
${calls
  .flatMap(({ line, shows, fails }) => (fails ? [{ line, shows, ...fails }] : []))
  .map(({ line, shows, statusCode, code }) => `| \`${line}\` | ${statusCode} | \`${code}\` | ${shows} |`)
  .join('\n')}`;

/** How to configure each client for this server. */
export const appcenterSettings = `\`\`\`sh
export APPCENTER_ENDPOINT=https://localhost:8443 NODE_EXTRA_CA_CERTS=<data>/tls/ca.crt MOBILE_CENTER_TELEMETRY=off
export APPCENTER_PORTAL_ENDPOINT=$APPCENTER_ENDPOINT APPCENTER_LOGIN_ENDPOINT=$APPCENTER_ENDPOINT/settings/tokens
appcenter login --env local
\`\`\``;

export const armSettings = `\`\`\`js
const client = new MicrosoftResourceHealth(credential, subscriptionId, {
  endpoint: 'https://localhost:8443',
  apiVersion: '2024-02-01', // or 2022-10-01, the default, with MOORING_HEALTH_API_VERSIONS=2022-10-01
  tlsOptions: { ca: fs.readFileSync('<data>/tls/ca.crt', 'utf8') },
});
\`\`\``;

export const appcenterCli = `# appcenter-cli 3.0.4

Generated from \`commands.ts\` by \`npm run generate\`; edit that file. The suite installs the unmodified client from npm, pinned by the
lock file in this folder, runs every command against the real server over https, and compares the output.

${appcenterSettings}

Write the URL without a trailing slash. Scripts that don't pass \`--token\` set \`APPCENTER_ACCESS_TOKEN\` and \`APPCENTER_ENV=local\`.

**Works:** ${appcenterWorks}.

\`builds.test.ts\` runs \`build queue\`, \`build branches list\` and \`show\`, \`build logs --continue\` and \`build download\`, with a git
repository and a runner; \`tests.test.ts\` runs the commands of \`test\`. [docs/migrating.md](../../../docs/migrating.md) lists all commands.
\`build download --type build\` downloads the first \`.apk\`, \`.aab\`, \`.aar\`, \`.ipa\` or \`.xcarchive\` of a build, and fails if there is none; \`mooring builds
download\` downloads all files.

## Defects of the client

${appcenterDefects}
${appcenterMissing && `\n${appcenterMissing}`}`;

export const armResourceHealth = `# @azure/arm-resourcehealth 4.0.0

Generated from \`calls.ts\` by \`npm run generate\`; edit that file. The suite installs the unmodified client from npm, pinned by the
lock file in this folder, and runs every call with the client's own pipeline against the real server over https.

${armSettings}

The server needs \`MOORING_VENDOR_NAME=Microsoft\`. \`credential\` is an object with \`getToken()\`: a user API token of this server
or an access token. Use https: the client sends no token over http.

${armWorks}

Refused calls throw a \`RestError\` with \`statusCode\`, \`code\`, \`message\`, and the whole response as \`details\`:

${armRefused}

\`impactedResources\`, \`fetchEventDetails\`, availability statuses and metadata are not supported.
`;
