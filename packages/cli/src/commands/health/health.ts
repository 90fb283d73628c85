import {
  ApiError,
  type Client,
  type EndpointInput,
  Event_GetBySubscriptionIdAndTrackingId,
  Event_GetByTenantIdAndTrackingId,
  Events_ListBySubscriptionId,
  Events_ListByTenantId,
  eventStatuses,
  HealthEvent_Change,
  HealthEvent_Publish,
  HealthEvent_Update,
  HealthEvent_Withdraw,
  healthOperators_add,
  healthOperators_list,
  healthOperators_remove,
  healthVersion,
} from '@mooring/contract';
import { readJson, readText } from '../../arguments/files.ts';
import { command } from '../../framework/command.ts';
import { Failure, wrongUsage } from '../../framework/errors.ts';
import { listOptions, operation } from '../../framework/operation.ts';
import { buildFilter, filterOptions } from '../../health/event-filter.ts';
import { detailColumns, eventColumns, type HealthEvent, listUpdates, updateColumns } from '../../health/event-views.ts';
import { gatherLinks, type LinkedPage, limitOption, printLinked } from '../../lists/paging.ts';

type EventInput = EndpointInput<typeof HealthEvent_Publish>['body']['properties'];

const tracking = { 'tracking-id': { summary: 'Tracking ID, as in "mooring health list"' } } as const;
const ifMatch = {
  'if-match': { value: 'ETAG', summary: 'Fail if the event was changed since "mooring health show" printed this ETag' },
} as const;
const guard = (options: { 'if-match'?: string }) => ({ 'if-match': options['if-match'] });
const at = (args: { 'tracking-id': string }) => ({ params: { trackingId: args['tracking-id'] }, query: healthVersion });

/** A page of the events that a subscription sees, or that the caller can read. */
export function readEvents(
  call: Client,
  {
    subscription,
    filter,
    search,
  }: { subscription: string | undefined; filter: string | undefined; search?: string | undefined },
  { signal, ...token }: { $skipToken?: string; signal?: AbortSignal },
): Promise<LinkedPage<HealthEvent>> {
  // A skip token includes the filter and search of its page.
  const query = { ...healthVersion, ...(token.$skipToken ? token : { $filter: filter, search }) };
  return subscription === undefined
    ? call(Events_ListByTenantId, { query, signal })
    : call(Events_ListBySubscriptionId, { params: { subscriptionId: subscription }, query, signal });
}

/** Parses an event in the format of `health show --json`. The server ignores fields that operators can't set. */
export function readPublication(text: string, id: string | undefined): { trackingId: string; properties: EventInput } {
  const event = readJson(text, 'event') as { name?: unknown; properties?: unknown; value?: unknown } | null;
  if (Array.isArray(event) || Array.isArray(event?.value)) {
    throw wrongUsage('The file contains a list of events.', 'Import it with "mooring health import".');
  }
  if (typeof event?.properties !== 'object' || event.properties === null) {
    throw wrongUsage('The event has no properties.', '"mooring help health publish" shows an example.');
  }
  const trackingId = id ?? event.name;
  if (typeof trackingId !== 'string')
    throw wrongUsage('The event has no name.', 'Add a name, which is its tracking ID, or use --id ID.');
  return { trackingId, properties: event.properties as EventInput };
}

/** Adds advice to the error about a concurrent change. */
async function explainConflict<T>(response: Promise<T>, advice: string): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw error instanceof ApiError && error.status === 412 ? new Failure(error.message, { advice }) : error;
  }
}

const publishExample = `mooring health publish - <<'END'
{
  "name": "PAY-1",
  "properties": {
    "eventType": "ServiceIssue",
    "eventLevel": "Error",
    "title": "Payments are delayed",
    "impact": [{ "impactedService": "Payments", "impactedRegions": [{ "impactedRegion": "North" }] }]
  }
}
END`;

