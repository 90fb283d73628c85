import { announcements, announcementTypes, filterFields } from '@mooring/contract';
import { announcementExamples } from '@mooring/contract/examples';
import type { TSchema } from 'typebox';

interface Described extends TSchema {
  type?: string;
  enum?: readonly string[];
  format?: string;
  description?: string;
  items?: Described;
}

const describeType = ({ type, enum: values, format, items }: Described): string => {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (format === 'date-time') return 'time';
  return items ? `list of ${describeType(items)}` : (type ?? 'text').replace('string', 'text');
};

function listFields(type: keyof typeof announcements): string {
  const { properties, required = [] } = announcements[type].data as { properties: object; required?: string[] };
  return Object.entries(properties as Record<string, Described>)
    .map(([name, field]) => {
      const optional = required.includes(name) ? '' : ' Optional.';
      return `| \`${name}\` | ${describeType(field)} | ${field.description}${optional} |`;
    })
    .join('\n');
}

const section = (type: keyof typeof announcements): string => `### \`${type}\`

${announcements[type].summary}. Sent to webhooks of the ${announcements[type].level === 'app' ? 'app and of its organization' : 'organization'}.

| field | type | description |
|---|---|---|
${listFields(type)}

\`\`\`json
${JSON.stringify(announcementExamples[type], undefined, 2)}
\`\`\``;

export const webhookDocs = `# Webhooks

Send events of an app or an organization to your own service, to Slack or to Microsoft Teams, within seconds: new crashes, releases, builds, test runs, alerts and
more. You need Manager access to the app, or admin access to the organization.

\`\`\`sh
mooring webhooks create ada/compass https://hooks.example.com/mooring --events newCrashGroupCreated,newAppReleased
mooring webhooks list ada/compass
mooring webhooks test ada/compass <id>
mooring webhooks deliveries ada/compass <id>
\`\`\`

\`create\` prints the signing secret, once. \`test\` sends an example message, and \`deliveries\` lists the messages with the responses of
your service. You can also create webhooks on the page *Webhooks* of an app or an organization.

| first argument | events |
|---|---|
| an app, \`ada/compass\` | of that app |
| an organization, \`lighthouse\` | of the organization and of all its apps |
| the ID of a subscription | [health events](health.md#send-webhooks) that apply to the subscription |

The URL must be public and use https, unless \`MOORING_OUTBOUND_ALLOW\` names it.

## Choose events

A webhook receives the event types that it lists. A filter (\`--filter\`) selects among them: compare fields with \`eq\` and \`ne\`, numbers also with \`lt\`, \`le\`, \`gt\` and
\`ge\`; combine comparisons with \`and\`, \`or\`, \`not\` and parentheses; put text in single quotes.

| events | filter |
|---|---|
| one app of an organization | \`app_name eq 'compass'\` |
| crashes, not handled errors, of a version | \`kind eq 'crash' and app_version eq '2.0.1(42)'\` |
| releases for a group, and all crashes | \`event_type ne 'newAppReleased' or destination_name eq 'Beta'\` |
| the first failed build of a branch after a success | \`branch eq 'main' and build_status eq 'Failed' and previous_status eq 'Succeeded'\` |
| crash-free devices below 95% | \`kind eq 'crash_free_percent' and value lt 95\` |

If an event lacks a field, \`eq\` is false and \`ne\` is true. Filters don't apply to test messages. The fields are: ${filterFields
  .map(({ name, kind }) => `\`${name}\`${kind === 'text' ? '' : kind === 'number' ? ' (number)' : ' (true or false)'}`)
  .join(', ')}.

## Choose a format

| format | body |
|---|---|
| \`cloudevents\` | a [CloudEvent](https://cloudevents.io) 1.0 in structured JSON: \`type\` is \`mooring.\` followed by the event type, \`data\` has the fields; a test message has \`istest\` |
| \`plain\` | only the fields, named as in webhooks of App Center; a test message has \`is_test\` |
| \`slack\` | a message with blocks, for an incoming webhook of Slack |
| \`teams\` | an Adaptive Card, for a workflow of Microsoft Teams |

The default depends on the host of the URL: \`slack\` and \`teams\` for those services, otherwise \`cloudevents\`. Choose another one with \`--format\`.

## Verify signatures

Every message is signed according to [Standard Webhooks](https://www.standardwebhooks.com). The headers are \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`, an
HMAC-SHA256 over \`<id>.<timestamp>.<body>\` with the signing secret. Libraries for most languages verify it, such as \`standardwebhooks\` of npm:

\`\`\`js
import { Webhook } from 'standardwebhooks';

const event = new Webhook(secret).verify(body, headers); // throws if the signature is invalid
\`\`\`

For 24 hours after \`mooring webhooks rotate\`, messages have signatures with the new and the previous secret.

## Respond and retry

Respond with 2xx within ten seconds. After any other response the server retries, 15 times in about seven hours; it does not follow redirects. A slow receiver delays only its own messages, and gets fewer at a time. A message may arrive twice, with the same \`webhook-id\`, and
messages may arrive in any order.

After five days of failures, or a response of 410, the server disables the webhook and emails the managers of the app or the admins of the organization. It also disables the
webhooks of an app that gets another owner. The log has every delivery and its attempts for 30 days; \`mooring webhooks replay\` sends a message again.

## Receive alerts

The events \`alertStarted\` and \`alertEnded\` come from the [alert rules](crashes.md#get-alerts) of an app. A rule with \`crash_free_percent\` is
evaluated only while at least 10 devices are active on the current day (UTC), because with fewer a single crash changes the percentage too
much. Until then, \`mooring alerts rules list\` shows the rule as \`unknown\`.

## Events

\`npm run generate\` writes this list from the schemas in \`packages/contract/src/webhooks/announcements.ts\`.

${announcementTypes.map(section).join('\n\n')}
`;
