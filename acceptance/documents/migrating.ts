import { sdkRequests } from '../clients/sdks/requests.ts';
import {
  appcenterDefects,
  appcenterMissing,
  appcenterSettings,
  appcenterWorks,
  armRefused,
  armSettings,
  armWorks,
} from './clients.ts';
import { commandProofs, commandTable } from './command-coverage.ts';

const run = commandProofs.filter(({ by }) => by).length;

const withoutQuery = (path: string): string => path.split('?')[0] ?? path;

export const migrating = `# Migrate from App Center

Move your apps and data to your own server: import the saved data, change a few URLs, and keep your clients and commands.

\`\`\`sh
mooring import appcenter ./appcenter --owner acme --dry-run
mooring import appcenter ./appcenter --owner acme
\`\`\`

\`--dry-run\` lists the steps without changing anything. [Move an account](#move-an-account) describes the folder \`./appcenter\`.

"Works" means that our test suite ran the unmodified client against the real server, over https. \`npm run generate\` writes this page from
the tables of these suites: \`acceptance/clients/appcenter-cli\`, \`acceptance/clients/arm-resourcehealth\` and \`acceptance/clients/sdks\`.

| client | works | not supported or not tested |
|---|---|---|
| \`appcenter\` command line 3.0.4 | sign-in, profile, tokens, apps, organizations, analytics, distribution, CodePush, builds, device tests, symbols, stores | three kinds of test suites were not run, see [commands](#commands) |
| SDKs for Android, Apple, .NET and React Native | logs: sessions, pages, events, crashes and errors; in-app updates; CodePush (its Node SDK was run; the other requests were sent by the suite, not by devices) | push notifications |
| \`@azure/arm-resourcehealth\` 4.0.0 | lists and single events, by subscription and by tenant | impacted resources, event details, availability statuses, metadata |
| other clients of that API | not tested, see [below](#connect-clients-of-the-azure-resource-health-api) | the same |
| scripts that call \`/v0.1\` | every operation in \`/docs\`, with the header \`X-API-Token\` | other paths return 404. POST, PUT and PATCH require a body: add \`-d '{}'\` to \`curl -X POST\` without one, such as the first step of App Center's upload script |

## Prepare the server

- **HTTPS.** Most clients require https. The server creates a certificate authority at its first start, in \`<data>/tls/ca.crt\`.
  Make clients trust it, or install your own certificate ([settings](configuration.md), [operate](operating.md)).
- **Public URL.** Set \`MOORING_PUBLIC_URL\` to the address that clients use, unless it is \`https://localhost:8443\`. Links in pages, emails
  and lists start with it.
- **Tokens.** Create new tokens in the console, with \`mooring tokens create\`, or with \`POST /v0.1/api_tokens\` and a password. Clients send
  them in the same header, \`X-API-Token\`.
- **Names.** Keep the names of owners and apps, so that the path \`owner/app\` stays the same.
- **App secrets.** The import keeps them. For an app that you create by hand, set the old secret:

  \`\`\`sh
  mooring apps secret rotate acme/compass --secret 7d420310-538a-4070-9fa6-e293b4d428b1 --yes
  \`\`\`

## Move an account

\`mooring import appcenter <folder>\` reads responses of the App Center API, and files of its continuous export, from a folder with this
structure:

| file | content |
|---|---|
| \`orgs/<org>/org.json\` | \`GET /v0.1/orgs/{org_name}\` |
| \`orgs/<org>/users.json\` | \`GET /v0.1/orgs/{org_name}/users\` |
| \`apps/<owner>/<app>/app.json\` | \`GET /v0.1/apps/{owner_name}/{app_name}\` |
| \`apps/<owner>/<app>/users.json\` | \`GET …/users\` |
| \`apps/<owner>/<app>/distribution_groups.json\` | \`GET …/distribution_groups\`, each with \`members\` |
| \`apps/<owner>/<app>/errors/errorGroups.json\` | \`GET …/errors/errorGroups\`, all pages in one list |
| \`apps/<owner>/<app>/releases/<id>/release.json\`, and the package next to it | \`GET …/releases/{release_id}\` |
| \`apps/<owner>/<app>/archive/<yyyy>/<MM>/<dd>/<HH>/<mm>/logs.v1.data\` | a continuous export to blobs: the container \`archive\`, or the folder with the ID of the app in it |
| \`apps/<owner>/<app>/symbols/<id>/symbols.json\`, and the file next to it | an entry of \`GET …/symbols\` |
| \`apps/<owner>/<app>/codepush/<deployment>/deployment.json\` | an entry of \`GET …/deployments\` |
| \`apps/<owner>/<app>/codepush/<deployment>/releases/<label>/release.json\`, and the package next to it | an entry of \`GET …/deployments/{deployment_name}/releases\` |

\`mooring export everything <folder>\` writes the same structure, so you can move between Mooring servers, too.

- **Try it first.** \`--dry-run\` lists the steps and changes nothing.
- **Owner.** \`--owner\` assigns all apps to you or to an organization; otherwise they keep their owners.
- **Interruptions.** The folder records finished steps. Run the same command again to continue, including unfinished uploads.
- **People.** \`--with-testers\` adds testers to their groups and invites them by email. \`--with-members\` invites members of organizations
  and users of apps with their previous roles. People who are already members or invited are skipped. The number of emails per
  person and hour is limited; if the import stops at that limit, run it again later.
- **Teams** are not imported. Their members get the permission directly.
- **Releases** get new numbers in the same order and keep their upload time.
- **CodePush** deployments keep their keys; releases keep label, time and origin.
- **Crash groups** keep state and note. The server applies them when the first report with the same version, build, type, class and
  method arrives.
- **Omissions.** Both commands end with a list of everything that they don't transfer. Symbolic links in the folder are refused.

**Telemetry** is read from each file below \`archive\` that ends with \`logs.v1.data\`, and from a Mooring export also
\`crashes.v1.data\` and \`errors.v1.data\`. (We don't know App Center's format for crashes and errors.) Each log counts on its original
day. Crashes become reports and groups, without emails, tickets or webhooks. If you import the same files twice, each log counts once.

Set the retention before the import (\`MOORING_ANALYTICS_RETENTION_DAYS\`, or per app): the import lists older days, whose data would be deleted again. Crash reports are kept for 90 days, or 28 if the app is configured so; their
counts are kept. Attachments are not imported; neither are the SDK and the arrival time of logs in a Mooring export.

### From HockeyApp

Apps that moved from HockeyApp to App Center use a HockeyApp identifier of 32 hexadecimal digits as their secret. Mooring accepts it, with or
without dashes and in any case:

\`\`\`sh
mooring apps secret rotate acme/compass --secret 0f8fad5bd9cb469fa16570867728950e --yes
\`\`\`

The previous secret stays valid for 90 days (\`--hours\`). Mooring doesn't support the protocol of HockeySDK: release a version with an App Center SDK. Data that only HockeyApp's API returned can't be
imported.

### From a code-push-server

Create the app and its deployments with their existing keys, then change \`CodePushServerUrl\` in the app ([Set up SDKs](sdks.md#receive-codepush-updates)):

\`\`\`sh
mooring codepush deployment add acme/compass Production --key LOLfIWS84necqQeZ5qefluWvzgh8T1YMRFJNA
\`\`\`

The plug-in of Microsoft is no longer maintained. Two forks for current versions of React Native speak the same protocol and have
the same settings: \`@code-push-next/react-native-code-push\` and \`@revopush/react-native-code-push\`. Our suite ran the JavaScript half of
their versions 10.4.2 and 1.6.0 against the server; their native halves were not run.

## Replace plug-ins of fastlane, Bitrise and Azure Pipelines

The URL of App Center is fixed in its plug-ins. Replace each with the command line, \`appcenter\` or
\`mooring\`. Store a token as a secret variable; an app token (\`mooring tokens create --app acme/compass\`) can access one app only.
We have not run these pipelines.

| pipeline | replace | with |
|---|---|---|
| fastlane | \`appcenter_upload\`, \`appcenter_fetch_devices\`, \`appcenter_codepush_release_react\` of \`fastlane-plugin-appcenter\` | \`sh("mooring", "releases", "upload", "OWNER/APP", lane_context[SharedValues::GRADLE_APK_OUTPUT_PATH], "--group", "Collaborators")\`; for iOS \`SharedValues::IPA_OUTPUT_PATH\`; symbols with \`mooring symbols upload\`; devices with \`mooring apple-devices of-group\` |
| Bitrise | the steps *App Center upload*, *Deploy to App Center* and *App Center DSYM upload* | a *Script* step: \`mooring releases upload OWNER/APP "$BITRISE_APK_PATH" --group Collaborators\`, or \`$BITRISE_IPA_PATH\`; \`mooring symbols upload OWNER/APP "$BITRISE_DSYM_PATH"\` |
| Azure Pipelines | the tasks \`AppCenterDistribute@3\` and \`AppCenterTest@1\`, and their service connection | a \`script:\` step: \`mooring releases upload OWNER/APP "$(Build.ArtifactStagingDirectory)/app.apk" --group Collaborators\`, or \`mooring tests run\`, with \`env: MOORING_TOKEN: $(mooringToken)\`: scripts get secret variables only through \`env\` |

Set \`MOORING_SERVER\` to your server, \`MOORING_TOKEN\` to the token, and, unless the server has a public certificate,
\`NODE_EXTRA_CA_CERTS\` to its authority. Pipelines that run \`appcenter distribute release --group Collaborators\` keep working with
the settings below: every app has that group, and its members are the users who work on the app.

## Use the appcenter command line

${appcenterSettings}

\`login\` opens a page: create a token there and paste it into the terminal. In scripts, pass the token with \`--token\`.

| setting | effect |
|---|---|
| \`--env local\` | uses \`APPCENTER_ENDPOINT\`; the other environments are URLs built into the client |
| \`APPCENTER_ENDPOINT\` | your server, without a trailing slash |
| \`APPCENTER_LOGIN_ENDPOINT\` | the page that \`login\` opens; without it, \`login\` needs \`--token\` |
| \`APPCENTER_PORTAL_ENDPOINT\` | the beginning of links that the client prints |
| \`NODE_EXTRA_CA_CERTS\` | the certificate authority to trust; the client refuses plain http |
| \`--token\` with \`--env local\` | authenticates one command, without a saved login |
| \`APPCENTER_ACCESS_TOKEN\` with \`APPCENTER_ENV=local\` | the same for scripts; an error while a login is saved |
| \`MOBILE_CENTER_CURRENT_APP\` | the app, as \`owner/app\`, for commands without \`--app\` |
| \`MOBILE_CENTER_TELEMETRY=off\` | turns off the client's usage reports, and the question about them at the first run |

The client stores one login in \`~/.appcenter-cli\`; signing in replaces it. To keep both, set \`HOME\` to another folder.

**Works:** ${appcenterWorks}.

Defects of the client, on any server:

${appcenterDefects}

${appcenterMissing}### Commands

The suite ran ${run} of the ${commandProofs.length} commands that contact a server. The table names the test that runs each:

${commandTable}

More defects, found in the client's source and not run:

| command | defect | workaround |
|---|---|---|
| \`distribute release\` | With \`APPCENTER_ACCESS_TOKEN\` it uploads to its built-in URL and ignores \`APPCENTER_ENV\`. | Use \`--token\` with \`--env local\`, or a saved login. |
| \`crashes upload-symbols\` | Commits an upload that failed, and exits with 0. | Check its output. |
| \`codepush promote\` | Resets *mandatory* and *disabled* of the promoted release. | Set them again with \`codepush patch\`. |

[acceptance/clients/appcenter-cli](../acceptance/clients/appcenter-cli/README.md) describes the suite.

## SDK requests

[Set up SDKs](sdks.md) shows how to change the URLs in your apps. The suite sends the requests that the SDKs send first, with the
secret of an existing app:

| purpose | request | status | effect in the SDK |
|---|---|---|---|
${sdkRequests
  .map(
    ({ purpose, method, path, status, consequence }) =>
      `| ${purpose} | \`${method} ${withoutQuery(path)}\` | ${status} | ${consequence} |`,
  )
  .join('\n')}

