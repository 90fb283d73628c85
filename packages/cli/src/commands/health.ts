import {
  ApiError,
  type Client,
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
  type InputOf,
} from '@mooring/contract';
import { buildFilter, filterOptions } from '../event-filter.ts';
import { detailColumns, eventColumns, type HealthEvent, updateColumns, updatesOf } from '../event-views.ts';
import { readJson, readText } from '../files.ts';
import { command } from '../framework/command.ts';
import { Failure, wrongUsage } from '../framework/errors.ts';
import { listOptions, operation } from '../framework/operation.ts';
import { gatherLinks, type LinkedPage, limitOption, printLinked } from '../paging.ts';

type EventInput = InputOf<typeof HealthEvent_Publish>['body']['properties'];

const tracking = { 'tracking-id': { summary: 'As in "mooring health list"' } } as const;
const ifMatch = {
  'if-match': { value: 'ETAG', summary: 'Only if nobody changed it since "mooring health show" told this ETag' },
} as const;
const guard = (options: { 'if-match'?: string }) => ({ 'if-match': options['if-match'] });
const at = (args: { 'tracking-id': string }) => ({ params: { trackingId: args['tracking-id'] }, query: healthVersion });

/** A page of the events that a subscription sees, or else the caller. */
export function readEvents(
  call: Client,
  {
    subscription,
    filter,
    search,
  }: { subscription: string | undefined; filter: string | undefined; search?: string | undefined },
  { signal, ...token }: { $skipToken?: string; signal?: AbortSignal },
): Promise<LinkedPage<HealthEvent>> {
  // The token carries the filter and the search of the page that it came with.
  const query = { ...healthVersion, ...(token.$skipToken ? token : { $filter: filter, search }) };
  return subscription === undefined
    ? call(Events_ListByTenantId, { query, signal })
    : call(Events_ListBySubscriptionId, { params: { subscriptionId: subscription }, query, signal });
}

/** An event as `health show --json` prints it; what is not an operator's to say is left to the server. */
export function readPublication(text: string, id: string | undefined): { trackingId: string; properties: EventInput } {
  const event = readJson(text, 'event') as { name?: unknown; properties?: unknown; value?: unknown } | null;
  if (Array.isArray(event) || Array.isArray(event?.value)) {
    throw wrongUsage('This is a list of events.', 'Use "mooring health import".');
  }
  if (typeof event?.properties !== 'object' || event.properties === null) {
    throw wrongUsage('The event has no properties.', 'Write it as "mooring health show --json" prints one.');
  }
  const trackingId = id ?? event.name;
  if (typeof trackingId !== 'string') throw wrongUsage('The event has no name.', 'Add it, or give --id ID.');
  return { trackingId, properties: event.properties as EventInput };
}

/** What to do about an event that is not as whoever changes it thought. */
async function explainConflict<T>(answer: Promise<T>, advice: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ApiError && error.status === 412 ? new Failure(error.message, { advice }) : error;
  }
}

export const healthCommands = [
  command({
    name: 'health list',
    summary: 'Lists health events, newest update first',
    options: { ...filterOptions, search: listOptions([]).search, limit: limitOption },
    async run({ options, out, connect }) {
      const filter = buildFilter(options, Date.now());
      const { call } = connect();
      const asked = { subscription: options.subscription, filter, search: options.search };
      printLinked(out, await gatherLinks(options.limit, (token) => readEvents(call, asked, token)), eventColumns);
    },
  }),
  command({
    name: 'health show',
    summary: 'Shows an event, and the ETag that guards a change of it',
    arguments: tracking,
    options: {
      subscription: filterOptions.subscription,
      updates: { summary: 'Show what was told about it instead, newest first' },
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
        out.table(event, updatesOf(event), updateColumns);
      } else {
        out.record(event, event, [...detailColumns, { header: 'ETAG', value: () => etag ?? undefined }]);
      }
    },
  }),
  command({
    name: 'health publish',
    summary: 'Publishes an event, and prints its tracking id',
    arguments: { file: { summary: 'JSON as of "mooring health show --json", or - for stdin' } },
    options: {
      id: { value: 'ID', summary: 'Its tracking id, instead of the name in the file' },
      replace: { summary: 'Replace it if there is one' },
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
          ? `"mooring health show ${trackingId}" tells its new ETag.`
          : 'Replace it with --replace, or with --if-match ETAG only if nobody changed it.',
      );
      out.value(event, event.name);
      out.note(`${event.name} is published: ${event.properties.status}, priority ${event.properties.priority}.`);
    },
  }),
  operation({
    name: 'health update',
    endpoint: HealthEvent_Update,
    arguments: tracking,
    options: {
      service: { value: 'NAME', summary: 'The service', required: true },
      region: { value: 'NAME', summary: 'Its region', required: true },
      summary: { value: 'TEXT', summary: 'What to tell', required: true },
      status: { value: 'STATUS', summary: 'New status of the region', choices: eventStatuses },
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
    summary: 'Says that an event is over, in every region of every service',
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
    endpoint: HealthEvent_Withdraw,
    arguments: tracking,
    options: ifMatch,
    input: ({ args, options }) => ({ ...at(args), headers: guard(options) }),
    confirm: ({ args }) => `Withdraw ${args['tracking-id']} for every reader, with all its updates?`,
    done: ({ args }) => `Withdrew ${args['tracking-id']}.`,
  }),
  operation({
    name: 'health operators list',
    endpoint: healthOperators_list,
    columns: [
      { header: 'NAME', value: (one) => one.name },
      { header: 'E-MAIL', value: (one) => one.email },
      { header: 'DISPLAY NAME', value: (one) => one.display_name },
      { header: 'SINCE', value: (one) => one.since, isTime: true },
    ],
  }),
  operation({
    name: 'health operators add',
    endpoint: healthOperators_add,
    arguments: { user: { summary: 'Name of the user' } },
    input: ({ args }) => ({ body: { user_name: args.user } }),
    done: ({ args }) => `${args.user} may publish health events.`,
  }),
  operation({
    name: 'health operators remove',
    endpoint: healthOperators_remove,
    arguments: { user: { summary: 'Name of the user' } },
    input: ({ args }) => ({ params: { user_name: args.user } }),
    done: ({ args }) => `${args.user} may no longer publish health events.`,
  }),
];