export const healthCommands = [
  command({
    name: 'health list',
    summary: 'List health events, newest update first',
    options: { ...filterOptions, search: listOptions([]).search, limit: limitOption },
    async run({ options, out, connect }) {
      const filter = buildFilter(options, Date.now());
      const { call } = connect();
      const query = { subscription: options.subscription, filter, search: options.search };
      printLinked(out, await gatherLinks(options.limit, (token) => readEvents(call, query, token)), eventColumns);
    },
  }),
  command({
    name: 'health show',
    summary: 'Show a health event and its ETag',
    arguments: tracking,
    options: {
      subscription: filterOptions.subscription,
      updates: { summary: 'Show the updates of the event, newest first' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      let etag: string | null = null;
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag');
      };
      const { params, query } = at(args);
      const event = await (options.subscription === undefined
        ? call(Event_GetByTenantIdAndTrackingId, { params, query, onHeaders })
        : call(Event_GetBySubscriptionIdAndTrackingId, {
            params: { ...params, subscriptionId: options.subscription },
            query,
            onHeaders,
          }));
      if (options.updates) {
        out.table(event, listUpdates(event), updateColumns);
      } else {
        out.record(event, event, [...detailColumns, { header: 'ETAG', value: () => etag ?? undefined }]);
      }
    },
  }),
  command({
    name: 'health publish',
    summary: 'Publish a health event and print its tracking ID',
    example: publishExample,
    arguments: { file: { summary: 'JSON file in the format of "mooring health show --json", or - for stdin' } },
    options: {
      id: { value: 'ID', summary: 'Tracking ID (default: the name in the file)' },
      replace: { summary: 'Replace an existing event with the same tracking ID' },
      ...ifMatch,
    },
    async run({ args, options, out, connect }) {
      const { trackingId, properties } = readPublication(await readText(args.file, 'event'), options.id);
      const isChange = options.replace || options['if-match'] !== undefined;
      const headers = isChange ? guard(options) : ({ 'if-none-match': '*' } as const);
      const { call } = connect();
      const event = await explainConflict(
        call(HealthEvent_Publish, { params: { trackingId }, query: healthVersion, headers, body: { properties } }),
        isChange
          ? `Get the new ETag with "mooring health show ${trackingId}".`
          : 'Use --replace to replace the event, or --if-match ETAG to replace it only if it is unchanged.',
      );
      out.value(event, event.name);
      out.note(`Published ${event.name}: ${event.properties.status}, priority ${event.properties.priority}.`);
    },
  }),
  operation({
    name: 'health update',
    summary: 'Add an update for a service in a region to an event',
    endpoint: HealthEvent_Update,
    arguments: tracking,
    options: {
      service: { value: 'NAME', summary: 'Name of the service', required: true },
      region: { value: 'NAME', summary: 'Name of the region', required: true },
      summary: { value: 'TEXT', summary: 'Text of the update', required: true },
      status: { value: 'STATUS', summary: 'New status of the service in the region', choices: eventStatuses },
      ...ifMatch,
    },
    input: ({ args, options }) => ({
      ...at(args),
      headers: guard(options),
      body: { service: options.service, region: options.region, summary: options.summary, status: options.status },
    }),
    columns: eventColumns,
  }),
  operation({
    name: 'health resolve',
    endpoint: HealthEvent_Change,
    summary: 'Resolve an event in all regions of all services',
    arguments: tracking,
    options: ifMatch,
    input: ({ args, options }) => ({
      ...at(args),
      headers: guard(options),
      body: { properties: { status: 'Resolved' } },
    }),
    columns: eventColumns,
  }),
  operation({
    name: 'health withdraw',
    summary: 'Delete an event with all its updates',
    endpoint: HealthEvent_Withdraw,
    arguments: tracking,
    options: ifMatch,
    input: ({ args, options }) => ({ ...at(args), headers: guard(options) }),
    confirm: ({ args }) => `Withdraw ${args['tracking-id']} for all readers, with all its updates?`,
    done: ({ args }) => `Withdrew ${args['tracking-id']}.`,
  }),
  operation({
    name: 'health operators list',
    summary: 'List the users who can publish health events',
    endpoint: healthOperators_list,
    columns: [
      { header: 'NAME', value: (one) => one.name },
      { header: 'EMAIL', value: (one) => one.email },
      { header: 'DISPLAY NAME', value: (one) => one.display_name },
      { header: 'SINCE', value: (one) => one.since, isTime: true },
    ],
  }),
  operation({
    name: 'health operators add',
    summary: 'Allow a user to publish health events',
    endpoint: healthOperators_add,
    arguments: { user: { summary: 'Name of the user' } },
    input: ({ args }) => ({ body: { user_name: args.user } }),
    done: ({ args }) => `${args.user} can publish health events now.`,
  }),
  operation({
    name: 'health operators remove',
    summary: 'Revoke the right of a user to publish health events',
    endpoint: healthOperators_remove,
    arguments: { user: { summary: 'Name of the user' } },
    input: ({ args }) => ({ params: { user_name: args.user } }),
    done: ({ args }) => `${args.user} can no longer publish health events.`,
  }),
];
