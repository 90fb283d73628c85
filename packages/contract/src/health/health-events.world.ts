import type { Static } from 'typebox';
import { exampleOf } from '../examples.ts';
import { healthVersion as query } from '../subscriptions/health.family.ts';
import { Subscriptions_Save } from '../subscriptions/subscriptions.contract.ts';
import { shown, type World } from '../world/world.ts';
import { type EventInput, HealthEvent_Publish } from './health-events.contract.ts';

type EventProperties = Static<typeof EventInput>;
const DAY = 86_400_000;

/** Events for everyone and for one subscription: the example's, one with all that an event can have, one that is over, and a small one. */
export async function addEvents({ server, ada }: World): Promise<void> {
  const publish = (trackingId: string, properties: EventProperties) =>
    ada.call(HealthEvent_Publish, { params: { trackingId }, query, headers: {}, body: { properties } });
  const ago = (days: number) => new Date(server.now() - days * DAY).toISOString();
  const subscription = shown(Subscriptions_Save, 'subscriptionId');
  const { properties } = exampleOf(HealthEvent_Publish).body as { properties: EventProperties };
  await publish(shown(HealthEvent_Publish, 'trackingId'), properties);
  const region = (impactedRegion: string, more: object = {}) =>
    ({ impactedRegion, status: 'Active', ...more }) as const;
  await publish('TIDE-001', {
    eventType: 'ServiceIssue',
    eventLevel: 'Critical',
    title: 'Mail is not delivered in the north',
    summary: 'Mail to addresses in the north waits. None of it is lost.',
    description: 'A certificate of the relays has run out.\nWe are replacing it on all of them.',
    impactStartTime: ago(4),
    impact: [
      {
        impactedService: 'Mail',
        impactedRegions: [
          region('North', { updates: [{ summary: 'We are looking into it.', updateDateTime: ago(4) }] }),
          region('South', { status: 'Resolved', updates: [{ summary: 'It works again.', updateDateTime: ago(2) }] }),
        ],
      },
      { impactedService: 'Search', impactedRegions: [region('North', { impactedSubscriptions: [subscription] })] },
    ],
    recommendedActions: {
      message: 'Until it is over:',
      actions: [{ actionText: 'Send what is urgent by the south.' }, { actionText: 'Do not send anything twice.' }],
    },
    faqs: [{ question: 'Is mail lost?', answer: 'No. It waits, and is delivered later.' }],
    links: [{ displayText: { value: 'Status of the relays' }, parameters: { url: 'https://status.example.com/' } }],
    article: { articleContent: '<h2>What happened</h2><p>A certificate <b>ran out</b>.</p><script>x()</script>' },
    additionalInformation: { message: 'The next update comes within an hour.' },
  });
  await publish('TIDE-002', {
    eventType: 'PlannedMaintenance',
    eventLevel: 'Informational',
    title: 'New disks for the storage of the south',
    status: 'Resolved',
    impactStartTime: ago(40),
    impactMitigationTime: ago(38),
    impact: [{ impactedService: 'Storage', impactedRegions: [region('South', { status: 'Resolved' })] }],
  });
  await publish('TIDE-003', {
    eventType: 'HealthAdvisory',
    eventLevel: 'Warning',
    title: 'Search answers slowly',
    impactStartTime: ago(20),
    impact: [{ impactedService: 'Search', impactedRegions: [region('North'), region('West')] }],
  });
}
