import { commands } from '../acceptance/clients/appcenter-cli/commands.ts';
import { calls, throttled } from '../acceptance/clients/arm-resourcehealth/calls.ts';

/** What the suites with real clients have shown, as it stands in more than one document. */

export const appcenterWorks = commands
  .filter(({ works }) => works.length > 0)
  .map(({ name }) => `\`${name}\``)
  .join(', ');

export const appcenterDefects = `| command | what it does wrong | what happens here |
|---|---|---|
${commands
  .flatMap(({ defects }) => defects)
  .map(({ line, defect }) => `| \`${line}\` | ${defect?.client} | ${defect?.here} |`)
  .join('\n')}`;

const missing = commands.flatMap(({ missing }) => missing).map(({ line, missing }) => `| \`${line}\` | ${missing} |`);

/** Nothing, when this server serves whatever the client asks. */
export const appcenterMissing =
  missing.length === 0
    ? ''
    : `What fails because this server does not serve it yet:\n\n${['| command | why it fails |', '|---|---|', ...missing].join('\n')}\n\n`;

export const armWorks = `| call | shows |
|---|---|
${calls
  .filter(({ fails }) => !fails)
  .map(({ line, shows }) => `| \`${line}\` | ${shows} |`)
  .join('\n')}
| \`eventsOperations.listBySubscriptionId()\` | ${throttled} |`;

export const armRefused = `| call | statusCode | code | what is wrong |
|---|---|---|---|
${calls
  .flatMap(({ line, shows, fails }) => (fails ? [{ line, shows, ...fails }] : []))
  .map(({ line, shows, statusCode, code }) => `| \`${line}\` | ${statusCode} | \`${code}\` | ${shows} |`)
  .join('\n')}`;

/** How each client is told of this server. */
export const appcenterSettings = `\`\`\`sh
export APPCENTER_ENDPOINT=https://localhost:8443 NODE_EXTRA_CA_CERTS=<data>/tls/ca.crt MOBILE_CENTER_TELEMETRY=off
export APPCENTER_PORTAL_ENDPOINT=$APPCENTER_ENDPOINT APPCENTER_LOGIN_ENDPOINT=$APPCENTER_ENDPOINT/settings/tokens
appcenter login --env local    # make a token on the page that opens, and paste it; or add --token
\`\`\``;

export const armSettings = `\`\`\`js
const client = new MicrosoftResourceHealth(credential, subscriptionId, {
  endpoint: 'https://localhost:8443',
  apiVersion: '2024-02-01', // or, for the client's own 2022-10-01: MOORING_HEALTH_API_VERSIONS=2022-10-01
  tlsOptions: { ca: fs.readFileSync('<data>/tls/ca.crt', 'utf8') },
});
\`\`\``;

export const appcenterCli = `# appcenter-cli 3.0.4

Made from \`commands.ts\` by \`npm run generate\`; change it there. The suite installs the client from npm, unmodified, by the
lock file in this folder, and runs every command of the table against the real server, over https; what it prints is compared.

${appcenterSettings}

The address has no slash at its end. Without \`--token\`, a script sets \`APPCENTER_ACCESS_TOKEN\` and \`APPCENTER_ENV=local\`.

**Works:** ${appcenterWorks}.

\`builds.test.ts\` runs \`build queue\`, \`build branches list\` and \`show\`, \`build logs --continue\` and \`build download\`, with a git repository
and a runner of its own; \`tests.test.ts\` runs the commands of \`test\`. [docs/migrating.md](../../../docs/migrating.md) has all of them in a table.
\`build download --type build\` takes the first \`.apk\`, \`.aab\`, \`.aar\`, \`.ipa\` or \`.xcarchive\` of a build, and breaks off if there is none: \`mooring builds
download\` takes all of it.

## What the client does wrong

${appcenterDefects}
${appcenterMissing && `\n${appcenterMissing}`}`;

export const armResourceHealth = `# @azure/arm-resourcehealth 4.0.0

Made from \`calls.ts\` by \`npm run generate\`; change it there. The suite installs the client from npm, unmodified, by the
lock file in this folder, and runs every call of the tables with its own pipeline against the real server, over https.

${armSettings}

The server needs \`MOORING_VENDOR_NAME=Microsoft\`. \`credential\` is anything with \`getToken()\`: a user API token of this server,
or an access token. The address must be https, since the client sends no token otherwise.

${armWorks}

What is refused is a \`RestError\` with \`statusCode\`, \`code\`, \`message\`, and the whole answer as \`details\`:

${armRefused}

\`impactedResources\`, \`fetchEventDetails\`, availability statuses and metadata are not served.
`;
