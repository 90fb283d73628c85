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

const kindOf = ({ type, enum: values, format, items }: Described): string => {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (format === 'date-time') return 'time';
  return items ? `list of ${kindOf(items)}` : (type ?? 'text').replace('string', 'text');
};

function fieldsOf(type: keyof typeof announcements): string {
  const { properties, required = [] } = announcements[type].data as { properties: object; required?: string[] };
  return Object.entries(properties as Record<string, Described>)
    .map(([name, field]) => {
      const absent = required.includes(name) ? '' : ' May be absent.';
      const words = field.format === 'date-time' ? '' : (field.description ?? '');
      return `| \`${name}\` | ${kindOf(field)} | ${`${words}${absent}`.trim()} |`;
    })
    .join('\n');
}

const section = (type: keyof typeof announcements): string => `### \`${type}\`

${announcements[type].summary}. Of ${announcements[type].level === 'app' ? 'an app, and told to its organization too' : 'an organization'}.

| field | | |
|---|---|---|
${fieldsOf(type)}

\`\`\`json
${JSON.stringify(announcementExamples[type], undefined, 2)}
\`\`\``;

export const webhookDocs = `# Webhooks

Made from the schemas in \`packages/contract/src/webhooks/announcements.ts\` by \`npm run generate\`; change it there.

What happens to an app or an organization is sent to an address of yours by POST, within seconds. Webhooks are made on the page
*Webhooks* of an app or an organization, by \`mooring webhooks create <url> --app owner/app --events …\`, or by
\`POST /v0.1/apps/{owner_name}/{app_name}/webhooks\` and \`POST /v0.1/orgs/{org_name}/webhooks\`. One of an organization is told of all
its apps. Health events of a subscription have webhooks of their own; see *Service health*.

## Which of them

A webhook names the types of events that it is told of. With a filter it gets only those that match: comparisons with \`eq\` and
\`ne\`, of numbers also \`lt\`, \`le\`, \`gt\` and \`ge\`, joined by \`and\`, \`or\`, \`not\` and parentheses; text stands in single quotes.

| wanted | filter |
|---|---|
| one app of an organization | \`app_name eq 'compass'\` |
| crashes, not errors, of a version | \`kind eq 'crash' and app_version eq '2.0.1(42)'\` |
| releases to a group, and all crashes | \`event_type ne 'newAppReleased' or destination_name eq 'Beta'\` |
| builds of a branch that broke it | \`branch eq 'main' and build_status eq 'Failed' and previous_status eq 'Succeeded'\` |
| grave alerts | \`kind eq 'crash_free_percent' and value lt 95\` |

A field that an event does not have equals nothing and differs from everything. There are: ${filterFields
  .map(
    ({ name, kind }) => `\`${name}\`${kind === 'text' ? '' : kind === 'number' ? ' (a number)' : ' (true or false)'}`,
  )
  .join(', ')}. A test is sent whatever the filter says.

## How a message looks

| format | body |
|---|---|
| \`cloudevents\` | a [CloudEvent](https://cloudevents.io) 1.0 in structured JSON: \`type\` is \`mooring.\` and the name of the event, \`data\` its fields below; a test has \`istest\` |
| \`plain\` | the fields alone, as receivers of the service that these names come from know them; a test has \`is_test\` |
| \`slack\` | a message with blocks for an incoming webhook of Slack |
| \`teams\` | an Adaptive Card for a workflow of Microsoft Teams |

If none is chosen, the host of the address decides between the last two, and otherwise it is \`cloudevents\`.

## Whether it is ours

Every message is signed after [Standard Webhooks](https://www.standardwebhooks.com): the headers \`webhook-id\`,
\`webhook-timestamp\` and \`webhook-signature\`, an HMAC-SHA256 over \`<id>.<timestamp>.<body>\` with the secret that was shown when the
webhook was made. Libraries for most languages check it. For 24 hours after a new secret there are two signatures.

## What becomes of it

An answer of 2xx within ten seconds is a success. Anything else is tried again, 15 times in about seven hours; a redirect is not
followed. A receiver that answers slowly, or not at all, holds up nobody's messages but its own, and gets fewer of them at a time.
Messages may come twice, with the same \`webhook-id\`, and in any order. After five days of nothing but failures, or an
answer 410, the webhook is disabled, and whoever manages the app or the organization is told by mail; with another owner of the
app its webhooks are disabled too. The log keeps every delivery and its attempts for 30 days; each can be sent again.

Addresses must be public and reached by https, unless \`MOORING_OUTBOUND_ALLOW\` names them.

## Events

${announcementTypes.map(section).join('\n\n')}
`;
