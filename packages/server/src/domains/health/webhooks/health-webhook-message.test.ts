import { expect, test } from 'vitest';
import { cloudEvent } from './health-webhook-message.ts';

const change = {
  id: '0190f9f0-7c3e-7000-8000-000000000001',
  change: 'published',
  version: 42,
  publicUrl: 'https://mooring.example.com',
  trackingId: 'BC_1-FXZ',
  subscriptionId: '0190f9f0-7c3e-7000-8000-0000000000aa',
  at: Date.UTC(2024, 9, 2, 9, 30),
  event: { name: 'BC_1-FXZ', properties: { title: 'Mail is slow ♥' } },
} as const;
const body = cloudEvent(change);

test('the body is a CloudEvent 1.0 with the event as the list shows it', () => {
  expect(JSON.parse(body)).toEqual({
    specversion: '1.0',
    id: change.id,
    type: 'mooring.health.event.published',
    source: 'https://mooring.example.com',
    subject: 'BC_1-FXZ',
    time: '2024-10-02T09:30:00.000Z',
    sequence: '0000000000000042',
    subscriptionid: change.subscriptionId,
    datacontenttype: 'application/json',
    data: change.event,
  });
});

test.each(['published', 'updated', 'resolved', 'withdrawn'] as const)('the type says that an event was %s', (kind) => {
  expect(JSON.parse(cloudEvent({ ...change, change: kind })).type).toBe(`mooring.health.event.${kind}`);
});
