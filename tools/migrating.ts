import { sdkRequests } from '../acceptance/clients/sdks/requests.ts';
import { commandProofs, commandTable } from './client-commands.ts';
import {
  appcenterDefects,
  appcenterMissing,
  appcenterSettings,
  appcenterWorks,
  armRefused,
  armSettings,
  armWorks,
} from './client-docs.ts';

const run = commandProofs.filter(({ by }) => by).length;

const withoutQuery = (path: string): string => path.split('?')[0] ?? path;

export const migrating = `# Moving existing clients to this server

Made by \`npm run generate\` from the tables that the suites run: \`acceptance/clients/appcenter-cli\`,
\`acceptance/clients/arm-resourcehealth\` and \`acceptance/clients/sdks\`. What is said to work was run with the unmodified client
against the real server, over https; what was not run is said to be so.

| client | works | does not, or was not run |
|---|---|---|
| command-line client \`appcenter-cli\` 3.0.4 | signing in, profile, tokens, apps, organizations, analytics, distribution, CodePush, builds, tests on devices, symbols of crashes, publishing to stores | three kinds of suites were not run, see the table below |
| SDKs for Android, Apple, .NET and React Native | logs: sessions, pages, events, crashes and errors; in-app updates; CodePush (its SDK for Node was run); the others composed as they send them, not run on devices | push |
| \`@azure/arm-resourcehealth\` 4.0.0 | lists and single events, by subscription and by tenant | impacted resources, event details, availability statuses, metadata |
| other clients of that health API | not run; see below | the same |
| scripts that call \`/v0.1\` | every operation that \`/docs\` shows, with the header \`X-API-Token\` | the others are answered 404; POST, PUT and PATCH need a body, so add \`-d '{}'\` to calls of \`curl -X POST\` without one, such as the first step of App Center's upload script |

## Before anything else

- **https.** Nearly every client refuses plain http. The server makes an authority of its own at the first start and prints
  where its certificate is: \`<data>/tls/ca.crt\`. Let the client trust it, or give the server a certificate of your own
  ([configuration.md](configuration.md), [operating.md](operating.md)).
- **The public address.** Set \`MOORING_PUBLIC_URL\` to the address that clients use, if it is not \`https://localhost:8443\`: links
  in pages, mails and lists begin with it.
- **Tokens.** Tokens of another server mean nothing here. Make new ones in the console, with \`mooring tokens create\`, or with
  \`POST /v0.1/api_tokens\` and a password. They go into the same header, \`X-API-Token\`.
- **Names.** Apps keep their address \`owner/app\` if owner and app get the same names. An app
  keeps the secret that is in what is installed, too: \`mooring apps secret rotate --secret\`, which takes identifiers of
  HockeyApp as well.

## Moving an account

\`mooring import appcenter <folder>\` makes apps, members, groups, releases with their packages, CodePush deployments with their releases, symbols, and what devices sent from a
folder in which each file holds what the API answered, or what a continuous export wrote:

| file | answer of |
|---|---|
| \`orgs/<org>/org.json\` | \`GET /v0.1/orgs/{org_name}\` |
| \`orgs/<org>/users.json\` | \`GET /v0.1/orgs/{org_name}/users\` |
| \`apps/<owner>/<app>/app.json\` | \`GET /v0.1/apps/{owner_name}/{app_name}\` |
| \`apps/<owner>/<app>/users.json\` | \`GET …/users\` |
| \`apps/<owner>/<app>/distribution_groups.json\` | \`GET …/distribution_groups\`, each with \`members\` |
| \`apps/<owner>/<app>/errors/errorGroups.json\` | \`GET …/errors/errorGroups\`, all pages as one |
| \`apps/<owner>/<app>/releases/<id>/release.json\`, and the package beside it | \`GET …/releases/{release_id}\` |
| \`apps/<owner>/<app>/archive/<yyyy>/<MM>/<dd>/<HH>/<mm>/logs.v1.data\` | a continuous export to blobs: the container \`archive\`, or the folder with the id of the app in it |
| \`apps/<owner>/<app>/symbols/<id>/symbols.json\`, and the file beside it | an entry of \`GET …/symbols\` |
| \`apps/<owner>/<app>/codepush/<deployment>/deployment.json\` | an entry of \`GET …/deployments\` |
| \`apps/<owner>/<app>/codepush/<deployment>/releases/<label>/release.json\`, and the package beside it | an entry of \`GET …/deployments/{deployment_name}/releases\` |

\`mooring export everything <folder>\` writes such a folder of a Mooring; of App Center people have what they saved before it was
retired. \`--dry-run\` tells what would be done, \`--owner\` says whose the apps become. It can be stopped at any time: what was done is
noted in the folder, and the same command goes on from there; an upload that was begun is gone on with. Testers are added, and
invited by mail, only with \`--with-testers\`, and members of organizations and users of apps only with \`--with-members\`: each gets
an invitation to what they had, with the role that they had, unless they are there already or invited. Nobody gets more than a few mails
an hour: where that stops it, the same command goes on later. Teams are not made: what somebody had by one becomes a permission of
their own. Releases get new numbers, in their order, and keep the time of their upload. CodePush deployments keep their keys, and their releases keep labels, times
and origin. Both commands list at their end everything that they leave out. Symbolic links in the folder are refused. Apps keep their secrets,
so that what is installed needs nothing but another address. A group of crashes or errors takes its
state and its note over when its first report comes here: it is known by version, build, type, class and method.

**What devices sent** is taken from every file below \`archive\` whose name ends with \`logs.v1.data\`, and of Mooring also with
\`crashes.v1.data\` and \`errors.v1.data\`: how App Center wrote crashes and errors is not known. Each log counts on its own day
(\`history_import\`); crashes become reports and groups as if they had come here, without mails, tickets or webhooks. The same
files twice count once. An app keeps telemetry only for as long as it is told to
(\`MOORING_ANALYTICS_RETENTION_DAYS\`, or its own settings): set that first, the import says which days would go again. Reports of crashes go after 90
days, or after 28 if the app says so, and their counts stay. Attachments of crashes are not taken over, and of logs
that Mooring itself keeps only what it counts: not the SDK, nor when they came.

**From HockeyApp identifiers:** apps that were made there and later moved to App Center carry the identifier of HockeyApp, 32 hexadecimal
digits without dashes, where others have a secret. It is the same thing here:

1. make the app (\`mooring apps create\`, or let the import do it), and give it the identifier with
   \`mooring apps secret rotate OWNER/APP --secret 0f8fad5bd9cb469fa16570867728950e\`. Devices may send it with or without dashes, in
   upper or lower case; what the app was given before goes on counting for 90 days (\`--hours\`);
2. point the SDK in the app here, as below. That is an SDK of App Center: HockeySDK itself spoke another protocol, which is not
   spoken here, so an app that still has it needs a version with the newer SDK;
3. packages, groups and testers come along with \`mooring import appcenter\`, where somebody has saved them in App Center's forms; what
   only HockeyApp's own API told is not read.

**From a code-push-server:** make the app and its deployments, each with the key that it had (\`mooring codepush deployment add\`
with \`--key\`): apps in the field then need nothing but another address, which is \`CodePushServerUrl\` below.

## fastlane, Bitrise and Azure Pipelines

The plug-ins and steps that were made for App Center have its address built in, so they can't reach another server. None of them
was run. Replace each with the command line: \`appcenter\` as below, or \`mooring\`, which needs Node and no saved login. Store a token as
a secret variable: an app token (\`mooring tokens create --app OWNER/APP\`) reaches one app only.

| pipeline | replace | with |
|---|---|---|
| fastlane | \`appcenter_upload\`, \`appcenter_fetch_devices\`, \`appcenter_codepush_release_react\` of \`fastlane-plugin-appcenter\` | \`sh("mooring", "releases", "upload", "OWNER/APP", lane_context[SharedValues::GRADLE_APK_OUTPUT_PATH], "--group", "Collaborators")\`; for iOS \`SharedValues::IPA_OUTPUT_PATH\`; symbols with \`mooring symbols upload\`; devices with \`mooring apple-devices of-group\` |
| Bitrise | the steps *App Center upload*, *Deploy to App Center* and *App Center DSYM upload* | a *Script* step: \`mooring releases upload OWNER/APP "$BITRISE_APK_PATH" --group Collaborators\`, or \`$BITRISE_IPA_PATH\`; \`mooring symbols upload OWNER/APP "$BITRISE_DSYM_PATH"\` |
| Azure Pipelines | the tasks \`AppCenterDistribute@3\` and \`AppCenterTest@1\`, and their service connection | a \`script:\` step: \`mooring releases upload OWNER/APP "$(Build.ArtifactStagingDirectory)/app.apk" --group Collaborators\`, or \`mooring tests run\`, with \`env: MOORING_TOKEN: $(mooringToken)\`: secret variables reach scripts only by \`env\` |

In each of them set \`MOORING_SERVER\` to this server, \`MOORING_TOKEN\` to the token, and \`NODE_EXTRA_CA_CERTS\` to the authority, unless the
server has a public certificate. Pipelines that already run \`appcenter distribute release --group Collaborators\` stay as they are, with
the settings below: every app has that group, and its members are the users who work on the app.

## The command-line client

${appcenterSettings}

| setting | what it does |
|---|---|
| \`--env local\` | chooses the address in \`APPCENTER_ENDPOINT\`; the other environments are addresses that the client has built in |
| \`APPCENTER_ENDPOINT\` | this server, without a slash at its end |
| \`APPCENTER_LOGIN_ENDPOINT\` | the page that \`login\` opens; without it \`login\` needs \`--token\` |
| \`APPCENTER_PORTAL_ENDPOINT\` | the beginning of links that the client prints |
| \`NODE_EXTRA_CA_CERTS\` | the authority to trust; plain http is refused |
| \`--token\` with \`--env local\` | for one command, without a saved login |
| \`APPCENTER_ACCESS_TOKEN\` with \`APPCENTER_ENV=local\` | the same for scripts; an error while a login is saved |
| \`MOBILE_CENTER_CURRENT_APP\` | the app, as \`owner/app\`, when \`--app\` is absent |
| \`MOBILE_CENTER_TELEMETRY=off\` | otherwise the first run asks, and reports to somebody else |

A login is kept in \`~/.appcenter-cli\`, one at a time: signing in here forgets where you were signed in before. Set \`HOME\` to
another folder to keep both.

**Works:** ${appcenterWorks}.

What the client does wrong by itself, on any server, and what it comes to here:

${appcenterDefects}

${appcenterMissing}Of its ${commandProofs.length} commands that ask a server, ${run} were run, each by the test that the table names:

${commandTable}

What else is known to go wrong, read in the client and not run here:

| command | what it does wrong | what to do |
|---|---|---|
| \`distribute release\` | With \`APPCENTER_ACCESS_TOKEN\` it uploads to the address that it has built in, whatever \`APPCENTER_ENV\` says. | Use \`--token\` with \`--env local\`, or a saved login. |
| \`crashes upload-symbols\` | Commits an upload that failed, and ends with exit code 0. | Look at what it prints. |
| \`codepush promote\` | Makes the promoted release neither mandatory nor disabled, whatever it was. | Say it again with \`codepush patch\`. |

[acceptance/clients/appcenter-cli](../acceptance/clients/appcenter-cli/README.md) has the commands one by one.

## SDKs in apps

The suite sends what the SDKs send first, with the secret of an app that exists:

| what | request | answer | what the SDK does then |
|---|---|---|---|
${sdkRequests
  .map(
    ({ purpose, method, path, status, consequence }) =>
      `| ${purpose} | \`${method} ${withoutQuery(path)}\` | ${status} | ${consequence} |`,
  )
  .join('\n')}

