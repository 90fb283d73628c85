import type { EndpointExamples } from '../endpoint/example.ts';
import { healthVersion } from '../subscriptions/health.surface.ts';

const params = { subscriptionId: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11' };
const feed = {
  id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e77',
  filter: "service eq 'Mail'",
  createdBy: 'ada',
  createdAt: '2026-11-01T09:00:00.000Z',
} as const;
const feed_secret = 'Hs4Jc9PgAu7EoBi1QtNxVyCf3TqR8vLx';
const address = `https://mooring.example.com/feeds/${feed_secret}`;

export const healthFeedsExamples = {
  HealthFeeds_List: { params, query: healthVersion, response: { value: [feed] } },
  HealthFeeds_Create: {
    params,
    query: healthVersion,
    body: { filter: feed.filter },
    response: { ...feed, atomUrl: `${address}/events.atom`, calendarUrl: `${address}/maintenance.ics` },
  },
  HealthFeeds_Delete: { params: { ...params, feedId: feed.id }, query: healthVersion },
  HealthFeeds_ReadAtom: { params: { feed_secret } },
  HealthFeeds_ReadCalendar: { params: { feed_secret } },
} satisfies EndpointExamples<typeof import('./health-feeds.contract.ts')>;