An SDK discards unsent logs on 403. The server returns 403 only for an unknown secret, so check the secret before you ship.

## Connect clients of the Azure Resource Health API

Start the server with the vendor name that the clients expect in paths (\`Microsoft.ResourceHealth\`) and fields
(\`enableMicrosoftSupport\`):

\`\`\`sh
MOORING_VENDOR_NAME=Microsoft MOORING_PUBLIC_URL=https://mooring.example.com npm start
\`\`\`

${armSettings}

| setting | value |
|---|---|
| \`endpoint\` | your server, with https: the client sends no token over http |
| \`credential\` | an object with \`getToken()\`: a user API token of this server, an access token of its OAuth, or one of your identity provider (\`MOORING_OIDC_ISSUER\`, \`MOORING_OIDC_AUDIENCE\`) |
| audience | if a client requests a token for another URL, such as \`https://management.azure.com/\`, add that URL to \`MOORING_OAUTH_AUDIENCES\` |
| \`apiVersion\` | \`2024-02-01\`; other versions that \`MOORING_HEALTH_API_VERSIONS\` lists behave the same |
| subscription | an existing one (\`mooring subscriptions create\`); \`--id\` keeps the ID that your scripts use |

${armWorks}

Refused calls throw a \`RestError\`:

${armRefused}

Behavior of the client:

| behavior | workaround or effect |
|---|---|
| Requests version 2022-10-01 by default. | Set \`apiVersion\`, or start the server with \`MOORING_HEALTH_API_VERSIONS=2022-10-01\`. |
| Ignores the option \`$host\`. | Use \`endpoint\`. |
| Throws if a page size is set. | Omit it; the server chooses. |
| Returns only the event properties that it knows. | With another vendor name, \`enableMicrosoftSupport\` is missing. |
| Truncates the URL of the next page at a second question mark. | Page URLs contain only one, and include version, filter and start. |
| Retries after 429 only with \`Retry-After\`. | Every 429 has it. |

We have not run other clients of this API. According to their sources, the Python and Go clients refuse plain http and request
preview versions, so add those to \`MOORING_HEALTH_API_VERSIONS\`. The Go client encodes spaces as \`+\` and \`$filter\` as \`%24filter\`; scripts
write \`properties/status\` or \`Properties/Status\`, and dates with or without a time zone. The server's tests send all of these.

[acceptance/clients/arm-resourcehealth](../acceptance/clients/arm-resourcehealth/README.md) describes the suite. \`mooring health import\`
imports the events of another server: a page of its list, or one event per line.
`;