An SDK gives up what it has not sent when it is told 403, which is only for a secret that no app here has: put the secret of the
app here into the build that is pointed here. Whether something comes is told by \`mooring ingest show <app>\`, and
\`mooring ingest send <app>\` sends a test without a device. The address has no slash at its end, and is set before the SDK is
started:

| SDK | logs | in-app updates |
|---|---|---|
| Android | \`AppCenter.setLogUrl("https://mooring.example.com")\` | \`Distribute.setApiUrl("https://mooring.example.com/v0.1")\`, \`Distribute.setInstallUrl(…)\` |
| Apple, Swift | \`AppCenter.logUrl = "https://mooring.example.com"\` | \`Distribute.apiUrl = "https://mooring.example.com/v0.1"\`, \`Distribute.installUrl\` |
| Apple, Objective-C | \`MSACAppCenter.logUrl = @"https://mooring.example.com"\` | \`[MSACDistribute setApiUrl:@"https://mooring.example.com/v0.1"]\`, \`setInstallUrl:\` |
| .NET, Xamarin, MAUI | \`AppCenter.SetLogUrl("https://mooring.example.com")\` | \`Distribute.SetApiUrl("https://mooring.example.com/v0.1")\`, \`SetInstallUrl\` |
| React Native | nothing in JavaScript: the native call of Android or Apple, before React Native starts | the same |
| React Native CodePush | \`CodePushServerUrl\` in \`strings.xml\`, \`CodePushServerURL\` in \`Info.plist\` | |

Android refuses addresses that are not https, and trusts a private authority only if the app's network security
configuration names it. Apple's devices want https too, unless the app makes an exception.

What an app needs from here exists already: its secret is shown by \`mooring apps show\`, in the console and by
\`GET /v0.1/apps/{owner_name}/{app_name}\`.

## Clients of the health API

Start the server with the vendor's name that the clients were made for; it stands in their addresses
(\`Microsoft.ResourceHealth\`) and in \`enableMicrosoftSupport\`:

\`\`\`sh
MOORING_VENDOR_NAME=Microsoft MOORING_PUBLIC_URL=https://mooring.example.com npm start
\`\`\`

${armSettings}

| setting | what it does |
|---|---|
| \`endpoint\` | this server, by https: the client sends no token otherwise |
| \`credential\` | anything with \`getToken()\`: a user API token of this server, an access token of this server's OAuth, or one of your identity provider (\`MOORING_OIDC_ISSUER\`, \`MOORING_OIDC_AUDIENCE\`) |
| audience | a client that asks for a token for another address, such as \`https://management.azure.com/\`, needs that address in \`MOORING_OAUTH_AUDIENCES\` |
| \`apiVersion\` | \`2024-02-01\`; other versions are served the same way if \`MOORING_HEALTH_API_VERSIONS\` names them |
| subscription | one that exists here (\`mooring subscriptions create\`); \`--id\` keeps the id that scripts have |

${armWorks}

What is refused is a \`RestError\`:

${armRefused}

What that client does by itself, and the answer to it:

| what it does | what to do, and what happens here |
|---|---|
| Asks for version 2022-10-01 unless it is told. | Give \`apiVersion\`, or set \`MOORING_HEALTH_API_VERSIONS=2022-10-01\`. |
| Ignores the option \`$host\`. | Use \`endpoint\`. |
| Throws when a page size is asked for. | Leave it out; the server chooses. |
| Shows only those properties of an event that it knows. | With another vendor's name \`enableMicrosoftSupport\` would be missing. |
| Cuts the address of the next page at a second question mark. | Addresses of pages have one, and carry version, filter and start with them. |
| Tries again after 429 only if it is told when. | Every 429 has \`Retry-After\`. |

Other clients of the same API were not run. What is known of them from their sources: those for Python and Go refuse plain
http and ask for preview versions by themselves, so name those in \`MOORING_HEALTH_API_VERSIONS\`; that for Go writes spaces as
\`+\` and \`$filter\` as \`%24filter\`; scripts write \`properties/status\` or \`Properties/Status\`, dates with or without a zone. The
suites of the server send all of these.

[acceptance/clients/arm-resourcehealth](../acceptance/clients/arm-resourcehealth/README.md) has the calls one by one.
\`mooring health import\` takes over the events of another server: a page as the list gives it, or one event on each line.
`;
