import type { Static } from 'typebox';
import { getExample } from '../examples.ts';
import { type Fixtures, shown } from '../fixtures/fixtures.ts';
import { healthVersion as query } from '../subscriptions/health.surface.ts';
import { Subscriptions_Save } from '../subscriptions/subscriptions.contract.ts';
import { type EventInput, HealthEvent_Publish } from './health-events.contract.ts';

type EventProperties = Static<typeof EventInput>;
const DAY = 86_400_000;

/**
 * Events for everyone and for one subscription: the one of the examples, one with all fields, a resolved one, and a
 * small one.
 */
export async function addEvents({ server, ada }: Fixtures): Promise<void> {
  const publish = (trackingId: string, properties: EventProperties) =>
    ada.call(HealthEvent_Publish, { params: { trackingId }, query, headers: {}, body: { properties } });
  const ago = (days: number) => new Date(server.now() - days * DAY).toISOString();
  const subscription = shown(Subscriptions_Save, 'subscriptionId');
  const { properties } = getExample(HealthEvent_Publish).body as { properties: EventProperties };
  await publish(shown(HealthEvent_Publish, 'trackingId'), properties);
  const region = (impactedRegion: string, more: object = {}) =>
    ({ impactedRegion, status: 'Active', ...more }) as const;
  await publish('TIDE-001', {
    eventType: 'ServiceIssue',
    eventLevel: 'Critical',
    title: 'Email delivery delayed in the north',
    summary: 'Emails to addresses in the north are delayed. No emails are lost.',
    description: 'A certificate of the SMTP relays has expired.\nWe are replacing it on all relays.',
    impactStartTime: ago(4),
    impact: [
      {
        impactedService: 'Mail',
        impactedRegions: [
          region('North', { updates: [{ summary: 'We are investigating.', updateDateTime: ago(4) }] }),
          region('South', {
            status: 'Resolved',
            updates: [{ summary: 'Service is restored.', updateDateTime: ago(2) }],
          }),
        ],
      },
      { impactedService: 'Search', impactedRegions: [region('North', { impactedSubscriptions: [subscription] })] },
    ],
    recommendedActions: {
      message: 'Until the incident is resolved:',
      actions: [
        { actionText: 'Send urgent emails through the south region.' },
        { actionText: 'Do not send emails twice.' },
      ],
    },
    faqs: [{ question: 'Are emails lost?', answer: 'No. All emails are queued and will be delivered.' }],
    links: [{ displayText: { value: 'Relay status' }, parameters: { url: 'https://status.example.com/' } }],
    article: { articleContent: '<h2>What happened</h2><p>A certificate <b>expired</b>.</p><script>x()</script>' },
    additionalInformation: { message: 'We will post an update within an hour.' },
  });
  await publish('TIDE-002', {
    eventType: 'PlannedMaintenance',
    eventLevel: 'Informational',
    title: 'Storage upgrade in the south',
    status: 'Resolved',
    impactStartTime: ago(40),
    impactMitigationTime: ago(38),
    impact: [{ impactedService: 'Storage', impactedRegions: [region('South', { status: 'Resolved' })] }],
  });
  await publish('TIDE-003', {
    eventType: 'HealthAdvisory',
    eventLevel: 'Warning',
    title: 'Slow search responses',
    impactStartTime: ago(20),
    impact: [{ impactedService: 'Search', impactedRegions: [region('North'), region('West')] }],
  });
}
