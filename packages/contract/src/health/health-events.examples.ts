import type { EndpointExamples } from '../endpoint/example.ts';
import { healthVersion } from '../subscriptions/health.surface.ts';
import { provider } from './health-events.contract.ts';

const subscriptionId = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';
const at = '2026-11-01T09:00:00.000Z';
const properties = {
  eventType: 'ServiceIssue',
  eventSource: 'ServiceHealth',
  status: 'Active',
  title: 'Virtual machines cannot be started in West US',
  summary: 'We are investigating.',
  eventLevel: 'Error',
  impactStartTime: at,
  impact: [
    {
      impactedService: 'Virtual Machines',
      impactedRegions: [
        {
          impactedRegion: 'West US',
          status: 'Active',
          impactedSubscriptions: [subscriptionId],
          impactedTenants: [],
          lastUpdateTime: at,
          updates: [{ summary: 'We are investigating.', updateDateTime: at }],
        },
      ],
    },
  ],
  isHIR: false,
} as const;
const event = {
  id: `${provider}/BC_1-FXZ`,
  name: 'BC_1-FXZ',
  type: provider,
  systemData: {
    createdAt: at,
    createdBy: 'ada@example.com',
    createdByType: 'User',
    lastModifiedAt: at,
    lastModifiedBy: 'ada@example.com',
    lastModifiedByType: 'User',
  },
  properties: { ...properties, priority: 2, lastUpdateTime: at },
} as const;
const filtered = {
  ...healthVersion,
  $filter: "service eq 'Virtual Machines' or region eq 'West US'",
  queryStartTime: '7/24/2026',
};
const bySubscription = { subscriptionId, trackingId: 'BC_1-FXZ' };
const byTenant = { trackingId: 'BC_1-FXZ' };

export const healthEventsExamples = {
  Events_ListBySubscriptionId: { params: { subscriptionId }, query: filtered, response: { value: [event] } },
  Event_GetBySubscriptionIdAndTrackingId: { params: bySubscription, query: healthVersion, response: event },
  Events_ListByTenantId: { query: filtered, response: { value: [event] } },
  Event_GetByTenantIdAndTrackingId: { params: byTenant, query: healthVersion, response: event },
  HealthEvent_Publish: { params: byTenant, query: healthVersion, headers: {}, body: { properties }, response: event },
  HealthEvent_Change: {
    params: byTenant,
    query: healthVersion,
    headers: {},
    body: { properties: { title: properties.title } },
    response: event,
  },
  HealthEvent_Withdraw: { params: byTenant, query: healthVersion, headers: {} },
  HealthEvents_Watch: { query: { seconds: 0 } },
  HealthEvent_Update: {
    params: byTenant,
    query: healthVersion,
    headers: {},
    body: { service: 'Virtual Machines', region: 'West US', summary: 'Service is restored.', status: 'Resolved' },
    response: event,
  },
  HealthEvents_Import: {
    query: healthVersion,
    body: { value: [{ name: 'BC_1-FXZ', properties }] },
    response: {
      id: '019a3f2e-7c11-7d2f-8a57-6f0c5d2e9b11',
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      bytes: 4096,
      totalBytes: 4096,
      read: 3,
      imported: 1,
      replaced: 1,
      unchanged: 0,
      refusedCount: 1,
      refused: [{ index: 2, trackingId: 'X', code: 'BadRequest', message: 'properties.title is missing.' }],
    },
  },
} satisfies EndpointExamples<typeof import('./health-events.contract.ts')>;
