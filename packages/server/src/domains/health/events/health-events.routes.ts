import {
  type EndpointInput,
  Event_GetBySubscriptionIdAndTrackingId,
  Event_GetByTenantIdAndTrackingId,
  EventInput,
  Events_ListBySubscriptionId,
  Events_ListByTenantId,
  HealthEvent_Change,
  HealthEvent_Publish,
  HealthEvent_Update,
  HealthEvent_Withdraw,
  HealthEvents_Watch,
  Type,
} from '@mooring/contract';
import { type ReplyControls, route } from '../../../http/mount.ts';
import { createCheck } from '../../../http/requests/validation.ts';
import { watch } from '../../../kernel/concurrency/watch.ts';
import { createReader, readerEverywhere } from '../listing/listing.ts';
import type { EventPages } from '../pages/index.ts';
import { type EventDraft, refuseContradictions } from './event-rules.ts';
import {
  addUpdate,
  changeEvent,
  getEvent,
  publishEvent,
  type ReadEvent,
  versionNow,
  withdrawEvent,
} from './health-events.ts';
import { mergePatch } from './merge-patch.ts';
import type { EventProperties } from './rendering.ts';
import { withVendor } from './vendor-field.ts';

const check = createCheck(Type.Object({ properties: EventInput }));

/**
 * The event after a merge patch. A new status of the event applies to all its regions, because the event's status is derived
 * from theirs.
 */
function patched(before: EventProperties, patch: object): EventDraft {
  const merged = mergePatch(before, patch) as Record<string, unknown>;
  const { status } = patch as { status?: EventProperties['status'] };
  if (status && !('impact' in patch)) {
    merged.impact = before.impact?.map((impact) => ({
      ...impact,
      impactedRegions: impact.impactedRegions?.map((region) => ({ ...region, status })),
    }));
  }
  return draft(merged);
}

/** Keeps only the fields that operators send; all others are derived. */
function draft(properties: object): EventDraft {
  const body = { properties: { ...properties } };
  check(body);
  const known = new Set(Object.keys(EventInput.properties));
  return Object.fromEntries(Object.entries(body.properties).filter(([name]) => known.has(name))) as EventDraft;
}

function sendEvent(reply: ReplyControls, { json, etag }: ReadEvent): string {
  reply.setEtag(etag);
  return json;
}

/** Maps the query parameters to the names in our code. */
const toPageQuery = (query: EndpointInput<typeof Events_ListByTenantId>['query'], url: string) => ({
  url,
  apiVersion: query['api-version'],
  filter: query.$filter,
  search: query.search,
  startTime: query.queryStartTime,
  skipToken: query.$skipToken,
});

export const eventRoutes = (getPage: EventPages) => [
  route(Events_ListBySubscriptionId, (ctx, { query }, { url }) =>
    getPage(ctx, createReader(ctx), toPageQuery(query, url)),
  ),
  route(Event_GetBySubscriptionIdAndTrackingId, async (ctx, { params }, reply) =>
    sendEvent(reply, await getEvent(ctx, createReader(ctx), params.trackingId)),
  ),
  route(Events_ListByTenantId, async (ctx, { query }, { url }) =>
    getPage(ctx, await readerEverywhere(ctx), toPageQuery(query, url)),
  ),
  route(Event_GetByTenantIdAndTrackingId, async (ctx, { params }, reply) =>
    sendEvent(reply, await getEvent(ctx, await readerEverywhere(ctx), params.trackingId)),
  ),
  route(HealthEvents_Watch, async (ctx, { query: { seconds } }, { signal, lastEventId }) =>
    watch(async () => ({ events: (await versionNow(ctx)).version }), { signal: signal(), lastEventId, seconds }),
  ),
  route(HealthEvent_Publish, async (ctx, { params, headers, body }, reply) => {
    const sent = withVendor(body.properties, ctx.config.vendorName);
    const eventDraft = draft(sent);
    refuseContradictions(sent, eventDraft, ctx.clock.now());
    const event = await publishEvent(
      ctx,
      { ...params, draft: eventDraft },
      { ifMatch: headers['if-match'], ifNone: headers['if-none-match'] === '*' },
    );
    if (event.isNew) reply.setCreated();
    return sendEvent(reply, event);
  }),
  route(HealthEvent_Change, async (ctx, { params, headers, body }, reply) => {
    const patch = withVendor(body.properties, ctx.config.vendorName);
    const change = (before: EventProperties) => {
      const after = patched(before, patch);
      refuseContradictions(patch, after, ctx.clock.now());
      return after;
    };
    return sendEvent(reply, await changeEvent(ctx, params.trackingId, change, { ifMatch: headers['if-match'] }));
  }),
  route(HealthEvent_Withdraw, (ctx, { params, headers }) =>
    withdrawEvent(ctx, params.trackingId, { ifMatch: headers['if-match'] }),
  ),
  route(HealthEvent_Update, async (ctx, { params, headers, body }, reply) =>
    sendEvent(reply, await addUpdate(ctx, params.trackingId, body, { ifMatch: headers['if-match'] })),
  ),
];
